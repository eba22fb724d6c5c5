// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/export.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/input/accelsim/body_writer.h"
#include "sim/input/accelsim/extra_lines.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/program.h"
#include "sim/model/trace/replay.h"
#include "sim/model/trace/trace.h"

namespace gpusim::frontend::accelsim {
namespace {

namespace fs = std::filesystem;

/// Where generic addresses of shared and local memory begin in what is written: below where buffers are put.
constexpr Windows kWindows{0x7e0000000000, 0x7e0001000000};
constexpr std::uint32_t kUsualVersion = 80;  ///< where a trace does not know its compute capability
constexpr std::uint32_t kNewestOfAccelSim =
    86;  ///< it stops above that (reference: Accel-Sim's release of October 2024)
/// Opcodes that came with Hopper (CUDA Binary Utilities, the instruction set of Hopper).
constexpr std::array<std::string_view, 25> kHopperOpcodes{
    "ACQBULK", "BGMMA",       "CGAERRBAR",    "ELECT",      "ENDCOLLECTIVE", "HGMMA",        "IGMMA",
    "LDGMC",   "PREEXIT",     "QGMMA",        "STSM",       "SYNCS",         "UBLKCP",       "UBLKPF",
    "UBLKRED", "UCGABAR_ARV", "UCGABAR_WAIT", "USETMAXREG", "UTMACCTL",      "UTMACMDFLUSH", "UTMALDG",
    "UTMAPF",  "UTMAREDG",    "UTMASTG",      "WARPGROUP"};

std::string address(Address value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0x%016" PRIx64, value);
  return text.data();
}

std::string sides(const Dim3& dim) {
  return '(' + std::to_string(dim.x) + ',' + std::to_string(dim.y) + ',' + std::to_string(dim.z) + ')';
}

bool is_of_hopper(std::string_view opcode) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  return std::ranges::find(kHopperOpcodes, base) != kHopperOpcodes.end();
}

/// What Accel-Sim would stop at, or simulate as something else.
void refuse(const trace::Trace& trace) {
  ProblemList problems;
  for (const trace::Kernel& kernel : trace.kernels) {
    const auto problem = [&](std::size_t i, const char* what) {
      problems.add({{kernel.where.file, kernel.texts[i].line, 0},
                    "kernel '" + kernel.name + "': " + kernel.texts[i].text + ": Accel-Sim knows no " + what,
                    "leave out --for accel-sim to export for gpusim"});
    };
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
      const isa::Instr& instr = kernel.code[i];
      if (is_of_hopper(kernel.texts[i].opcode)) {
        problem(i, "opcodes of Hopper");
      } else if (instr.kind == isa::OpKind::kBarrier &&
                 (instr.barrier_id != 0 || instr.barrier_threads != 0 || !instr.barrier_waits)) {
        problem(i, "named barriers");
      }
    }
  }
  problems.throw_if_any();
}

bool is_of_a_recording(std::string_view name) {
  return name == "kernelslist.g" ||
         (name.starts_with("kernel-") && (name.ends_with(".traceg") || name.ends_with(".traceg.xz")));
}

/// The format has no place for clusters, and without them their barriers and accesses mean nothing.
void refuse_clusters(const trace::Trace& trace) {
  ProblemList problems;
  for (const trace::Kernel& kernel : trace.kernels) {
    const bool reaches_others = std::ranges::any_of(
        kernel.code, [](const isa::Instr& instr) { return instr.space == isa::MemSpace::kClusterShared; });
    if (kernel.ctas_per_cluster() > 1 || reaches_others) {
      problems.add({kernel.where,
                    "kernel '" + kernel.name + "' is launched in clusters, which Accel-Sim's format cannot say",
                    "export kernels without clusters, chosen by --kernel"});
    }
    if (kernel.window) {
      problems.add({kernel.where,
                    "kernel '" + kernel.name + "' has an access policy window, which Accel-Sim's format cannot say",
                    "export it without the line 'window'"});
    }
  }
  problems.throw_if_any();
}

/// Nor has it one for what an mbarrier or the TMA is asked.
void refuse_commands(const trace::Trace& trace) {
  ProblemList problems;
  for (const trace::Kernel& kernel : trace.kernels) {
    const trace::Program* const program = kernel.behaviour->program();
    const bool says_copies = program == nullptr || !program->asyncs.empty();
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
      const bool is_copy = kernel.code[i].kind == isa::OpKind::kTensorCopy;
      if (is_copy ? says_copies : trace::has_command(kernel.code[i]) && !kernel.mbarriers.empty()) {
        problems.add({{kernel.where.file, kernel.texts[i].line, 0},
                      "kernel '" + kernel.name + "': '" + kernel.texts[i].text + "' commands " +
                          (is_copy ? "the TMA" : "an mbarrier") + ", which an export cannot say",
                      "a container can: gpusim trace import; or export other kernels, chosen by --kernel"});
        break;
      }
    }
  }
  problems.throw_if_any();
}

/// What is there may be what is to be read, and a file that is left of an older export belongs to no list.
void refuse_recording_in(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (const std::string name = at->path().filename().string(); is_of_a_recording(name)) {
      throw InputError(Problem{{folder.string(), 0, 0},
                               "holds a recording already: '" + name + "'",
                               "name another folder, or remove that recording first"});
    }
  }
}

/// Makes a folder and those above it; takes away again which of them it made, unless there is something in them.
class MadeFolder {
 public:
  explicit MadeFolder(const fs::path& folder) {
    std::error_code error;
    for (fs::path at = fs::absolute(folder, error).lexically_normal(); !at.empty() && !fs::exists(at, error);
         at = at.parent_path()) {
      made_.push_back(at);
    }
    fs::create_directories(folder, error);  // that it is not there is said of the first file
  }
  ~MadeFolder() {
    for (const fs::path& folder : made_) {
      std::error_code not_empty;
      fs::remove(folder, not_empty);
    }
  }
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

 private:
  std::vector<fs::path> made_;  ///< the innermost first
};

class Exporter {
 public:
  Exporter(const trace::Trace& trace, fs::path folder, const ExportChoice& choice, const OnExported& on_exported)
      : trace_(trace), folder_(std::move(folder)), choice_(choice), on_exported_(on_exported) {}

  void run() {
    for (const trace::Kernel& kernel : trace_.kernels) {
      if (ctas_of(kernel) == 0) {
        throw InputError(Problem{kernel.where,
                                 "kernel '" + kernel.name + "' has no CTA " + std::to_string(choice_.first_cta),
                                 "it has " + std::to_string(kernel.ctas())});
      }
      total_ += ctas_of(kernel);
    }
    refuse_recording_in(folder_);
    made_.emplace(folder_);
    write();
  }

 private:
  void write() {
    std::string list;
    for (std::size_t i = 0; i < trace_.kernels.size(); ++i) {
      list += copies_before(i);
      const std::string name = "kernel-" + std::to_string(i + 1) + ".traceg";
      write_kernel(trace_.kernels[i], i + 1, open(name));
      list += name + '\n';
    }
    open("kernelslist.g").write(list + copies_before(trace_.kernels.size()));
    // The list comes last: whoever finds it finds all that it names.
    for (OutputFile& file : files_) {
      file.commit();
    }
  }

  /// A file of the folder, which appears when all do. The last one opened is the only one that is written.
  OutputFile& open(const std::string& name) {
    if (!files_.empty()) {
      files_.back().close();
    }
    return files_.emplace_back(folder_ / name);
  }

  std::string copies_before(std::uint64_t launch) const {
    std::string lines;
    for (const trace::HostCopy& copy : trace_.copies) {
      if (copy.launch == launch) {
        lines += "MemcpyHtoD," + address(copy.to) + ',' + std::to_string(copy.bytes) + '\n';
      }
    }
    return lines;
  }

  std::uint64_t ctas_of(const trace::Kernel& kernel) const {
    return std::min(choice_.ctas, kernel.ctas() - std::min(choice_.first_cta, kernel.ctas()));
  }

  Dim3 grid_of(const trace::Kernel& kernel) const {
    const std::uint64_t ctas = ctas_of(kernel);
    return ctas == kernel.ctas() ? kernel.grid : Dim3{static_cast<std::uint32_t>(ctas), 1, 1};
  }

  std::string header(const trace::Kernel& kernel, std::size_t number) const {
    const std::uint32_t version = kernel.binary_version == 0 ? kUsualVersion : kernel.binary_version;
    return "-kernel name = " + kernel.name + "\n-kernel id = " + std::to_string(number) +
           "\n-grid dim = " + sides(grid_of(kernel)) + "\n-block dim = " + sides(kernel.block) +
           "\n-shmem = " + std::to_string(kernel.shared_static_bytes + kernel.shared_dynamic_bytes) +
           "\n-nregs = " + std::to_string(kernel.registers_per_thread) + "\n-binary version = " +
           std::to_string(choice_.for_accelsim ? std::min(version, kNewestOfAccelSim) : version) +
           "\n-cuda stream id = " + std::to_string(kernel.stream) + "\n-shmem base_addr = " + address(kWindows.shared) +
           "\n-local mem base_addr = " + address(kWindows.local) +
           "\n-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n" + extra_lines(kernel) +
           "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
           "[adrrescompress?] [mem_addresses] immediate\n\n";
  }

  void write_kernel(const trace::Kernel& kernel, std::size_t number, OutputFile& file) {
    file.write(header(kernel, number));
    const BodyWriter::Copies copies =
        choice_.for_accelsim ? BodyWriter::Copies::kGlobalSide : BodyWriter::Copies::kBothSides;
    BodyWriter body(kernel, kWindows, choice_.first_cta, grid_of(kernel), copies, file.path().string(),
                    [&](std::string_view text) {
                      file.write(text);
                      ++done_;
                      if (on_exported_) {
                        on_exported_(done_, total_);
                      }
                    });
    trace::replay(kernel, body, choice_.first_cta, choice_.ctas);
  }

  const trace::Trace& trace_;
  fs::path folder_;
  const ExportChoice& choice_;
  const OnExported& on_exported_;
  std::optional<MadeFolder> made_;  // before the files, which go first
  std::vector<OutputFile> files_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

void export_accelsim(const trace::Trace& trace, const fs::path& folder, const ExportChoice& choice,
                     const OnExported& on_exported) {
  refuse_clusters(trace);
  refuse_commands(trace);
  if (choice.for_accelsim) {
    refuse(trace);
  }
  Exporter(trace, folder, choice, on_exported).run();
}

}  // namespace gpusim::frontend::accelsim
