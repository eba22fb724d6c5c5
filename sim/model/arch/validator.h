// SPDX-License-Identifier: MIT
// The conditions that validate() checks, by part of the machine. For validate*.cc alone.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/sheet.h"

namespace gpusim::arch {

/// A key and its value, for conditions between two keys.
struct Named {
  std::string_view key;
  std::uint64_t value;
};

class Validator {
 public:
  Validator(const Arch& arch, const Sheet& sheet, ProblemList& problems)
      : arch_(arch), sheet_(sheet), problems_(problems) {}

  void check_sm();
  void check_front_end();
  void check_shared_memory();
  void check_noc();
  void check_tlb();
  void check_l2();
  void check_dram();
  void check_bursts();
  void check_mapping();
  void check_bus();
  void check_dram_timing();
  void check_row_cycle();
  void check_refresh();
  void check_work_between_refreshes();
  void check_turnaround();
  void check_pin_rate();
  void check_size();
  void check_given();

 private:
  /// The keys of a rule, first the one that a message is about.
  using Rule = std::initializer_list<std::string_view>;

  [[nodiscard]] bool is_readable(std::string_view key) const;
  [[nodiscard]] bool knows(Rule keys) const;
  [[nodiscard]] SourceLocation place(Rule keys) const;
  void add(Rule keys, std::string message, std::string hint = {});
  void check_warps();
  void check_carveouts();
  void divides(const Named& part, const Named& whole);
  void at_most(const Named& small, const Named& large);
  void power_of_two(const Named& named);
  void needed_with_clusters(const Named& named);
  void whole_sets(Rule keys, std::uint64_t bytes, std::uint64_t set_bytes);
  void few_in_all(const Named& places, const Named& owners);
  [[nodiscard]] bool has_dated_source(const Entry& entry) const;

  const Arch& arch_;
  const Sheet& sheet_;
  ProblemList& problems_;
};

}  // namespace gpusim::arch
