// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/transfer_line.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "sim/input/accelsim/tokens.h"
#include "sim/model/trace/async.h"

namespace gpusim::frontend::accelsim {
namespace {

class TransferParser : WordParser {
 public:
  TransferParser(Tokens& tokens, std::uint64_t words_behind, TransferLine& line, LineProblem& problem)
      : WordParser(tokens, problem), words_behind_(words_behind), line_(line) {}

  bool parse(LaneMask mask) {
    line_.is_complete = false;
    line_.barrier = 0;
    line_.ranks = 0;
    line_.bytes = 0;
    line_.outside_bytes = 0;
    line_.addresses.clear();
    if (!parse_number("transfer width", line_.width, kMostWidth)) {
      return false;
    }
    Tokens ahead = tokens_;
    line_.is_complete = ahead.next().starts_with("0x");
    if (!line_.is_complete && line_.width == 0) {
      return true;  // a copy that no lane executes
    }
    return (!line_.is_complete || parse_target()) && parse_addresses(mask);
  }

 private:
  bool parse_number(std::string_view what, std::uint64_t& number, std::uint64_t most) {
    const auto value = tokens_.next_number<std::uint64_t, 10>();
    number = value.value_or(0);
    return (value && *value <= most) || fail(what, "expected a decimal number up to " + std::to_string(most));
  }

  /// "0x00000400 1 0x0003 16384 0": mbarrier, whether to several CTAs and to which, bytes, those outside the tensor.
  bool parse_target() {
    std::uint64_t is_multicast = 0;
    if (!parse_address("address of the mbarrier", line_.barrier) || !parse_number("multicast", is_multicast, 1)) {
      return false;
    }
    if (is_multicast != 0) {
      const std::string_view token = tokens_.next();
      const auto ranks = to_number<std::uint16_t>(token.substr(token.starts_with("0x") ? 2 : 0), 16);
      if (!ranks || *ranks == 0) {
        return fail("mask of ranks", "expected up to 4 hexadecimal digits, not all 0");
      }
      line_.ranks = *ranks;
    }
    return parse_number("bytes of the transfer", line_.bytes, kMostBytes) &&
           parse_number("bytes outside the tensor", line_.outside_bytes, line_.bytes);
  }

  /// Mode 3 is a list, 4 a first address and differences; 0 and 1 in a numbering of its own. The number of addresses
  /// may count those outside the tensor, which are not there.
  bool parse_addresses(LaneMask mask) {
    const std::string_view mode = tokens_.next();
    const bool is_list = mode == "3" || mode == "0";
    if (!is_list && mode != "4" && mode != "1") {
      return fail("address mode", "expected 3 (list) or 4 (deltas)");
    }
    Address address = 0;
    std::uint64_t count = 0;
    if ((!is_list && !parse_address("address", address)) || !parse_number("number of addresses", count, kMostBytes)) {
      return false;
    }
    const std::uint64_t given = mask == 0 ? 0 : addresses_given(is_list, count);
    for (std::uint64_t i = 0; i < given; ++i) {
      if (!parse_next(is_list, i == 0, address)) {
        return false;
      }
      line_.addresses.push_back(address);
    }
    return true;
  }

  /// How many addresses the line has: `count`, unless words are missing just for those outside the tensor.
  std::uint64_t addresses_given(bool is_list, std::uint64_t count) const {
    const std::uint64_t outside = line_.width == 0 ? 0 : line_.outside_bytes / line_.width;
    const std::uint64_t inside = count - std::min(count, outside);
    const std::uint64_t words = inside - (is_list || inside == 0 ? 0 : 1) + words_behind_;
    return line_.is_complete && tokens_.count() == words ? inside : count;
  }

  bool parse_next(bool is_list, bool is_first, Address& address) {
    if (is_list) {
      return parse_address("address", address);
    }
    if (is_first) {
      return true;
    }
    const auto difference = tokens_.next_number<std::int64_t, 10>();
    address += static_cast<Address>(difference.value_or(0));
    return difference || fail("address delta", "expected a decimal number of bytes");
  }

  static constexpr std::uint64_t kMostWidth = 1 << 20;
  static constexpr auto kMostBytes = std::uint64_t{trace::kMostMbarrierCount};

  std::uint64_t words_behind_;
  TransferLine& line_;
};

}  // namespace

bool parse_transfer(Tokens& tokens, std::uint64_t words_behind, LaneMask mask, TransferLine& line,
                    LineProblem& problem) {
  return TransferParser(tokens, words_behind, line, problem).parse(mask);
}

}  // namespace gpusim::frontend::accelsim
