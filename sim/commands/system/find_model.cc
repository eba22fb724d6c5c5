// SPDX-License-Identifier: MIT
#include "sim/commands/system/find_model.h"

#include "sim/commands/cli/find_file.h"
#include "sim/system/models/loader.h"

namespace gpusim::cli {

models::Model find_model(const std::string& name) {
  return models::load_model(find_file(name, model_files()));
}

}  // namespace gpusim::cli
