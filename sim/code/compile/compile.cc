// SPDX-License-Identifier: MIT
#include "sim/code/compile/compile.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include <unistd.h>

#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"
#include "sim/base/text.h"
#include "sim/code/compile/process.h"

namespace gpusim::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWheel =
    "'pip install nvidia-cuda-nvcc' brings it; no GPU and no driver is needed. Or compile elsewhere and give the "
    ".cubin";

[[noreturn]] void fail(const std::string& file, const std::string& message, const std::string& hint = "") {
  throw InputError({{file, 0, 0}, message, hint});
}

void add_variable(const char* name, std::string_view below, std::vector<fs::path>& folders) {
  if (const char* const value = std::getenv(name); value != nullptr && *value != '\0') {
    folders.push_back(fs::path(value) / below);
  }
}

/// The folders of a Python's wheels that have compilers: python3.11/site-packages/nvidia/cu13/bin and its like.
void add_wheels(const fs::path& library, std::vector<fs::path>& folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& python : fs::directory_iterator(library, error)) {
    if (!python.path().filename().string().starts_with("python3")) {
      continue;
    }
    for (const char* const packages : {"site-packages", "dist-packages"}) {
      for (const char* const wheel : {"nvidia/cu13/bin", "nvidia/cuda_nvcc/bin", "triton/backends/nvidia/bin"}) {
        found.push_back(python.path() / packages / wheel);
      }
    }
  }
  std::sort(found.begin(), found.end());
  folders.insert(folders.end(), found.begin(), found.end());
}

std::optional<fs::path> find(const Places& places, const std::string& name) {
  for (const fs::path& folder : places.folders) {
    std::error_code error;
    const fs::path path = folder / name;
    if (fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0) {
      return path;
    }
  }
  return std::nullopt;
}

/// nvcc hands names on to a shell, which would take some of them apart, or run what stands in them.
void require_plain(const fs::path& path) {
  const std::string text = path.string();
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./+=@,%").find(c) != std::string_view::npos;
  };
  if (!std::ranges::all_of(text, is_plain)) {
    fail(without_controls(text), "has a name that compilers cannot be given",
         "use letters, digits and '_', '-', '.', '/', '+', '=', '@', ',' and '%' in the names of the file and its "
         "folders");
  }
}

std::string shown(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    text += (text.empty() ? "" : " ") + without_controls(word);
  }
  return text;
}

/// What a compiler said, as far as a person reads it.
std::string said(const std::string& output) {
  constexpr std::size_t kMost = 4000;
  std::string text = clipped(output, kMost);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.pop_back();
  }
  for (char& c : text) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
    c = is_control ? '?' : c;
  }
  return text.empty() ? "it printed nothing" : text;
}

/// The signal behind an exit code: the shell that nvcc starts its parts with adds as much. 0: there is none.
int signal_of(int code) {
  constexpr int kMostSignals = 64;
  return code > kSignalled && code <= kSignalled + kMostSignals ? code - kSignalled : 0;
}

/// How a program ended that did not do its work.
std::string end_text(const std::string& name, int code) {
  switch (signal_of(code)) {
    case 0: return name + " failed with exit code " + std::to_string(code);
    case SIGKILL: return name + " was killed, as by a limit of time, or where the machine has too little memory";
    case SIGXCPU: return name + " was ended: it reached a limit of processor time";
    case SIGXFSZ: return name + " was ended: it reached a limit on the size of a file";
    case SIGABRT: return name + " gave up, as it does when it gets no more memory";
    case SIGSEGV:
    case SIGBUS: return name + " crashed";
    default: return name + " was ended by signal " + std::to_string(signal_of(code));
  }
}

class Compilation {
 public:
  Compilation(const Request& request, const Places& places, const std::function<void(const std::string&)>& announce)
      : request_(request), places_(places), announce_(announce) {
    require_plain(request.source);
    require_plain(folder_.path());
    // A name that begins like an option stays a name.
    source_ = request.source.string();
    if (source_.starts_with('-')) {
      source_.insert(0, "./");
    }
  }

  std::string run() {
    const fs::path cubin = folder_.path() / "kernel.cubin";
    if (request_.source.extension() == ".ptx") {
      assemble(require("ptxas", "ptxas, which makes machine code of PTX,"), source_, cubin);
    } else if (const std::optional<fs::path> nvcc = find(places_, "nvcc")) {
      std::vector<std::string> command{nvcc->string(), "-cubin", "-lineinfo", "-arch=" + request_.target};
      command.insert(command.end(), request_.flags.begin(), request_.flags.end());
      command.insert(command.end(), {source_, "-o", cubin.string()});
      execute(command);
    } else {
      compile_with_clang(cubin);
    }
    return contents(cubin);
  }

 private:
  [[nodiscard]] fs::path require(const std::string& name, const std::string& what) const {
    const std::optional<fs::path> path = find(places_, name);
    if (!path) {
      fail(request_.source.string(), "needs " + what + " and it is not on this machine", std::string(kWheel));
    }
    return *path;
  }

  /// clang makes PTX, which later GPUs take too; only the assembler has to know the GPU.
  void compile_with_clang(const fs::path& cubin) {
    const std::optional<fs::path> clang = find(places_, "clang++");
    const std::optional<fs::path> ptxas = find(places_, "ptxas");
    if (!clang || !ptxas) {
      fail(request_.source.string(), "has to be compiled, and there is no nvcc on this machine, nor clang++ with ptxas",
           std::string(kWheel));
    }
    const fs::path ptx = folder_.path() / "kernel.ptx";
    const fs::path toolkit = ptxas->parent_path().parent_path();
    const std::string architecture = request_.target < "sm_80" ? request_.target : "sm_80";
    std::vector<std::string> command{clang->string(),
                                     "-x",
                                     "cuda",
                                     "--cuda-device-only",
                                     "--cuda-gpu-arch=" + architecture,
                                     "--cuda-path=" + toolkit.string(),
                                     "-O3",
                                     "-gline-tables-only",
                                     "-S"};
    command.insert(command.end(), request_.flags.begin(), request_.flags.end());
    command.insert(command.end(), {source_, "-o", ptx.string()});
    execute(command);
    assemble(*ptxas, ptx.string(), cubin);
  }

  void assemble(const fs::path& ptxas, const std::string& ptx, const fs::path& cubin) {
    execute({ptxas.string(), "-lineinfo", "-arch=" + request_.target, ptx, "-o", cubin.string()});
  }

  void execute(const std::vector<std::string>& command) {
    announce_(shown(command));
    const Ended ended = run_program(command, folder_.path());
    if (ended.code != 0) {
      const std::string name = fs::path(command.front()).filename().string();
      // The compiler's words are a text of their own, of several lines.
      std::vector<Problem> problems{{{request_.source.string(), 0, 0}, end_text(name, ended.code), "it said:"},
                                    {{}, said(ended.output), ""}};
      if (const int signal = signal_of(ended.code); signal != 0) {
        throw CompilerEnded(std::move(problems), signal);
      }
      throw InputError(std::move(problems));
    }
  }

  [[nodiscard]] std::string contents(const fs::path& cubin) const {
    std::ifstream in(cubin, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (bytes.empty()) {
      fail(request_.source.string(), "was compiled, but no machine code came out");
    }
    return bytes;
  }

  const Request& request_;
  const Places& places_;
  const std::function<void(const std::string&)>& announce_;
  TemporaryFolder folder_;
  std::string source_;
};

}  // namespace

std::optional<std::string> target_of(std::string_view compute_capability) {
  const std::size_t dot = compute_capability.find('.');
  const std::string digits = dot == compute_capability.npos ? std::string()
                                                            : std::string(compute_capability.substr(0, dot)) +
                                                                  std::string(compute_capability.substr(dot + 1));
  if (!parse_unsigned(digits) || digits.size() < 2) {
    return std::nullopt;
  }
  return "sm_" + digits + (digits == "90" ? "a" : "");
}

Places Places::of_machine() {
  Places places;
  std::string_view path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    // An empty entry would mean the folder one happens to be in.
    if (folder.starts_with('/')) {
      places.folders.emplace_back(folder);
    }
    path.remove_prefix(std::min(folder.size() + 1, path.size()));
  }
  add_variable("CUDA_HOME", "bin", places.folders);
  add_variable("CUDA_PATH", "bin", places.folders);
  places.folders.emplace_back("/usr/local/cuda/bin");
  std::vector<fs::path> libraries;
  add_variable("VIRTUAL_ENV", "lib", libraries);
  add_variable("HOME", ".local/lib", libraries);
  libraries.emplace_back("/usr/local/lib");
  for (const fs::path& library : libraries) {
    add_wheels(library, places.folders);
  }
  return places;
}

bool can_compile(const Places& places) {
  return find(places, "nvcc") || (find(places, "clang++") && find(places, "ptxas"));
}

std::string compile(const Request& request, const Places& places,
                    const std::function<void(const std::string& command)>& announce) {
  std::error_code error;
  if (!fs::is_regular_file(request.source, error)) {
    fail(request.source.string(), "no such file");
  }
  return Compilation(request, places, announce).run();
}

}  // namespace gpusim::compile
