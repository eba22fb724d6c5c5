// SPDX-License-Identifier: MIT
#include "sim/input/container/writer.h"

#include <algorithm>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/input/container/columns.h"
#include "sim/input/container/file.h"
#include "sim/input/container/form.pb.h"
#include "sim/input/container/kernel_form.h"
#include "sim/input/container/recording_form.h"
#include "sim/model/trace/replay.h"
#include "sim/model/trace/trace.h"

namespace gpusim::container {
namespace {

/// What a kernel's vocabulary may grow to: a reader has all of it in memory.
constexpr std::size_t kMostShared = 8 << 20;
/// CTAs are written in groups of about so much, which a reader decodes together.
constexpr std::size_t kGroupBytes = 1 << 20;
/// What a CTA's part of a group may take in memory. A number of eight bytes takes ten in a message when it is large, so
/// that a section of the greatest size holds this much.
constexpr std::size_t kMostOfCta = kMostSectionBytes / 5 * 4;

std::string encode_head(const trace::Trace& trace) {
  form::Head head;
  head.set_origin(std::string(trace_origin_text(trace.origin)));
  head.set_title(trace.title);
  for (const std::string& warning : trace.warnings) {
    append_line(*head.mutable_warnings(), warning);
  }
  for (const trace::HostCopy& copy : trace.copies) {
    head.add_copy_to(copy.to);
    head.add_copy_bytes(copy.bytes);
    head.add_copy_launch(copy.launch);
  }
  return head.SerializeAsString();
}

}  // namespace

/// The file that is written to, and the index of what is in it.
class Writer::Output {
 public:
  explicit Output(const std::filesystem::path& path) : file_(path) { file_.write(start_of_file()); }

  void add(std::string_view message) {
    const Section section = write(message);
    index.mutable_sections()->add_stored(section.stored);
    index.mutable_sections()->add_bytes(section.bytes);
    index.mutable_sections()->add_checksums(section.checksum);
  }

  void add_code(std::string_view message) {
    code_bytes_ += message.size();
    if (code_bytes_ > kMostCodeBytes) {
      fail(file_.path().string(),
           "the code of the kernels takes more than " + std::to_string(kMostCodeBytes >> 20U) + " MiB",
           "import fewer of them at once");
    }
    add(message);
  }

  void commit() {
    index.set_version(kVersion);
    const Section section = write(index.SerializeAsString());
    file_.write(end_of_file(section));
    file_.commit();
  }

  form::Index index;

 private:
  Section write(std::string_view message) {
    Section section;
    file_.write(pack(message, file_.path().string(), section));
    return section;
  }

  OutputFile file_;
  std::uint64_t code_bytes_ = 0;
};

/// What the warps of one kernel do, written in groups of CTAs as it comes.
class Writer::KernelRecorder final : public trace::WarpSink {
 public:
  KernelRecorder(const trace::Kernel& kernel, Output& out)
      : kernel_(kernel),
        out_(out),
        frame_{static_cast<std::uint32_t>(kernel.code.size()), kernel.warps_per_cta(), kernel.grid},
        builder_(kernel.code, kernel.grid, kernel.warps_per_cta(), kMostShared) {}

  void begin_warp(std::uint64_t cta, std::uint32_t warp) override {
    if (cta != cta_) {
      if (builder_.pending_bytes() >= kGroupBytes) {
        write_group(cta);
      }
      cta_ = cta;
    }
    builder_.begin_warp(cta, warp);
  }
  void step(std::uint32_t pc, LaneMask active, LaneMask mask) override {
    // A single warp may go on for as long as the text that it is read from.
    constexpr std::uint64_t kStepsBetween = 1 << 14;
    if (++steps_ % kStepsBetween == 0) {
      check_size();
    }
    builder_.step(pc, active, mask);
  }
  void access(trace::AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask) override {
    builder_.access(slot, addresses, mask);
  }
  void command(const trace::AsyncOperands& operands, std::uint32_t rank) override { builder_.command(operands, rank); }
  void end_warp() override {
    builder_.end_warp();
    check_size();
  }

  void finish() {
    write_group(kernel_.ctas());
    out_.index.add_kernel_groups(groups_);
    const trace::Vocabulary vocabulary = builder_.take_vocabulary();
    out_.index.add_kernel_patterns(static_cast<std::uint32_t>(std::ranges::count_if(
        vocabulary.pattern_ids, [](std::uint32_t id) { return id != trace::LaneAddresses::kNoPattern; })));
    out_.add(encode_vocabulary(vocabulary));
    out_.add_code(encode_kernel(kernel_, builder_.take_boxes()));
  }

 private:
  void check_size() const {
    if (builder_.pending_bytes() > kMostOfCta) {
      fail(kernel_.where.file,
           "CTA " + std::to_string(cta_) + " of kernel '" + kernel_.name + "' takes more than the " +
               std::to_string(kMostOfCta >> 20U) + " MiB that a container holds of one",
           "it can be simulated as it is; to be kept, it needs a launch with less work a CTA");
    }
  }

  void write_group(std::uint64_t end) {
    const trace::RecordedCtas ctas = builder_.take(end);
    out_.add(encode_ctas(ctas, frame_));
    out_.index.add_group_ctas(ctas.count);
    ++groups_;
  }

  const trace::Kernel& kernel_;
  Output& out_;
  RecordingFrame frame_;
  trace::RecordingBuilder builder_;
  std::uint64_t cta_ = 0;
  std::uint64_t groups_ = 0;
  std::uint64_t steps_ = 0;
};

Writer::Writer(const std::filesystem::path& path) : out_(std::make_unique<Output>(path)) {}

Writer::~Writer() = default;

trace::WarpSink& Writer::begin_kernel(const trace::Kernel& kernel) {
  if (kernel.window) {
    throw InputError(
        Problem{kernel.where,
                "kernel '" + kernel.name + "' has an access policy window of L2, for which a container has no column",
                "the trace can be simulated as it is"});
  }
  kernel_ = std::make_unique<KernelRecorder>(kernel, *out_);
  return *kernel_;
}

std::uint32_t Writer::end_kernel() {
  const auto number = static_cast<std::uint32_t>(out_->index.kernel_groups_size());
  kernel_->finish();
  kernel_.reset();
  launch_again(number);
  return number;
}

void Writer::launch_again(std::uint32_t number) {
  out_->index.add_launches(number);
}

void Writer::finish(const trace::Trace& trace) {
  out_->add(encode_head(trace));
  out_->commit();
}

void write(const trace::Trace& trace, const std::filesystem::path& path) {
  Writer writer(path);
  for (const trace::Kernel& kernel : trace.kernels) {
    trace::replay(kernel, writer.begin_kernel(kernel));
    writer.end_kernel();
  }
  writer.finish(trace);
}

}  // namespace gpusim::container
