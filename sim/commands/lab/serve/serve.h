// SPDX-License-Identifier: MIT
// The labs as pages on this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "sim/commands/lab/run/bench.h"
#include "sim/commands/lab/serve/site.h"

namespace gpusim::lab {

struct ServeOptions {
  std::filesystem::path folder;  ///< in it each lab has its folder
  std::string language;          ///< language of labs that are not begun, where they are translated; empty: English
  std::uint16_t port = 0;        ///< 0: any that is free
  double wall_seconds = Bench::kWallSeconds;  ///< how long a run or a check may take
  Site::StudentOf student_of;                 ///< who works in a folder, or is going to
};

/// Serves until `is_over` is true. `is_ready` gets the address of the first page, which holds the token. Throws
/// InputError when the port cannot be listened on.
void serve(const ServeOptions& options, const std::function<void(const std::string& address)>& is_ready,
           const std::function<bool()>& is_over);

}  // namespace gpusim::lab
