// SPDX-License-Identifier: MIT
// A server in a process of its own, with folders of its own, and requests as bytes: hostile ones, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include "sim/base/temporary_folder.h"
#include "sim/commands/lab/run/bench.h"

namespace gpusim::lab_test {

struct Response {
  int status = 0;  ///< 0: the connection was closed without a reply
  std::string head;
  std::string body;
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
  [[nodiscard]] std::string problem() const { return json().value("problem", ""); }
};

class Served {
 public:
  /// A run or a check may take so many seconds; as a rule more than any may take of the processor, however busy the
  /// machine is.
  explicit Served(double wall_seconds = lab::Bench::kPatientSeconds);
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// Where the folders of labs are.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// Sends these bytes, as they are, and reads up to the end of the connection.
  [[nodiscard]] Response raw(const std::string& bytes) const;

  /// Requests as the page makes them; `place` stands behind the token.
  [[nodiscard]] Response get(const std::string& place) const;
  [[nodiscard]] Response post(const std::string& place, const nlohmann::json& body = nlohmann::json::object()) const;

  /// The head of a request, with the lines of `more`, each of which ends in "\r\n".
  [[nodiscard]] std::string head(const std::string& method, const std::string& target, const std::string& more) const;
  /// "Host: 127.0.0.1:PORT\r\n"
  [[nodiscard]] std::string host() const;
  /// What a POST of the page has besides.
  [[nodiscard]] std::string from_page(std::size_t bytes) const;

  /// A folder of the lab on coalescing, begun.
  void begin() const;
  [[nodiscard]] std::filesystem::path work() const { return folder() / "coalescing"; }
  /// Its files, by name.
  [[nodiscard]] nlohmann::json file(const std::string& name) const;
  /// Replaces a word of the kernel, which has it, on the disk.
  void change_kernel(const std::string& word, const std::string& other) const;
  /// What the page asks for when it runs the kernel.
  [[nodiscard]] static nlohmann::json kernel_run();

 private:
  TemporaryFolder folder_;
  std::string token_;
  std::uint16_t port_ = 0;
  pid_t pid_ = -1;
};

}  // namespace gpusim::lab_test
