// SPDX-License-Identifier: MIT
#include "sim/system/collective/nccl_tests.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "sim/base/text.h"

namespace gpusim::collective {
namespace {

constexpr std::size_t kMostRows = 100'000;
constexpr std::size_t kLongestLine = 4096;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  return words;
}

/// A time of the table, in microseconds: above 0 and finite.
std::optional<double> time_of(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  const bool is_number = end == word.c_str() + word.size() && !word.empty();
  return is_number && std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

/// Goes through the file line by line. Columns are counted from the right, because some versions leave `redop` and
/// `root` empty.
class TableReader {
 public:
  explicit TableReader(const std::string& name) { at_.file = name; }

  void take(std::string line) {
    ++at_.line;
    if (line.size() > kLongestLine) {
      throw InputError({at_, "a line has more than 4096 characters", ""});
    }
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string::npos) {
      return;
    }
    line[start] == '#' ? take_remark(words_of(line.substr(start + 1))) : take_row(words_of(line));
  }

  Measured finish() {
    at_.line = 0;
    if (found_.rows.empty()) {
      throw InputError({at_, "has no table of nccl-tests", "save what all_reduce_perf or another of its tests prints"});
    }
    if (rank_lines_ > 0) {
      found_.ranks = rank_lines_;
    }
    return std::move(found_);
  }

 private:
  void take_remark(const std::vector<std::string>& words) {
    if (words.size() > 1 && words[0] == "Rank") {
      ++rank_lines_;
      found_.ranks_at = at_;
    }
    const auto time = std::ranges::find(words, "time");
    if (!words.empty() && words[0] == "size" && time != words.end()) {
      from_right_ = static_cast<std::size_t>(words.end() - time);
    }
    for (const std::string& word : words) {
      constexpr std::string_view kSuffix = "_perf";
      const auto name = word.substr(0, word.size() - std::min(word.size(), kSuffix.size()));
      const std::optional<Collective> known = arch::find_value<Collective>(name);
      if (word.ends_with(kSuffix) && known) {
        found_.of = known;
        found_.of_at = at_;
      }
    }
  }

  void take_row(const std::vector<std::string>& words) {
    const std::optional<std::uint64_t> bytes = parse_unsigned(words[0]);
    const std::optional<std::uint64_t> count = words.size() > 1 ? parse_unsigned(words[1]) : std::nullopt;
    if (from_right_ == 0 || !bytes || !count) {
      return;  // what the launcher or NCCL says between the lines of the table
    }
    const std::optional<double> time =
        words.size() > from_right_ + 1 ? time_of(words[words.size() - from_right_]) : std::nullopt;
    if (!time) {
      throw InputError({at_, "the line of " + words[0] + " bytes has no time", "is the table cut off?"});
    }
    if (found_.rows.size() == kMostRows) {
      throw InputError({at_, "has more than 100,000 lines", ""});
    }
    if (*bytes > 0) {
      found_.rows.push_back({*bytes, *time, at_.line});
    }
  }

  SourceLocation at_;
  Measured found_;
  std::uint32_t rank_lines_ = 0;
  std::size_t from_right_ = 0;  ///< the first `time` column, 1 being the last column; 0: no heading yet
};

}  // namespace

Measured read_nccl_tests(std::istream& in, const std::string& name) {
  TableReader reader(name);
  for (std::string line; std::getline(in, line);) {
    reader.take(std::move(line));
  }
  return reader.finish();
}

}  // namespace gpusim::collective
