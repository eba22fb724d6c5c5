// SPDX-License-Identifier: MIT
// A case while it is read. Internal to the module.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/commands/validate/case.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::validate {

struct CaseDraft {
  Case value;
  std::vector<NamedText> with;  ///< texts that stand for ${NAME} in its program
};

/// What a case says, by key: what stands nearer to it wins.
using CaseItems = std::map<std::string, arch::YamlItem>;

}  // namespace gpusim::validate
