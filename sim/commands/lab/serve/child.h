// SPDX-License-Identifier: MIT
// Work beside the server, in a process of its own.
#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

namespace gpusim::lab {

struct Child {
  pid_t pid = -1;
  int output = -1;  ///< what the work returns can be read here, up to the end of the file
};

/// Starts `work` in a copy of this process, which must have one thread. The copy holds no file of this process but its
/// output, and ends with it. Throws InputError when no process can be made.
[[nodiscard]] Child start_child(const std::function<std::string()>& work);

/// Ends it where it has not ended, and waits for that; closes nothing.
void end_child(const Child& child);

}  // namespace gpusim::lab
