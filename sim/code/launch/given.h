// SPDX-License-Identifier: MIT
// An argument of a launch beside its parameter.
#pragma once

#include <string>

#include "sim/code/launch/argument.h"
#include "sim/code/launch/request.h"
#include "sim/code/launch/signature.h"

namespace gpusim::launch {

struct Given {
  const NamedText* text = nullptr;
  const Parameter* parameter = nullptr;
  std::string shown;  ///< the parameter, for messages
  ArgumentText form;
  std::string name;  ///< the parameter's where it is known, else the argument's
};

}  // namespace gpusim::launch
