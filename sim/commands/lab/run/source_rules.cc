// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/source_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/trimmed.h"

namespace gpusim::lab {
namespace {

constexpr std::array<std::string_view, 12> kDirectives{"include", "define", "undef", "if",    "ifdef",   "ifndef",
                                                       "elif",    "else",   "endif", "error", "warning", "pragma"};
constexpr std::array<std::string_view, 3> kPragmas{"once", "unroll", "nounroll"};
/// Words with which a source asks for files without a directive of its own begin so.
constexpr std::array<std::string_view, 4> kAsking{"__has_include", "__has_embed", "_Pragma", "__pragma"};
/// These make one word of two, and so any of the words above.
constexpr std::array<std::string_view, 2> kPasting{"##", "%:%:"};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

/// The word that a text begins with, which is taken away from it.
std::string_view take_word(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_of_word);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  text = trimmed(text);
  return word;
}

/// A line as a preprocessor has it: without comments, and lines that a backslash or a comment joins are one.
struct Line {
  std::uint32_t number = 1;  ///< number of the line where it begins
  std::string text;
  std::string code;  ///< the same with nothing between quotes
};

/// A text in which no line goes on in the next one, and where each character stood.
class Joined {
 public:
  explicit Joined(std::string_view text) {
    std::uint32_t line = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (const std::size_t end = end_of_splice(text, at); end != 0) {
        at = end;
        ++line;
        continue;
      }
      text_ += text[at];
      lines_.push_back(line);
      line += text[at] == '\n' ? 1 : 0;
    }
    lines_.push_back(line);
  }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::uint32_t line_of(std::size_t at) const { return lines_[std::min(at, lines_.size() - 1)]; }

 private:
  /// Where the line of a backslash ends that has nothing but blanks behind it, as compilers have it; 0 for all else.
  static std::size_t end_of_splice(std::string_view text, std::size_t at) {
    if (text[at] != '\\') {
      return 0;
    }
    const std::size_t end = text.find_first_not_of(" \t\f\v\r", at + 1);
    return end != std::string_view::npos && text[end] == '\n' ? end : 0;
  }

  std::string text_;
  std::vector<std::uint32_t> lines_;
};

/// Takes a text apart into lines.
class Reader {
 public:
  Reader(const Joined& joined, const std::string& file) : joined_(joined), text_(joined.text()), file_(file) {}

  std::vector<Line> lines() {
    while (at_ < text_.size()) {
      step();
    }
    lines_.push_back(std::move(line_));
    problems_.throw_if_any();
    return std::move(lines_);
  }

 private:
  void add(const char* message, const char* hint) { problems_.add({{file_, joined_.line_of(at_), 0}, message, hint}); }
  [[nodiscard]] bool comes(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (comes("?\?=") || comes("?\?/")) {
      add("has a trigraph", "write the character that it stands for");
    }
    const char c = text_[at_];
    if (comes("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (comes("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      put(' ');
    } else if (c == '"' || c == '\'') {
      take_quoted(c);
    } else {
      take_plain(c);
    }
  }

  void put(char c) {
    line_.text += c;
    line_.code += c;
  }

  void take_plain(char c) {
    const bool is_lone_return = c == '\r' && !comes("\r\n");
    if (c != '\n' && ((static_cast<unsigned char>(c) < ' ' && !is_blank(c)) || is_lone_return)) {
      add("has a character that is not text", "save the file as plain text");
    }
    ++at_;
    if (c == '\n') {
      lines_.push_back(std::move(line_));
      line_ = {joined_.line_of(at_), "", ""};
    } else {
      put(c);
    }
  }

  void take_quoted(char quote) {
    const bool follows_word = !line_.text.empty() && is_of_word(line_.text.back());
    if (follows_word && quote == '\'') {
      add("has a ' behind a letter or a digit", "write numbers without it");
    } else if (follows_word && line_.text.back() == 'R') {
      add("has a raw string", "write it as \"...\"");
    }
    put(quote);
    for (++at_; at_ < text_.size() && text_[at_] != '\n' && text_[at_] != quote;) {
      const std::size_t size = text_[at_] == '\\' ? 2 : 1;
      line_.text += text_.substr(at_, size);
      at_ = std::min(at_ + size, text_.size());
    }
    if (at_ >= text_.size() || text_[at_] != quote) {
      add(quote == '"' ? "has a \" without its partner" : "has a ' without its partner",
          "outside of comments each needs one");
      return;
    }
    put(quote);
    ++at_;
  }

  const Joined& joined_;
  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  Line line_;
  std::vector<Line> lines_;
  ProblemList problems_;
};

/// <cuda_fp16.h>, and no way out of the folders where headers are.
bool is_header(std::string_view name) {
  if (name.size() < 3 || name.front() != '<' || name.back() != '>' || name[1] == '/') {
    return false;
  }
  name = name.substr(1, name.size() - 2);
  const auto is_plain = [](char c) { return is_of_word(c) || c == '/' || c == '.' || c == '-'; };
  return std::ranges::all_of(name, is_plain) && name.find("..") == std::string_view::npos &&
         name.find("./") == std::string_view::npos;
}

class Rules {
 public:
  explicit Rules(const std::string& file) : file_(file) {}

  void take(const Line& line) {
    std::string_view rest = trimmed(line.text);
    if (rest.starts_with('#') || rest.starts_with("%:")) {
      rest.remove_prefix(rest.front() == '#' ? 1 : 2);
      take_directive(trimmed(rest), line.number);
    }
    take_words(line);
  }
  void finish() const { problems_.throw_if_any(); }

 private:
  void add(std::uint32_t line, const std::string& message, const std::string& hint) {
    problems_.add({{file_, line, 0}, message, hint});
  }

  void take_directive(std::string_view rest, std::uint32_t line) {
    if (rest.empty()) {
      return;
    }
    const std::string_view all = rest;
    const std::string_view word = take_word(rest);
    if (std::ranges::find(kDirectives, word) == kDirectives.end()) {
      add(line, "'#" + printable(clipped(all, 40)) + "' is not accepted in a lab",
          suggestion(word, {kDirectives.begin(), kDirectives.end()}));
    } else if (word == "include" && !is_header(rest)) {
      add(line, "'#include " + printable(clipped(rest, 40)) + "' is not accepted in a lab",
          "a kernel is one file; headers of CUDA and of C++ stand in < >, such as <cuda_fp16.h>");
    } else if (word == "pragma" && std::ranges::find(kPragmas, take_word(rest)) == kPragmas.end()) {
      add(line, "'#" + printable(clipped(all, 40)) + "' is not accepted in a lab", "#pragma unroll is");
    }
  }

  void take_words(const Line& line) {
    for (std::string_view rest = line.code; !rest.empty();) {
      const auto begin = std::ranges::find_if(rest, is_of_word);
      rest.remove_prefix(static_cast<std::size_t>(begin - rest.begin()));
      const std::string_view word = take_word(rest);
      if (std::ranges::any_of(kAsking, [word](std::string_view asking) { return word.starts_with(asking); })) {
        add(line.number, "'" + std::string(word) + "' is not accepted in a lab", "a kernel needs no other file");
      }
    }
    for (const std::string_view pasting : kPasting) {
      if (line.code.find(pasting) != std::string::npos) {
        add(line.number, "'" + std::string(pasting) + "' is not accepted in a lab", "write the whole word");
      }
    }
  }

  const std::string& file_;
  ProblemList problems_;
};

}  // namespace

void require_own_text(std::string_view text, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  const Joined joined(text);
  Rules rules(file);
  for (const Line& line : Reader(joined, file).lines()) {
    rules.take(line);
  }
  rules.finish();
}

}  // namespace gpusim::lab
