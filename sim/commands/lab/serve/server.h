// SPDX-License-Identifier: MIT
// HTTP on 127.0.0.1, on one thread, one request per connection, with limits of size and time; and one process beside it
// at a time. server.cc is the only home of Asio and Beast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sim/commands/lab/serve/message.h"

namespace gpusim::lab {

/// Work that takes a while, and what to do with what it returned: of work that failed that is empty.
class Jobs {
 public:
  using Work = std::function<std::string()>;
  using Done = std::function<void(std::string output)>;
  Jobs() = default;
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  virtual ~Jobs() = default;
  /// Begins, or returns false: other work is under way. Throws InputError when no process can be made.
  [[nodiscard]] virtual bool start(const Work& work, Done done) = 0;
};

class Server final : public Jobs {
 public:
  /// The largest body of a request, in bytes.
  static constexpr std::size_t kMostBytes = 2U << 20U;

  /// Listens on 127.0.0.1 and on nothing else; port 0 is any that is free. Throws InputError.
  explicit Server(std::uint16_t port);
  ~Server() override;

  [[nodiscard]] std::uint16_t port() const;

  using Handler = std::function<void(const Request& request, Respond respond)>;
  /// Answers requests until `is_over` is true, which is asked several times a second. Work is ended then.
  void run(Handler handler, std::function<bool()> is_over);

  /// In a process of its own, which is ended when it takes too long.
  [[nodiscard]] bool start(const Work& work, Done done) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpusim::lab
