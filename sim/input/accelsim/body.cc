// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/body.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/address_space.h"
#include "sim/base/text.h"
#include "sim/input/accelsim/cluster_shape.h"
#include "sim/input/accelsim/places.h"
#include "sim/input/accelsim/tokens.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/poll_filter.h"
#include "sim/model/trace/step.h"

namespace gpusim::frontend::accelsim {
namespace {

class BodyReader {
 public:
  BodyReader(LineSource& source, const TraceHeader& header, ProblemList& problems, BodySink& sink)
      : source_(source), header_(header), problems_(problems), sink_(sink), reader_(header.form) {
    warps_per_cta_ = static_cast<std::uint32_t>((header.block.volume() + kWarpLanes - 1) / kWarpLanes);
  }

  BodyFacts read() {
    std::string_view line;
    while (!is_unprocessed_ && problems_.problems().size() < ProblemList::kMostKept && source_.next(line)) {
      read_line(line);
    }
    if (!is_unprocessed_ && problems_.problems().size() < ProblemList::kMostKept) {
      check_end();
    }
    return {places_.are_in_order(), cluster_};
  }

 private:
  void check_end() {
    if (in_cta_) {
      problem("the trace ends within a CTA", "expected #END_TB; is the file cut off?");
      end_warp();
    }
    if (ctas_ != header_.grid.volume()) {
      problems_.add({{source_.name(), 0, 0},
                     "the trace has " + std::to_string(ctas_) + " CTAs, but its grid has " +
                         std::to_string(header_.grid.volume()),
                     "is the file cut off?"});
    }
    std::string wrong;
    cluster_ = clusters_.sides(header_.grid, wrong);
    if (!wrong.empty() && problems_.problems().empty()) {
      problems_.add({{source_.name(), 0, 0}, wrong, ""});
    }
  }

  void read_line(std::string_view line) {
    if (line.empty()) {
      return;
    }
    const char first = line.front();
    const bool is_letter = first >= 'a' && first <= 'f';
    if ((first >= '0' && first <= '9') || (is_letter && !line.starts_with("cluster "))) {
      read_instruction(line);
    } else if (is_letter) {
      read_cluster(line);
    } else if (line.starts_with("warp")) {
      begin_warp(line);
    } else if (line.starts_with("insts")) {
      read_count(line);
    } else if (line.starts_with("thread block")) {
      read_place(line);
    } else if (line.starts_with("#BEGIN_TB")) {
      begin_cta();
    } else if (line.starts_with("#END_TB")) {
      end_cta();
    } else if (!trimmed(line).empty() && first != '#') {
      problem("'" + std::string(trimmed(line).substr(0, 40)) + "' is not a line of a trace",
              "expected an instruction, 'warp = ', 'insts = ', 'thread block = ', #BEGIN_TB or #END_TB", 1);
    }
  }

  void begin_cta() {
    if (in_cta_) {
      problem("a CTA begins within a CTA", "expected #END_TB first");
      end_warp();
    }
    in_cta_ = true;
    cta_.reset();
    said_ = {};
    cluster_lines_ = 0;
    warp_seen_.assign(warps_per_cta_, false);
  }

  void end_cta() {
    if (!in_cta_) {
      problem("#END_TB without #BEGIN_TB", "");
      return;
    }
    end_warp();
    std::uint32_t warps = 0;
    for (const bool seen : warp_seen_) {
      warps += seen ? 1U : 0U;
    }
    if (warps != warps_per_cta_) {
      problem("the CTA has " + std::to_string(warps) + " warps, but its block has " + std::to_string(warps_per_cta_),
              "");
    }
    if (!cta_) {
      problem("the CTA has no 'thread block = x,y,z'", "");
    }
    in_cta_ = false;
    ++ctas_;
  }

  /// "thread block = 0,0,0"
  void read_place(std::string_view line) {
    const std::string_view value = value_of(line);
    const std::optional<trace::CtaId> place = parse_place(value);
    if (!in_cta_ || !place) {
      problem("thread block '" + std::string(value) + "' makes no sense",
              in_cta_ ? "expected x,y,z within the grid" : "expected #BEGIN_TB first", column_of(line, value));
      return;
    }
    if (cta_) {
      problem("the CTA has a 'thread block = x,y,z' already", "", 1);
      return;
    }
    cta_ = trace::linear_cta(*place, header_.grid);
    if (!places_.insert(*cta_)) {
      problem("thread block '" + std::string(value) + "' occurs twice", "", column_of(line, value));
    }
  }

  /// "cluster id = 0,0,0", "cluster cta = 1,0,0", "cluster rank = 1": each CTA has all three, or none has one.
  void read_cluster(std::string_view line) {
    const std::string_view value = value_of(line);
    const std::string_view key = trimmed(line.substr(0, line.find('=')));
    bool good = in_cta_ && cta_ && !warp_;
    if (key == "cluster rank") {
      const auto rank = to_number<std::uint32_t>(value, 10);
      said_.rank = rank.value_or(0);
      good = good && rank;
    } else {
      const auto place = parse_three(value);
      (key == "cluster id" ? said_.cluster : said_.in_cluster) = place.value_or(ClusterShape::Place{});
      good = good && place && (key == "cluster id" || key == "cluster cta");
    }
    if (!good) {
      problem("'" + std::string(trimmed(line).substr(0, 40)) + "' makes no sense",
              "expected 'cluster id = x,y,z', 'cluster cta = x,y,z' and 'cluster rank = n' behind 'thread block = '",
              1);
      return;
    }
    if (++cluster_lines_ == 3) {
      const trace::CtaId cta = trace::cta_at(*cta_, header_.grid);
      said_.cta = {cta.x, cta.y, cta.z};
      if (std::string wrong = clusters_.add(said_); !wrong.empty()) {
        problem(std::move(wrong), "");
      }
    }
  }

  static std::optional<ClusterShape::Place> parse_three(std::string_view value) {
    ClusterShape::Place place{};
    for (std::size_t i = 0; i < place.size(); ++i) {
      const std::size_t comma = i + 1 < place.size() ? value.find(',') : value.size();
      const auto number = to_number<std::uint32_t>(trimmed(value.substr(0, comma)), 10);
      if (comma == std::string_view::npos || !number) {
        return std::nullopt;
      }
      place[i] = *number;
      value = comma < value.size() ? value.substr(comma + 1) : std::string_view{};
    }
    return place;
  }

  std::optional<trace::CtaId> parse_place(std::string_view value) const {
    const auto place = parse_three(value);
    const Dim3& grid = header_.grid;
    if (!place || (*place)[0] >= grid.x || (*place)[1] >= grid.y || (*place)[2] >= grid.z) {
      return std::nullopt;
    }
    return trace::CtaId{(*place)[0], (*place)[1], (*place)[2]};
  }

  /// "warp = 0"
  void begin_warp(std::string_view line) {
    end_warp();
    const std::string_view value = value_of(line);
    const auto warp = to_number<std::uint32_t>(value, 10);
    if (!in_cta_ || !warp || *warp >= warps_per_cta_ || warp_seen_[*warp]) {
      problem("warp '" + std::string(value) + "' makes no sense",
              in_cta_ ? "expected each of 0 to " + std::to_string(warps_per_cta_ - 1) + " once"
                      : "expected #BEGIN_TB first",
              column_of(line, value));
      return;
    }
    if (!cta_) {
      problem("the CTA has no 'thread block = x,y,z' before its first warp", "", 1);
      cta_ = 0;  // one complaint is enough
    }
    if (cluster_lines_ != 0 && cluster_lines_ != 3) {
      problem("the CTA has 'cluster ' lines, but not all three", "", 1);
      cluster_lines_ = 3;
    }
    warp_seen_[*warp] = true;
    warp_ = *warp;
    promised_.reset();
    instructions_ = 0;
    ended_ = false;
    polls_.begin_warp();
    sink_.begin_warp(*cta_, *warp, said_.rank);
  }

  /// "insts = 17"
  void read_count(std::string_view line) {
    const std::string_view value = value_of(line);
    promised_ = to_number<std::uint64_t>(value, 10);
    if (!promised_ || !warp_) {
      problem("insts '" + std::string(value) + "' makes no sense",
              warp_ ? "expected a decimal number" : "expected 'warp = ' first", column_of(line, value));
    }
  }

  void read_instruction(std::string_view line) {
    if (!warp_) {
      if (!in_cta_ && ctas_ == 0) {
        problem("an instruction before the first CTA: this is what the tracer writes, not yet sorted by CTA and warp",
                "run Accel-Sim's post-traces-processing on the tracer's kernelslist, and read the kernelslist.g that "
                "it makes",
                1);
        is_unprocessed_ = true;
      } else if (!in_bad_warp_) {
        problem("an instruction outside of any warp", "expected 'warp = ' first", 1);
      }
      in_bad_warp_ = true;
      return;
    }
    ++instructions_;
    if (!reader_.read(line, wrong_)) {
      problem(wrong_.message, wrong_.hint, wrong_.column);
      ended_ = true;  // whether this was the EXIT is not known
      return;
    }
    if (promised_ && instructions_ == *promised_ + 1) {
      problem(warp_name() + " has more instructions than its " + std::to_string(*promised_), "", 1);
    }
    if (parsed_.what->is_mark || is_repeat()) {
      return;
    }
    const isa::Instr& instr = sink_.instruction(parsed_, source_.line_number());
    check_addresses(instr, line);
    check_transfer();
    ended_ = parsed_.mask != 0 && instr.kind == isa::OpKind::kExit;
  }

  /// Whether the line repeats a poll of an mbarrier, or is of the loop around one that does.
  bool is_repeat() {
    if (!parsed_.what->is_poll) {
      return polls_.has_polled() && polls_.is_of_repeat(isa::decode_opcode(parsed_.what->opcode).kind);
    }
    if (parsed_.mask == 0) {
      return polls_.is_repeat();
    }
    const auto lane = first_lane(parsed_.mask);
    return polls_.is_repeat(parsed_.has_addresses ? parsed_.addresses[lane] : parsed_.pc,
                            parsed_.values.empty() ? 0 : parsed_.values.back()[lane]);
  }

  /// Checks the addresses of an access to global or local memory. In shared memory only the bank of an address counts.
  /// One message speaks for all lanes: the first lane with a problem is reported.
  void check_addresses(const isa::Instr& instr, std::string_view line) {
    if (!parsed_.has_addresses || (instr.space != isa::MemSpace::kGlobal && instr.space != isa::MemSpace::kLocal)) {
      return;
    }
    const std::uint64_t bytes = std::max<std::uint64_t>(1, instr.bytes_per_lane);
    for (LaneMask rest = parsed_.mask; rest != 0; rest &= rest - 1) {
      const auto lane = first_lane(rest);
      if (!fits_global(parsed_.addresses[lane], bytes)) {
        problem("lane " + std::to_string(lane) + " accesses " + counted(bytes, "byte") + " at " +
                    address_text(parsed_.addresses[lane]),
                kGlobalEndHint, parsed_.address_column(line, lane));
        return;
      }
    }
  }

  void check_transfer() {
    if (!parsed_.what->is_transfer) {
      return;
    }
    for (const Address address : parsed_.transfer.addresses) {
      if (!fits_global(address, parsed_.transfer.width)) {
        problem("the copy has " + counted(parsed_.transfer.width, "byte") + " at " + address_text(address),
                kGlobalEndHint);
        return;
      }
    }
  }

  void end_warp() {
    in_bad_warp_ = false;
    if (!warp_) {
      return;
    }
    if (!promised_) {
      problem(warp_name() + " has no 'insts = '", "");
    } else if (instructions_ < *promised_) {
      problem(warp_name() + " has " + std::to_string(instructions_) + " instructions, but says " +
                  std::to_string(*promised_),
              "is the file cut off?");
    } else if (!ended_) {
      problem(warp_name() + " does not end with an EXIT", "is the trace complete?");
    }
    sink_.end_warp(source_.line_number());
    warp_.reset();
  }

  [[nodiscard]] std::string warp_name() const { return "warp " + std::to_string(*warp_); }

  static std::string_view value_of(std::string_view line) {
    const std::size_t equals = line.find('=');
    return equals == std::string_view::npos ? line.substr(line.size()) : trimmed(line.substr(equals + 1));
  }

  static std::uint32_t column_of(std::string_view line, std::string_view value) {
    return static_cast<std::uint32_t>(value.empty() ? line.size()
                                                    : static_cast<std::size_t>(value.data() - line.data())) +
           1;
  }

  void problem(std::string message, std::string hint, std::uint32_t column = 0) {
    SourceLocation where = source_.where();
    where.column = column;
    problems_.add({std::move(where), std::move(message), std::move(hint)});
  }

  LineSource& source_;
  const TraceHeader& header_;
  ProblemList& problems_;
  BodySink& sink_;
  InstructionReader reader_;
  const InstructionLine& parsed_ = reader_.line();
  LineProblem wrong_;
  trace::PollFilter polls_;  ///< polls of the open warp

  std::uint32_t warps_per_cta_ = 0;
  std::uint64_t ctas_ = 0;  ///< complete ones
  bool in_cta_ = false;
  bool is_unprocessed_ = false;       ///< no CTA, and none to come
  std::optional<std::uint64_t> cta_;  ///< the linear number of the open one
  Places places_;
  std::vector<bool> warp_seen_;
  ClusterShape::Said said_;  ///< by the open CTA
  unsigned cluster_lines_ = 0;
  ClusterShape clusters_;
  Dim3 cluster_;

  std::optional<std::uint32_t> warp_;  ///< the open one
  bool in_bad_warp_ = false;           ///< its instructions have been complained about
  std::optional<std::uint64_t> promised_;
  std::uint64_t instructions_ = 0;
  bool ended_ = false;
};

}  // namespace

BodyFacts read_body(LineSource& source, const TraceHeader& header, ProblemList& problems, BodySink& sink) {
  return BodyReader(source, header, problems, sink).read();
}

}  // namespace gpusim::frontend::accelsim
