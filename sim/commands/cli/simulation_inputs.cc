// SPDX-License-Identifier: MIT
#include "sim/commands/cli/simulation_inputs.h"

#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/files.h"
#include "sim/model/arch/loader.h"

namespace gpusim::cli {

arch::Arch read_arch(const std::string& name, const std::vector<std::string>& set,
                     std::span<const OutputPath> outputs) {
  const std::vector<arch::Override> overrides = arch::parse_overrides(set);
  const std::filesystem::path path = find_file(name, architecture_files());
  refuse_to_replace(outputs, path);
  return arch::load_arch(path, overrides, search_folders(architecture_files()));
}

arch::Arch read_named_arch(const std::string& name, const std::vector<std::string>& set) {
  const std::vector<std::filesystem::path> folders = search_folders(architecture_files());
  return arch::load_arch(arch::resolve_arch_path(name, folders), arch::parse_overrides(set), folders);
}

trace::Trace read_trace(const std::string& name, const std::vector<std::string>& params, bool use_test_set,
                        std::span<const OutputPath> outputs) {
  const trace::ParameterChoice choice = parse_parameters(params, use_test_set);
  const FoundTrace found = find_trace(name);
  refuse_to_replace(outputs, found.file);
  return load_trace(found, choice);
}

trace::Trace read_shipped_trace(const std::string& name, const std::vector<std::string>& params) {
  return load_trace(find_shipped_trace(name), parse_parameters(params, false));
}

}  // namespace gpusim::cli
