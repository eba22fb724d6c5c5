// SPDX-License-Identifier: MIT
#include "tests/machine/mem/dram/reference_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace gpusim::test {

namespace {

// Each has a paragraph in docs/model/dram.md.
constexpr const char* kTurns = "shared turns";
constexpr const char* kStackIds = "stack identifiers";
constexpr const char* kFrfcfs = "plain FRFCFS";
constexpr const char* kRowAQueue = "a row as long as the queue";
constexpr const char* kUnexplained = "unexplained";

/// Rows that may miss, and why. An empty field is any.
struct Excuse {
  std::string part;
  std::string setup;
  std::string pattern;
  std::string params;  ///< each followed by a blank
  const char* cause;
};

const std::vector<Excuse> kExcuses{
    {"HBM2 2pc", "", "two_streams", "", kTurns},
    {"HBM2 2pc", "", "two_streams_same_bank", "", kTurns},
    {"HBM2 2pc", "", "one_stream", "", kTurns},
    {"HBM3 2pc", "", "two_streams", "", kTurns},
    {"HBM3 2pc", "", "two_streams_same_bank", "", kTurns},
    {"HBM3 2pc", "", "one_stream", "", kTurns},
    {"HBM3 2pc", "", "random_mix", "", kTurns},
    {"HBM2 2pc", "", "random_mix", "", kTurns},
    {"HBM3 1pc", "", "stride_read", "128 256 512 1024 ", kStackIds},
    {"HBM3 2pc", "", "stride_read", "256 512 1024 2048 ", kStackIds},
    {"HBM2 1pc", "D", "stride_read", "1024 ", kFrfcfs},
    {"HBM2 2pc", "D", "stride_read", "2048 ", kFrfcfs},
    {"GDDR6", "D", "stride_read", "1024 ", kFrfcfs},
    {"GDDR6 lv", "D", "stride_read", "1024 ", kFrfcfs},
    {"HBM3 1pc", "A", "seq_read", "", kRowAQueue},
    {"HBM3 1pc", "A", "seq_write", "", kRowAQueue},
    {"HBM3 1pc", "A", "two_streams", "1:1 ", kRowAQueue},
    {"HBM3 1pc", "A", "one_stream", "1:1 ", kRowAQueue},
    {"HBM3 2pc", "A", "seq_write", "", kRowAQueue},
    {"HBM3 2pc", "A", "stride_read", "256 512 ", kRowAQueue},
    {"GDDR6 lv", "A", "stride_read", "256 ", kUnexplained},
    {"HBM3 1pc", "C", "two_streams", "1:1 ", kUnexplained},
    {"HBM3 1pc", "C", "two_streams_same_bank", "1:1 ", kUnexplained},
    {"GDDR6", "C", "two_streams", "1:1 ", kUnexplained},
    {"GDDR6", "C", "two_streams_same_bank", "1:1 ", kUnexplained},
    {"GDDR6", "C", "one_stream", "1:1 ", kUnexplained},
    {"GDDR6", "", "random_write", "", kUnexplained},
};

std::string cause_of(const ReferenceRow& row) {
  const auto fits = [](const std::string& wanted, const std::string& is) { return wanted.empty() || wanted == is; };
  for (const Excuse& one : kExcuses) {
    if (one.part == row.part && fits(one.setup, {row.setup}) && one.pattern == row.pattern &&
        (one.params.empty() || (" " + one.params).find(" " + row.param + " ") != std::string::npos)) {
      return one.cause;
    }
  }
  return {};
}

bool is_loaded(const ReferenceRow& row) {
  return row.pattern.starts_with("loaded");
}

/// What the model leaves out and the reference counts: one tick of its controller for each read.
double controller_ns(const ReferencePart& part) {
  return 1e9 / static_cast<double>(part.config.command_hz) / part.ticks_per_clock;
}

Compared compared(const ReferenceRow& row) {
  constexpr double kBandwidthBound = 0.05;
  constexpr double kLatencyBound = 0.10;
  Compared result{row, run_stream(row), 0, is_loaded(row) ? kLatencyBound : kBandwidthBound, cause_of(row)};
  result.ours.latency_ns += controller_ns(reference_part(row));
  result.error =
      is_loaded(row) ? result.ours.latency_ns / *row.latency_ns - 1 : result.ours.fraction / *row.fraction - 1;
  return result;
}

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

const std::array<std::string, 6> kParts{"HBM2 2pc", "HBM2 1pc", "HBM3 2pc", "HBM3 1pc", "GDDR6", "GDDR6 lv"};

/// A word for a row of a table: the pattern with what it varies by.
std::string label(const ReferenceRow& row) {
  std::string text = row.pattern;
  std::replace(text.begin(), text.end(), '_', ' ');
  return row.param.empty() ? text : text + " " + row.param;
}

/// Shares of the peak by pattern and part, as "ours / reference".
std::string fraction_table(char setup) {
  std::vector<std::string> labels;
  std::map<std::string, std::map<std::string, std::string>> cells;
  for (const Compared& one : compared_streams()) {
    if (one.row.setup != setup || is_loaded(one.row)) {
      continue;
    }
    const std::string name = label(one.row);
    if (cells.find(name) == cells.end()) {
      labels.push_back(name);
    }
    const char* const form = one.misses() ? "**%.3f** / %.3f" : "%.3f / %.3f";
    cells[name][one.row.part] = print(form, one.ours.fraction, *one.row.fraction);
  }
  std::string text = "| setup " + std::string{setup};
  for (const std::string& part : kParts) {
    text += " | " + part;
  }
  text += " |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const std::string& name : labels) {
    text += "| " + name;
    for (const std::string& part : kParts) {
      text += " | " + cells[name][part];
    }
    text += " |\n";
  }
  return text + "\n";
}

std::string idle_table() {
  std::string text = "| clocks of a read | hit | closed | conflict |\n| --- | --- | --- | --- |\n";
  const std::vector<ReferenceRow> rows = reference_rows();
  for (const std::string& part : kParts) {
    text += "| " + part;
    for (const char* const state : {"hit", "closed", "conflict"}) {
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const ReferenceRow& one) {
        return one.part == part && one.pattern == "idle_latency" && one.param == state;
      });
      const ReferencePart facts = reference_part(*row);
      const double clocks = *row->latency_ns * 1e-9 * static_cast<double>(facts.config.command_hz);
      text += print(" | %.1f / %.1f", static_cast<double>(idle_clocks(facts, state)) + 1.0 / facts.ticks_per_clock,
                    std::round(clocks * 2) / 2);
    }
    text += " |\n";
  }
  return text + "\n";
}

/// Ten points of each curve, from 5 to 98 % of the reference's saturated bandwidth, as "ours / reference".
std::string loaded_table() {
  std::string text =
      "| ns at a share of saturation | 5 % | 20 % | 35 % | 50 % | 60 % | 70 % | 80 % | 90 % | 95 % | 98 % |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  std::string curve;
  for (const Compared& one : compared_streams()) {
    if (!is_loaded(one.row)) {
      continue;
    }
    const std::string name = one.row.part + (one.row.pattern == "loaded_seq_read" ? ", sequential" : ", random");
    if (name != curve) {
      text += (curve.empty() ? "| " : " |\n| ") + name;
      curve = name;
    }
    text += print(one.misses() ? " | **%.0f** / %.0f" : " | %.0f / %.0f", one.ours.latency_ns, *one.row.latency_ns);
  }
  return text + " |\n\n";
}

std::string misses_table() {
  std::vector<Compared> misses;
  for (const Compared& one : compared_streams()) {
    if (one.misses()) {
      misses.push_back(one);
    }
  }
  std::stable_sort(misses.begin(), misses.end(),
                   [](const Compared& a, const Compared& b) { return std::abs(a.error) > std::abs(b.error); });
  std::string text = print("%zu of %zu streams miss, worst first:\n\n", misses.size(), compared_streams().size());
  text += "| error | part | setup | stream | ours / reference | why |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Compared& one : misses) {
    const std::string figures = is_loaded(one.row) ? print("%.0f / %.0f ns", one.ours.latency_ns, *one.row.latency_ns)
                                                   : print("%.3f / %.3f", one.ours.fraction, *one.row.fraction);
    text += print("| %+.1f %% | %s | %c | ", 100 * one.error, one.row.part.c_str(), one.row.setup);
    text += label(one.row) + " | " + figures + " | " + one.cause + " |\n";
  }
  return text;
}

}  // namespace

bool Compared::misses() const {
  return std::abs(error) > bound;
}

const std::vector<Compared>& compared_streams() {
  static const std::vector<Compared> all = [] {
    std::vector<Compared> result;
    for (const ReferenceRow& row : reference_rows()) {
      if (row.pattern != "idle_latency") {
        result.push_back(compared(row));
      }
    }
    return result;
  }();
  return all;
}

std::string reference_tables() {
  return idle_table() + fraction_table('A') + fraction_table('B') + fraction_table('C') + fraction_table('D') +
         fraction_table('E') + loaded_table() + misses_table();
}

}  // namespace gpusim::test
