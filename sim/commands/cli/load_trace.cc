// SPDX-License-Identifier: MIT
#include "sim/commands/cli/load_trace.h"

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/code/kind/kind.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/input/kind/kind.h"
#include "sim/input/kind/listing.h"
#include "sim/input/text/load.h"

namespace gpusim::cli {
namespace {

/// Without a reader of other forms every trace is read as text.
LoadOther load_other = [](const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  return frontend::load_trace_text(path, choice);
};

bool has_cubins(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".cubin") {
      return true;
    }
  }
  return false;
}

/// Source of kernels: a compiler makes of it what can be read.
void refuse_source(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  const std::string name = path.string();
  if (extension == ".cu") {
    throw InputError({{name, 0, 0},
                      "is source code",
                      "compile it, for which no GPU is needed: nvcc -cubin -lineinfo -arch=sm_90 " + name});
  }
  if (extension == ".ptx") {
    const std::string cubin = std::filesystem::path(path).replace_extension(".cubin").string();
    throw InputError({{name, 0, 0},
                      "is PTX, from which the assembler makes machine code",
                      "assemble it, for which no GPU is needed: ptxas -lineinfo -arch=sm_90 " + name + " -o " + cubin});
  }
}

}  // namespace

void require_file(const std::filesystem::path& path) {
  std::error_code error;
  if (const auto status = std::filesystem::status(path, error); std::filesystem::exists(status) &&
                                                                !std::filesystem::is_regular_file(status) &&
                                                                !std::filesystem::is_directory(status)) {
    throw InputError(
        {{path.string(), 0, 0}, "is a pipe or device, and a trace is read more than once", "write it to a file first"});
  }
}

bool is_machine_code(const std::filesystem::path& path) {
  const std::string start = frontend::beginning_of(path);
  return code::is_compiled(start) || start.starts_with("!<arch>");
}

bool is_compiled(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return has_cubins(path);
  }
  return std::filesystem::is_regular_file(path, error) && (code::is_source(path) || is_machine_code(path));
}

bool is_listing(const std::filesystem::path& path) {
  std::error_code error;  // a pipe would wait for whatever writes into it
  return std::filesystem::is_regular_file(path, error) && frontend::sass::is_listing_file(path);
}

void refuse_compiled(const std::filesystem::path& path) {
  refuse_source(path);
  if (code::is_compiled(frontend::beginning_of(path))) {
    throw InputError({{path.string(), 0, 0},
                      "is compiled code, not a trace",
                      "'gpusim trace import " + path.string() +
                          " --list' shows its kernels; simulate one with its launch: gpusim --arch h100 --trace " +
                          path.string() + ":KERNEL --grid ... --block ... --arg ...; or make a trace of both: gpusim " +
                          "trace import " + path.string() + ":KERNEL --launch FILE -o kernel.gtrace"});
  }
}

void refuse_misnamed(const std::filesystem::path& path) {
  struct Other {
    std::string_view extension;
    const char* what;
    const char* hint;
  };
  constexpr const char* kCompileAgain = "compile it again, for example with nvcc -cubin";
  static constexpr Other kOthers[]{
      {".py", "is a Python program, neither a trace nor compiled code", kRunPython},
      {".cubin", "holds no compiled code, although its name says so", kCompileAgain},
      {".fatbin", "holds no compiled code, although its name says so", kCompileAgain},
  };
  const std::string extension = path.extension().string();
  for (const Other& other : kOthers) {
    if (extension == other.extension && !frontend::is_trace_text(path)) {
      throw InputError({{path.string(), 0, 0}, other.what, other.hint});
    }
  }
}

void require_compiled(const std::filesystem::path& path) {
  if (std::error_code error; !std::filesystem::exists(path, error)) {
    refuse_absent(path.string());
  }
  require_file(path);
  if (std::filesystem::is_directory(path)) {
    return;
  }
  refuse_source(path);
  if (std::filesystem::is_empty(path)) {
    throw InputError({{path.string(), 0, 0}, "is empty", ""});
  }
  if (!is_machine_code(path) && !is_listing(path)) {
    refuse_misnamed(path);
    throw InputError({{path.string(), 0, 0},
                      "is not compiled code",
                      "expected a cubin, a fatbin, a program or library with kernels, a folder with cubins, or a "
                      "listing with encodings"});
  }
}

void log_warnings(const trace::Trace& trace) {
  static std::mutex mutex;
  static std::set<std::string> logged;
  const std::lock_guard lock(mutex);
  for (const std::string& warning : trace.warnings) {
    if (logged.insert(warning).second) {
      log_warning(warning);
    }
  }
}

void load_others_with(LoadOther load) {
  load_other = load;
}

trace::Trace load_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  require_file(path);
  if (frontend::is_trace_text(path)) {
    return frontend::load_trace_text(path, choice);
  }
  refuse_compiled(path);
  return load_other(path, choice);
}

}  // namespace gpusim::cli
