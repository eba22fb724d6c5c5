// SPDX-License-Identifier: MIT
#include "sim/input/container/reader.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/address_space.h"
#include "sim/input/container/columns.h"
#include "sim/input/container/file.h"
#include "sim/input/container/form.pb.h"
#include "sim/input/container/group_source.h"
#include "sim/input/container/kernel_form.h"
#include "sim/input/container/recording_form.h"
#include "sim/model/trace/behaviour.h"

namespace gpusim::container {
namespace {

constexpr int kMostLaunches = 1 << 16;  // as many as an import keeps

class Loader {
 public:
  explicit Loader(const std::filesystem::path& path) : file_(std::make_shared<File>(path)) {}

  trace::Trace load() {
    read_index();
    read_sections();
    check_sections();
    read_head();
    read_kernels();
    return std::move(trace_);
  }

 private:
  const std::string& name() const { return file_->name(); }
  void check(bool holds, const char* what) const { require(holds, name(), what); }
  [[nodiscard]] bool has_commands() const { return file_->version() >= kCommandsVersion; }

  template <class Message>
  void parse(const std::string& bytes, Message& message, const char* what) const {
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      fail_damaged(name(), std::string(what) + " cannot be read");
    }
  }

  std::string content(std::size_t section) const {
    const PlacedSection& at = sections_[section];
    return unpack(file_->read(at.offset, at.section.stored), at.section, name());
  }

  void read_index() {
    const Section section = file_->index();
    end_ = file_->size() - kEndBytes - section.stored;
    parse(unpack(file_->read(end_, section.stored), section, name()), index_, "its index");
    check(index_.version() == (has_commands() ? file_->version() : 0), "the versions of its beginning and its end");
  }

  /// The sections fill the file from its start to its index.
  void read_sections() {
    constexpr const char* kWhat = "the sizes of sections";
    const form::Sections& in = index_.sections();
    check(in.bytes_size() == in.stored_size() && in.checksums_size() == in.stored_size(), kWhat);
    std::uint64_t offset = kStartBytes;
    for (int i = 0; i < in.stored_size(); ++i) {
      const Section section{in.stored(i), in.bytes(i), in.checksums(i)};
      check(section.stored <= kMostStoredBytes && section.stored <= end_ - offset && section.bytes <= kMostSectionBytes,
            kWhat);
      sections_.push_back({offset, section});
      offset += section.stored;
    }
    check(offset == end_ && !sections_.empty(), kWhat);
  }

  void check_sections() const {
    for (const PlacedSection& at : sections_) {
      if (checksum_of(file_->read(at.offset, at.section.stored)) != at.section.checksum) {
        fail_damaged(name(), "the bytes from " + std::to_string(at.offset) + " on are not those that were written");
      }
    }
  }

  void read_head() {
    constexpr const char* kWhat = "copies from the host";
    form::Head head;
    parse(content(sections_.size() - 1), head, "its head");
    trace_.path = name();
    const auto origin = std::ranges::find(kTraceOrigins, head.origin());
    check(origin != kTraceOrigins.end(), "the words of its origin");
    trace_.origin = static_cast<TraceOrigin>(origin - kTraceOrigins.begin());
    trace_.title = head.title();
    trace_.warnings = split_lines(head.warnings());
    check(head.copy_bytes_size() == head.copy_to_size() && head.copy_launch_size() == head.copy_to_size(), kWhat);
    for (int i = 0; i < head.copy_to_size(); ++i) {
      check(head.copy_launch(i) <= static_cast<std::uint64_t>(index_.launches_size()), kWhat);
      check(fits_global(head.copy_to(i), head.copy_bytes(i)), kWhat);
      trace_.copies.push_back({head.copy_to(i), head.copy_bytes(i), head.copy_launch(i)});
    }
  }

  /// Before any of it is decoded.
  void check_code_size() const {
    std::uint64_t bytes = 0;
    std::uint64_t section = 0;
    for (const std::uint64_t groups : index_.kernel_groups()) {
      check(groups < sections_.size() && groups + 2 < sections_.size() - section, "the kernels of the index");
      section += groups + 2;
      bytes += sections_[section - 1].section.bytes;
    }
    if (bytes > kMostCodeBytes) {
      fail(name(), "the code of its kernels takes " + std::to_string(bytes >> 20U) + " MiB",
           "at most " + std::to_string(kMostCodeBytes >> 20U) + " MiB");
    }
  }

  void read_kernels() {
    constexpr const char* kWhat = "the kernels of the index";
    check_code_size();
    check(index_.launches_size() > 0 && index_.launches_size() <= kMostLaunches, kWhat);
    trace::Launches::Shared kernels;
    check(index_.kernel_patterns_size() == index_.kernel_groups_size(), kWhat);
    for (int i = 0; i < index_.kernel_groups_size(); ++i) {
      const std::uint64_t groups = index_.kernel_groups(i);
      check(groups <= static_cast<std::uint64_t>(index_.group_ctas_size()) - group_, kWhat);
      kernels.push_back(std::make_shared<const trace::Kernel>(read_kernel(groups, index_.kernel_patterns(i))));
    }
    check(group_ == static_cast<std::uint64_t>(index_.group_ctas_size()) && section_ + 1 == sections_.size(), kWhat);
    for (const std::uint32_t number : index_.launches()) {
      check(number < kernels.size(), kWhat);
      trace_.kernels.push_back(kernels[number]);
    }
  }

  /// Its groups, its vocabulary and its program come next in the file.
  trace::Kernel read_kernel(std::uint64_t groups, std::uint32_t patterns) {
    const std::size_t first = section_;
    section_ += groups + 2;
    const PlacedSection& vocabulary = sections_[section_ - 2];
    // A pattern takes some bytes: nobody takes memory for more of them than there can be.
    check(patterns <= vocabulary.section.bytes / kWarpLanes, "patterns of addresses");
    auto [kernel, boxes] = decode_kernel(content(section_ - 1), name());
    const trace::Commands commands = has_commands() ? trace::Commands::kRecorded : trace::Commands::kNotRecorded;
    trace::Recording recording{kernel.grid, trace::sites_of(kernel.code, commands), patterns, nullptr,
                               std::move(boxes)};
    const RecordingFrame frame{static_cast<std::uint32_t>(kernel.code.size()), kernel.warps_per_cta(), kernel.grid,
                               allowed_addresses(kernel, recording.sites)};
    KernelSections sections{frame, vocabulary, patterns, {}};
    std::uint64_t ctas = 0;
    for (std::uint64_t i = 0; i < groups; ++i) {
      const std::uint64_t count = index_.group_ctas(static_cast<int>(group_++));
      check(count != 0 && count <= kernel.ctas() - ctas, "CTAs of a group");
      sections.groups.push_back({ctas, count, sections_[first + i]});
      ctas += count;
    }
    check(ctas == kernel.ctas(), "CTAs of a kernel");
    recording.source = std::make_shared<const GroupSource>(file_, std::move(sections));
    kernel.behaviour = std::make_shared<const trace::Behaviour>(std::move(recording));
    return kernel;
  }

  std::shared_ptr<File> file_;
  form::Index index_;
  std::uint64_t end_ = 0;  ///< end of the sections
  std::vector<PlacedSection> sections_;
  std::size_t section_ = 0;  ///< the first that belongs to no kernel yet
  std::uint64_t group_ = 0;  ///< likewise
  trace::Trace trace_;
};

}  // namespace

trace::Trace load(const std::filesystem::path& path) {
  return Loader(path).load();
}

}  // namespace gpusim::container
