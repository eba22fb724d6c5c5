// SPDX-License-Identifier: MIT
#include "sim/commands/launch/kernel_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/compile/compile.h"
#include "sim/code/cubin/select.h"
#include "sim/code/kind/kind.h"
#include "sim/code/sass/instruction.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/model/arch/loader.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

/// Code for one GPU of a generation runs on those with the same or a higher minor number (CUDA Programming Guide,
/// binary compatibility).
bool runs_on(unsigned code_sm, unsigned gpu_sm) {
  return code_sm / 10 == gpu_sm / 10 && code_sm <= gpu_sm;
}

unsigned sm_of_gpu(const std::string& compute_capability) {
  const std::optional<std::string> target = compile::target_of(compute_capability);
  const std::string digits = target ? target->substr(3, target->find_first_not_of("0123456789", 3) - 3) : "";
  return static_cast<unsigned>(parse_unsigned(digits).value_or(0));
}

/// "a100, h100": the architectures that came along and whose machine code is read.
std::string readable_gpus() {
  std::string names;
  const std::vector<fs::path> folders = cli::search_folders(cli::architecture_files());
  for (const fs::path& file : cli::known_files(cli::architecture_files())) {
    try {
      if (sass::generation_of(sm_of_gpu(arch::compute_capability_of(file, folders)))) {
        names += (names.empty() ? "" : ", ") + file.stem().string();
      }
    } catch (const InputError&) {
      continue;  // nothing to advise: the file does not load
    }
  }
  return names;
}

/// A compiler's work would be for nothing, and its own message says less.
void require_readable(const fs::path& source, const TargetGpu& gpu) {
  if (!sass::generation_of(sm_of_gpu(gpu.compute_capability))) {
    throw InputError(
        {{source.string(), 0, 0},
         gpu.name + " has compute capability " + gpu.compute_capability + ", whose machine code gpusim does not read",
         "choose one of " + readable_gpus()});
  }
}

/// The text of a file that is small enough to be written by a person; "" for every other.
std::string text_of(const fs::path& path) {
  constexpr std::uintmax_t kMost = 16U << 20U;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMost || error) {
    return {};
  }
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Takes over what PTX says of parameters, unless their types are known from a C++ name.
void take_ptx(const fs::path& path, FoundKernel& kernel) {
  const auto is_known = [](const launch::Parameter& parameter) {
    return parameter.type.kind != launch::ParameterType::Kind::kUnknown;
  };
  if (path.extension() != ".ptx" || std::ranges::any_of(kernel.signature.parameters, is_known)) {
    return;
  }
  if (const auto named = launch::parameters_of_ptx(text_of(path), kernel.function->name)) {
    static_cast<void>(launch::take_names(kernel.signature, *named, path.string()));
  }
}

}  // namespace

KernelFile::KernelFile(fs::path path, std::optional<TargetGpu> gpu, const std::vector<std::string>& compiler_flags,
                       const cli::Announce& announce)
    : path_(std::move(path)), gpu_(std::move(gpu)) {
  gpu_sm_ = gpu_ ? sm_of_gpu(gpu_->compute_capability) : 0;
  if (code::is_source(path_) && fs::exists(path_)) {
    if (gpu_) {
      require_readable(path_, *gpu_);
    }
    const std::string target = compile::target_of(gpu_ ? gpu_->compute_capability : "9.0").value_or("sm_90a");
    try {
      compiled_ = compile::compile({path_, target, compiler_flags}, compile::Places::of_machine(), announce);
    } catch (const compile::CompilerEnded&) {
      cli::throw_if_interrupted();
      throw;
    }
    return;
  }
  cli::require_compiled(path_);
  if (!compiler_flags.empty()) {
    throw UsageError("--compiler-flag is for source code, and '" + path_.string() + "' is compiled");
  }
}

void KernelFile::scan(const std::function<void(const cubin::Image& image)>& take) const {
  if (compiled_.empty()) {
    static_cast<void>(cubin::for_each_image(path_, 0, take));
  } else {
    static_cast<void>(cubin::for_each_image_in(compiled_, path_.string(), 0, take));
  }
}

/// Names the parameters. They come from what Triton keeps beside the cubin, or else from the source that is compiled,
/// or from that of the lines, when it is there.
void KernelFile::take_names(const cubin::Image& image, FoundKernel& kernel) const {
  const std::string name = cubin::short_name(kernel.function->name);
  if (image.triton) {
    const fs::path ttir = fs::path(image.name).replace_extension(".ttir");
    if (const auto named = launch::parameters_of_ttir(text_of(ttir))) {
      static_cast<void>(launch::take_names(kernel.signature, *named, ttir.string()));
    } else {
      take_ptx(fs::path(image.name).replace_extension(".ptx"), kernel);
    }
    return;
  }
  std::vector<fs::path> sources;
  if (!compiled_.empty()) {
    take_ptx(path_, kernel);
    sources.push_back(path_);
  }
  if (image.first_line != 0) {
    sources.push_back(fs::path(path_).replace_extension(".cu"));
  }
  for (const std::string& file : kernel.module->files) {
    sources.insert(sources.end(), {path_.parent_path() / fs::path(file).filename(), fs::path(file)});
  }
  for (const fs::path& source : sources) {
    const auto named = launch::parameters_of_source(text_of(source), name);
    if (named && launch::take_names(kernel.signature, *named, source.string())) {
      return;
    }
  }
}

KernelFile::Candidates KernelFile::look_for(const std::string& kernel) {
  Candidates all;
  cubin::Search search(kernel);
  scan([&](const cubin::Image& image) {
    auto module = std::make_shared<const cubin::Module>(cubin::read_image(image));
    if (const auto known = modules_.find(image.name); known != modules_.end()) {
      module = known->second;
    }
    for (const cubin::Function* const function : search.in(*module)) {
      if (!function->is_kernel) {
        continue;
      }
      if (gpu_sm_ != 0 && !runs_on(module->sm, gpu_sm_)) {
        all.other_sms.push_back(module->sm);
        continue;
      }
      const cubin::TritonLaunch* const triton = image.triton ? &*image.triton : nullptr;
      FoundKernel one{module, function, launch::signature_of(*function, image.name, triton)};
      take_names(image, one);
      all.kernels.push_back(std::move(one));
    }
  });
  if (all.kernels.empty() && all.other_sms.empty()) {
    search.require_found(path_.string());
  }
  // If a file has one kernel for several GPUs, the newest code is taken.
  const auto sm = [](const FoundKernel& one) { return one.module->sm; };
  if (!all.kernels.empty()) {
    const unsigned newest = sm(*std::ranges::max_element(all.kernels, {}, sm));
    std::erase_if(all.kernels, [&](const FoundKernel& one) { return sm(one) != newest; });
  }
  return all;
}

void KernelFile::fail_not_for_gpu(const std::string& kernel, const std::vector<unsigned>& sms) const {
  std::string list;
  for (const unsigned sm : std::set<unsigned>(sms.begin(), sms.end())) {
    list += (list.empty() ? "sm_" : ", sm_") + std::to_string(sm);
  }
  throw InputError({{path_.string(), 0, 0},
                    (kernel.empty() ? "has code" : "has kernel '" + kernel + "'") + " for " + list + ", which " +
                        gpu_->name + " (compute capability " + gpu_->compute_capability + ") cannot run",
                    "compile it for that GPU: nvcc -cubin -lineinfo -arch=" +
                        compile::target_of(gpu_->compute_capability).value_or("sm_90a")});
}

void KernelFile::fail_ambiguous(const std::string& kernel, const std::vector<FoundKernel>& kernels) const {
  constexpr std::size_t kMostShown = 12;
  std::set<std::string> files;
  std::set<std::string> names;
  for (const FoundKernel& one : kernels) {
    files.insert(cubin::place_in(path_, one.signature.file));
    names.insert(cubin::demangled(one.function->name));
  }
  const bool by_file = files.size() > 1;
  std::string list;
  std::size_t shown = 0;
  for (const std::string& one : by_file ? files : names) {
    list += ++shown > kMostShown ? "" : (list.empty() ? "" : ", ") + (by_file ? one : "'" + one + "'");
  }
  const std::string problem = kernel.empty() ? "has " + std::to_string(kernels.size()) + " kernels"
                                             : "has " + std::to_string(kernels.size()) + " kernels '" + kernel + "'";
  throw InputError({{path_.string(), 0, 0},
                    problem,
                    (by_file ? "name one, such as '" + (path_ / *files.begin()).string() + "': "
                             : "say which, as " + path_.string() + ":NAME: ") +
                        list + (shown > kMostShown ? ", ..." : "")});
}

const FoundKernel& KernelFile::find(const std::string& kernel) {
  if (const auto known = found_.find(kernel); known != found_.end()) {
    return known->second;
  }
  Candidates all = look_for(kernel);
  if (all.kernels.empty() && !all.other_sms.empty()) {
    fail_not_for_gpu(kernel, all.other_sms);
  }
  if (all.kernels.size() != 1) {
    if (all.kernels.empty()) {
      throw InputError({{path_.string(), 0, 0}, "has no kernel '" + kernel + "'", "that is a function kernels call"});
    }
    fail_ambiguous(kernel, all.kernels);
  }
  FoundKernel& one = all.kernels.front();
  modules_.emplace(one.module->name, one.module);
  return found_.emplace(kernel, std::move(one)).first->second;
}

}  // namespace gpusim::commands
