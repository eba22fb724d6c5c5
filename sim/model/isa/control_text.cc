// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>

#include "sim/model/isa/decode.h"

namespace gpusim::isa {
namespace {

/// Takes fixed characters and small numbers off the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) {
      return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }

  /// "-" gives kNoBarrier, "0" to "5" the counter.
  bool take_counter(std::uint8_t& counter) {
    if (take("-")) {
      counter = kNoBarrier;
      return true;
    }
    if (rest_.empty() || rest_.front() < '0' || rest_.front() >= static_cast<char>('0' + kDependenceCounters)) {
      return false;
    }
    counter = static_cast<std::uint8_t>(rest_.front() - '0');
    rest_.remove_prefix(1);
    return true;
  }

  bool take_stall(std::uint8_t& stall) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), stall);
    const auto digits = static_cast<std::size_t>(end - rest_.data());
    if (error != std::errc{} || digits < 2) {
      return false;
    }
    rest_.remove_prefix(digits);
    return true;
  }

  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

bool take_wait_mask(Reader& reader, std::uint8_t& mask) {
  for (unsigned counter = 0; counter < kDependenceCounters; ++counter) {
    std::uint8_t named = kNoBarrier;
    if (!reader.take_counter(named) || (named != kNoBarrier && named != counter)) {
      return false;
    }
    if (named != kNoBarrier) {
      mask = static_cast<std::uint8_t>(mask | (1U << counter));
    }
  }
  return true;
}

char counter_char(std::uint8_t counter) {
  return counter == kNoBarrier ? '-' : static_cast<char>('0' + counter);
}

}  // namespace

std::optional<ControlBits> parse_control_bits(std::string_view text) {
  Reader reader(text);
  ControlBits bits;
  if (!reader.take("[B") || !take_wait_mask(reader, bits.wait_mask) || !reader.take(":R") ||
      !reader.take_counter(bits.read_barrier) || !reader.take(":W") || !reader.take_counter(bits.write_barrier) ||
      !reader.take(":")) {
    return std::nullopt;
  }
  bits.yield = reader.take("Y");
  if ((!bits.yield && !reader.take("-")) || !reader.take(":S") || !reader.take_stall(bits.stall) || !reader.take("]") ||
      !reader.empty()) {
    return std::nullopt;
  }
  bits.stall = std::max<std::uint8_t>(bits.stall, 1);  // a warp issues at most once a cycle, whatever S00 says
  return bits;
}

std::string to_text(const ControlBits& control) {
  std::string text = "[B";
  for (unsigned counter = 0; counter < kDependenceCounters; ++counter) {
    const bool waits = ((control.wait_mask >> counter) & 1U) != 0;
    text += waits ? static_cast<char>('0' + counter) : '-';
  }
  text += ":R";
  text += counter_char(control.read_barrier);
  text += ":W";
  text += counter_char(control.write_barrier);
  text += control.yield ? ":Y:S" : ":-:S";
  const std::string stall = std::to_string(control.stall);
  return text + (stall.size() < 2 ? "0" : "") + stall + "]";
}

}  // namespace gpusim::isa
