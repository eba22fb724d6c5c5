// SPDX-License-Identifier: MIT
// A kernel from a listing of SASS, for tests: "top: @P0 FADD R0, R1, R2", one instruction per line.
#pragma once

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/model/isa/decode.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::test {

inline isa::TimingTable test_timing() {
  isa::TimingTable timing{};
  for (isa::Timing& t : timing) {
    t.latency = 4;
  }
  const auto set = [&](isa::TimingClass c, std::uint32_t latency) {
    timing[static_cast<std::size_t>(c)].latency = latency;
  };
  set(isa::TimingClass::kNone, 0);
  set(isa::TimingClass::kImad, 5);
  set(isa::TimingClass::kImadWide, 5);
  set(isa::TimingClass::kHalf, 6);
  set(isa::TimingClass::kMufu, 20);
  set(isa::TimingClass::kHmma16816F32, 33);
  set(isa::TimingClass::kMemory, 0);
  return timing;
}

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    if (word.back() == ',') {
      word.pop_back();
    }
    words.push_back(word);
  }
  return words;
}

inline isa::Instr decode_words(const std::string& guard, const std::vector<std::string>& words) {
  isa::Instr instr = isa::decode_opcode(words.at(0));
  const std::vector<std::string_view> operands(words.begin() + 1, words.end());
  if (const auto error = isa::assign_operands(words[0], guard, operands, instr)) {
    throw std::runtime_error(*error);
  }
  return instr;
}

/// Edges: a BRA goes to its label and, when guarded, on; an EXIT leaves and, when guarded, goes on.
inline trace::Kernel kernel_from(const std::string& listing) {
  trace::Kernel kernel;
  std::map<std::string, std::uint32_t> labels;
  std::vector<std::string> targets;
  std::istringstream in(listing);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> words = words_of(line);
    if (!words.empty() && words[0].back() == ':') {
      labels[words[0].substr(0, words[0].size() - 1)] = static_cast<std::uint32_t>(kernel.code.size());
      words.erase(words.begin());
    }
    if (words.empty()) {
      continue;
    }
    const std::string guard = words[0][0] == '@' ? words[0] : "";
    if (!guard.empty()) {
      words.erase(words.begin());
    }
    kernel.code.push_back(decode_words(guard, words));
    targets.push_back(kernel.code.back().kind == isa::OpKind::kBranch ? words.at(1) : "");
  }
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Instr& instr = kernel.code[i];
    const bool leaves = instr.kind == isa::OpKind::kExit;
    if ((!leaves && targets[i].empty()) || instr.guarded) {
      kernel.edges.push_back({i, i + 1});
    }
    if (leaves) {
      kernel.edges.push_back({i, trace::kExitNode});
    } else if (!targets[i].empty()) {
      kernel.edges.push_back({i, labels.at(targets[i])});
    }
  }
  return kernel;
}

}  // namespace gpusim::test
