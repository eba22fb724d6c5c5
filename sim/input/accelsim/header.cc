// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "sim/base/address_space.h"
#include "sim/input/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::uint32_t kNewestTracer = 6;
constexpr std::uint32_t kFirstWithoutPlace = 3;
constexpr std::uint32_t kFirstWithImmediate = 4;
constexpr std::uint32_t kFirstWithValues = 6;
constexpr std::uint64_t kMostThreads = 1024;  // threads of a CTA, on every GPU
constexpr std::uint32_t kMostGridSide = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kMostCtas = std::uint64_t{1} << 40;

class HeaderReader {
 public:
  HeaderReader(LineSource& source, ProblemList& problems, Warnings& warnings)
      : source_(source), problems_(problems), warnings_(warnings) {}

  TraceHeader read() {
    std::string_view line;
    while (source_.next(line)) {
      if (line.starts_with('#')) {
        check_complete();
        header_.extra.check(source_.where(), problems_);
        settle_form(line);
        return header_;
      }
      if (line.starts_with(kExtraLine)) {
        header_.extra.read(line, source_.where(), problems_);
      } else if (line.starts_with('-')) {
        read_pair(line);
      } else if (!trimmed(line).empty()) {
        problem(1, "'" + std::string(trimmed(line).substr(0, 40)) + "' is not a header line",
                "expected '-key = value', or '#' at the end of the header");
      }
    }
    problem(0, "the trace ends within its header", "expected a line that begins with '#traces format'");
    return header_;
  }

 private:
  using Handler = bool (HeaderReader::*)(std::string_view value);
  struct Key {
    std::string_view name;
    Handler handler;
    std::string_view expected;
    bool required;
  };
  static const std::array<Key, 13> kKeys;

  void read_pair(std::string_view line) {
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(1, equals == std::string_view::npos ? equals : equals - 1));
    const auto key = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return k.name == name; });
    if (key == kKeys.end()) {
      warnings_.add("header key '" + std::string(name) + "' is not known and ignored");
      return;
    }
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view{} : trimmed(line.substr(equals + 1));
    if (!(this->*key->handler)(value)) {
      const auto column = value.empty() ? line.size() + 1 : static_cast<std::size_t>(value.data() - line.data()) + 1;
      problem(static_cast<std::uint32_t>(column), std::string(name) + " '" + std::string(value) + "' makes no sense",
              "expected " + std::string(key->expected));
    }
    const auto [first, is_new] = seen_.emplace(key->name, source_.where().line);
    if (!is_new) {
      problem(1, "'-" + std::string(name) + "' is given twice", "first in line " + std::to_string(first->second));
    }
  }

  bool set_name(std::string_view value) {
    header_.kernel_name = value;
    header_.where = source_.where();
    return !value.empty();
  }
  bool set_grid(std::string_view value) {
    return parse_dimensions(value, header_.grid) && header_.grid.volume() <= kMostCtas;
  }
  bool set_block(std::string_view value) {
    return parse_dimensions(value, header_.block) && header_.block.volume() <= kMostThreads;
  }
  bool set_shared(std::string_view value) {
    const auto bytes = to_number<std::uint64_t>(value, 10);
    header_.shared_bytes = bytes.value_or(0);
    return bytes && *bytes <= kMostSharedBytes;
  }
  bool set_registers(std::string_view value) {
    const auto count = to_number<std::uint32_t>(value, 10);
    header_.registers = count.value_or(0);
    return count && *count >= 1 && *count <= 255;
  }
  bool set_shared_window(std::string_view value) { return set_window(value, header_.shared_window); }
  bool set_local_window(std::string_view value) { return set_window(value, header_.local_window); }
  bool set_version(std::string_view value) {
    const auto version = to_number<std::uint32_t>(value, 10);
    header_.tracer_version = version.value_or(0);
    return version && *version <= kNewestTracer;
  }
  bool set_binary_version(std::string_view value) {
    const auto version = to_number<std::uint32_t>(value, 10);
    header_.binary_version = version.value_or(0);
    return version.has_value();
  }
  bool set_stream(std::string_view value) {
    const auto stream = to_number<std::uint64_t>(value, 10);
    header_.stream = stream.value_or(0);
    return stream.has_value();
  }
  bool set_line_info(std::string_view value) {
    header_.form.has_line_number = value == "1";
    return value == "0" || value == "1";
  }
  bool ignore(std::string_view /*value*/) { return true; }

  static bool set_window(std::string_view value, Address& into) {
    const auto address = to_address(value);
    into = address.value_or(0);
    return address && fits_global(*address, kWindowBytes);
  }

  /// "(4096,1,1)"; a side is at least 1, so that the volume of the sides so far never overflows.
  static bool parse_dimensions(std::string_view value, Dim3& into) {
    if (!value.starts_with('(') || !value.ends_with(')')) {
      return false;
    }
    std::string_view rest = value.substr(1, value.size() - 2);
    std::array<std::uint32_t, 3> sides{};
    __extension__ using Wide = unsigned __int128;
    Wide volume = 1;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::size_t comma = i + 1 < sides.size() ? rest.find(',') : rest.size();
      const auto side = to_number<std::uint32_t>(trimmed(rest.substr(0, comma)), 10);
      if (comma == std::string_view::npos || !side || *side == 0 || *side > kMostGridSide) {
        return false;
      }
      sides[i] = *side;
      volume *= *side;
      rest = comma < rest.size() ? rest.substr(comma + 1) : std::string_view{};
    }
    if (volume > kMostCtas) {
      return false;
    }
    into = {sides[0], sides[1], sides[2]};
    return true;
  }

  void check_complete() {
    if (seen_.empty()) {
      problem(0, "is not a trace of Accel-Sim: no line such as '-kernel name = ...' before the first instructions",
              "gpusim's own traces are compressed with zstd, not with xz");
      return;
    }
    for (const Key& key : kKeys) {
      if (key.required && !seen_.contains(key.name)) {
        problem(0, "the header has no '-" + std::string(key.name) + "'", "expected " + std::string(key.expected));
      }
    }
  }

  /// `format` is the line "#traces format = ...": whatever the version, it may name an immediate.
  void settle_form(std::string_view format) {
    header_.form.has_immediate = header_.tracer_version >= kFirstWithImmediate || format.ends_with(" immediate");
    header_.form.has_place = header_.tracer_version < kFirstWithoutPlace;
    header_.form.has_values = header_.tracer_version >= kFirstWithValues;
  }

  void problem(std::uint32_t column, std::string message, std::string hint) {
    SourceLocation where = source_.where();
    where.column = column;
    problems_.add({std::move(where), std::move(message), std::move(hint)});
  }

  LineSource& source_;
  ProblemList& problems_;
  Warnings& warnings_;
  TraceHeader header_;
  std::map<std::string_view, std::uint32_t> seen_;  ///< line of each key
};

const std::array<HeaderReader::Key, 13> HeaderReader::kKeys{{
    {"kernel name", &HeaderReader::set_name, "a name", true},
    {"grid dim", &HeaderReader::set_grid, "three sides such as (196,1,1), at most 2^40 CTAs", true},
    {"block dim", &HeaderReader::set_block, "three sides such as (256,1,1), at most 1024 threads", true},
    {"shmem", &HeaderReader::set_shared, "bytes, at most 2^30", false},
    {"nregs", &HeaderReader::set_registers, "registers a thread, 1 to 255", true},
    {"shmem base_addr", &HeaderReader::set_shared_window, "an address below 2^49 such as 0x7f0000000000", false},
    {"local mem base_addr", &HeaderReader::set_local_window, "an address below 2^49 such as 0x7f0001000000", false},
    {"accelsim tracer version", &HeaderReader::set_version, "a version up to 6", false},
    {"enable lineinfo", &HeaderReader::set_line_info, "0 or 1", false},
    {"kernel id", &HeaderReader::ignore, "", false},
    {"binary version", &HeaderReader::set_binary_version, "a compute capability such as 86", false},
    {"cuda stream id", &HeaderReader::set_stream, "a number", false},
    {"nvbit version", &HeaderReader::ignore, "", false},
}};

}  // namespace

TraceHeader read_header(LineSource& source, ProblemList& problems, Warnings& warnings) {
  return HeaderReader(source, problems, warnings).read();
}

}  // namespace gpusim::frontend::accelsim
