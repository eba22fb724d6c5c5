// SPDX-License-Identifier: MIT
#include "sim/commands/cli/load_trace.h"

#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/code/kind/kind.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/input/accelsim/accelsim.h"
#include "sim/input/container/reader.h"
#include "sim/input/sass/listing.h"
#include "sim/input/text/load.h"

namespace gpusim::cli {
namespace {

constexpr std::size_t kEnoughForRecordings = 256;
constexpr std::size_t kEnoughForListings = 64U << 10U;  // what says so may stand behind other sections

/// The first bytes of the file, enough to tell formats apart.
std::string beginning(const std::filesystem::path& path, std::size_t enough) {
  std::string bytes(enough, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

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

/// A file that its name says is something else, and whose text does not begin as a trace does.
void refuse_by_extension(const std::filesystem::path& path) {
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
    if (extension == other.extension &&
        beginning(path, kEnoughForRecordings).find("gpusim trace") == std::string::npos) {
      throw InputError({{path.string(), 0, 0}, other.what, other.hint});
    }
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

bool is_accelsim(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".g" || extension == ".traceg" || extension == ".tracez" || extension == ".xz") {
    return true;
  }
  // The magic of xz; the first words of a kernel's header, of a list with copies, and of a list of kernels.
  using namespace std::string_view_literals;
  const std::string start = beginning(path, kEnoughForRecordings);
  for (const std::string_view magic : {"\xfd"
                                       "7zXZ\0"sv,
                                       "-kernel name"sv, "MemcpyHtoD"sv, "kernel-"sv}) {
    if (start.starts_with(magic)) {
      return true;
    }
  }
  return false;
}

bool is_machine_code(const std::filesystem::path& path) {
  const std::string start = beginning(path, kEnoughForRecordings);
  return code::is_compiled(start) || start.starts_with("!<arch>");
}

bool is_listing(const std::filesystem::path& path) {
  return frontend::sass::is_listing(beginning(path, kEnoughForListings));
}

bool is_compiled(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return has_cubins(path);
  }
  return std::filesystem::is_regular_file(path, error) && (code::is_source(path) || is_machine_code(path));
}

void refuse_compiled(const std::filesystem::path& path) {
  refuse_source(path);
  if (code::is_compiled(beginning(path, kEnoughForRecordings))) {
    throw InputError({{path.string(), 0, 0},
                      "is compiled code, not a trace",
                      "'gpusim trace import " + path.string() +
                          " --list' shows its kernels; simulate one with its launch: gpusim --arch h100 --trace " +
                          path.string() + ":KERNEL --grid ... --block ... --arg ...; or make a trace of both: gpusim " +
                          "trace import " + path.string() + ":KERNEL --launch FILE -o kernel.gtrace"});
  }
  if (!is_listing(path)) {
    refuse_by_extension(path);
  }
}

void require_compiled(const std::filesystem::path& path) {
  if (std::error_code error; !std::filesystem::exists(path, error)) {
    refuse_bad_link(path.string());
    const std::string other = other_kind_hint(path.string(), nullptr);
    throw InputError({{path.string(), 0, 0}, "no such file", other.empty() ? near_file_hint(path) : other});
  }
  require_file(path);
  if (std::filesystem::is_directory(path)) {
    return;
  }
  refuse_source(path);
  if (std::filesystem::is_empty(path)) {
    throw InputError({{path.string(), 0, 0}, "is empty", ""});
  }
  if (!is_machine_code(path)) {
    refuse_by_extension(path);
    throw InputError({{path.string(), 0, 0},
                      "is not compiled code",
                      "expected a cubin, a fatbin, a program or library with kernels, or a folder with cubins"});
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

trace::Trace load_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  require_file(path);
  const bool is_container = container::is_container(path);
  if (!is_container && !is_accelsim(path)) {
    refuse_compiled(path);
    if (is_listing(path)) {
      throw InputError({{path.string(), 0, 0},
                        "is a listing of SASS, not yet a trace",
                        "make one of it: gpusim trace import " + path.string() + " -o kernel.trace"});
    }
    return frontend::load_trace_text(path, choice);
  }
  if (!choice.overrides.empty() || !choice.words.empty()) {
    const std::string name = choice.words.empty() ? choice.overrides.front().first : choice.words.front().first;
    throw InputError(
        {{"--param " + name, 0, 0}, "'" + path.string() + "' is a recorded trace, which has no parameters", ""});
  }
  return is_container
             ? container::load(path)
             : frontend::accelsim::load_accelsim(path, [](std::uint64_t, std::uint64_t) { throw_if_interrupted(); });
}

}  // namespace gpusim::cli
