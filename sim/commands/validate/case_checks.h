// SPDX-License-Identifier: MIT
// Whether a case is one as a whole: what must be given together, and what excludes each other. Internal to the module.
#pragma once

#include "sim/commands/validate/case_draft.h"
#include "sim/commands/validate/gpu_names.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::validate {

/// The case that stands at `node`. All of it outlives the check; problems are added to the reader.
struct CaseToCheck {
  arch::YamlReader& yaml;
  const arch::YamlNode& node;
  const CaseItems& items;
  const GpuNames& gpus;
};

/// Fills in what follows from the keys given (the architecture of a GPU, the tolerance), and checks the rest.
void complete_case(const CaseToCheck& at, CaseDraft& draft);

/// "${NAME}" of the program becomes what `with` says of it.
void substitute_names(const CaseToCheck& at, CaseDraft& draft);

}  // namespace gpusim::validate
