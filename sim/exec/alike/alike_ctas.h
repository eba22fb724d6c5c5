// SPDX-License-Identifier: MIT
// The CTAs of a kernel that need not be executed, because a CTA that has been recorded stands for them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sim/exec/alike/warp_slopes.h"

namespace gpusim::trace {
struct CtaId;
}  // namespace gpusim::trace

namespace gpusim::exec {

struct CtaRecord;
class GlobalMemory;
struct Image;
class PatternTable;

/// Any thread may ask. Which CTAs are recorded depends on the order in which threads ask, and no result depends on
/// that.
class AlikeCtas {
 public:
  /// Both must outlive it.
  AlikeCtas(const Image& image, PatternTable& patterns);

  /// A record that stands for the CTA, perhaps made of it; null where the CTA has to be executed. `memory`: has the
  /// kernel's buffers, at the same addresses in each call.
  [[nodiscard]] std::shared_ptr<const CtaRecord> record_for(trace::CtaId cta, GlobalMemory& memory);

  /// Gives back the memory of the records; a CTA that replays one keeps it.
  void forget();

 private:
  static constexpr std::size_t kMostRecords = 64;
  /// Steps of all records, which take 24 bytes each, and some 48 more where they access memory.
  static constexpr std::uint64_t kMostSteps = 1U << 21;
  /// Recording costs some executions. It goes on while each record has stood for so many other CTAs on average.
  static constexpr std::uint64_t kWorthwhile = 4;
  static constexpr std::size_t kTrials = 16;  ///< records made in any case

  [[nodiscard]] bool is_worth_recording() const {
    return records_.size() < kMostRecords && steps_ < kMostSteps &&
           (records_.size() < kTrials || replayed_ >= kWorthwhile * records_.size());
  }
  [[nodiscard]] std::shared_ptr<const CtaRecord> known_record_for(trace::CtaId cta);

  const Image& image_;
  PatternTable& patterns_;
  std::optional<RowsOfCode> rows_;  ///< from the first record on
  std::mutex mutex_;
  std::vector<std::shared_ptr<const CtaRecord>> records_;
  std::size_t last_ = 0;        ///< the record that stood for a CTA last
  std::uint64_t replayed_ = 0;  ///< CTAs that a record stood for which was there
  std::uint64_t steps_ = 0;
  bool can_record_;
};

}  // namespace gpusim::exec
