// SPDX-License-Identifier: MIT
#include "sim/input/listing/listing.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "sim/base/trimmed.h"
#include "sim/input/listing/control_word.h"
#include "sim/input/listing/resources.h"
#include "sim/model/isa/decode.h"

namespace gpusim::frontend::sass {
namespace {

constexpr std::size_t kMostListedInstructions = 1U << 18U;
constexpr std::size_t kWordsOfInstruction = 2;
constexpr std::uint64_t kInstructionBytes = 16;
constexpr unsigned kVolta = 70;
constexpr std::string_view kOpcodeLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
constexpr std::string_view kOperandLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.[]+-|!~";

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const bool good = !text.empty() && error == std::errc{} && end == text.data() + text.size();
  return good ? std::optional(value) : std::nullopt;
}

/// A problem of one line.
struct BadLine {
  std::size_t at = 0;  ///< offset in the line
  std::string message;
  std::string hint;
};

/// What of an instruction is taken: all that its text says, or its encoding.
enum class Take : bool { kText, kEncoding };

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, Take take, std::uint32_t first_line)
      : rest_(text), file_(name), takes_encodings_(take == Take::kEncoding), line_(first_line - 1) {}

  ListedCode run() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      ++line_;
      try {
        read_line(rest_.substr(0, end));
      } catch (const BadLine& bad) {
        report(bad);
        lost_instruction_ = true;
        has_lost_lines_ = true;
      } catch (const BadResource& bad) {
        report({0, bad.message, bad.hint});
      }
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
    }
    if (takes_encodings_ && !has_lost_lines_) {
      check_that_encoded();
    }
    for (std::size_t i = 0; i < functions_.size() && !has_lost_lines_; ++i) {
      takes_encodings_ ? check_encodings(functions_[i]) : check_words(functions_[i]);
    }
    std::erase_if(functions_, [](const ListedFunction& function) { return function.code.empty(); });
    std::for_each(functions_.begin(), functions_.end(), [&](ListedFunction& one) { resources_.apply_to(one); });
    if (functions_.empty() && problems_.empty()) {
      problems_.add({{file_, 0, 0}, "has no instructions", "expected what cuobjdump -sass or nvdisasm -hex prints"});
    }
    problems_.throw_if_any();
    return {std::move(functions_), data_.take()};
  }

 private:
  void report(const BadLine& bad) {
    problems_.add({{file_, line_, static_cast<std::uint32_t>(bad.at + 1)}, bad.message, bad.hint});
  }

  void read_line(std::string_view line) {
    std::string code(line);  // comments become blanks, so that columns stay true
    address_.reset();
    words_.clear();
    if (take_source_line(trimmed(line))) {
      return;
    }
    take_comments(code);
    const std::string_view text = trimmed(code);
    const std::size_t at = text.empty() ? 0 : static_cast<std::size_t>(text.data() - code.data());
    if (text.empty()) {
      add_words();
    } else if (text.starts_with("Function :")) {
      begin_function(trimmed(text.substr(std::string_view("Function :").size())));
    } else if (resources_.read_usage(text)) {
      return;
    } else if (text.starts_with("code for sm_")) {
      set_sm(text);
    } else if (text.back() == ':') {
      label(text.substr(0, text.size() - 1));
    } else if (text.front() == '.') {
      directive(text);
    } else if (text.back() == ';') {
      instruction(text.substr(0, text.size() - 1), at);
    } else if (address_) {
      throw BadLine{at, "the instruction '" + std::string(text) + "' has no ';' at its end", ""};
    }
  }

  /// "//## File "saxpy.cu", line 8": what stands behind the line is where that code was inlined.
  bool take_source_line(std::string_view text) {
    constexpr std::string_view kFile = "//## File \"";
    constexpr std::string_view kLine = "\", line ";
    const std::size_t middle = text.find(kLine);
    if (!text.starts_with(kFile) || middle == std::string_view::npos) {
      return false;
    }
    std::uint32_t number = 0;
    const std::string_view digits = text.substr(middle + kLine.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (takes_encodings_ && !functions_.empty() && number != 0) {
      ListedFunction& current = functions_.back();
      current.lines.push_back({static_cast<std::uint32_t>(current.code.size()),
                               std::string(text.substr(kFile.size(), middle - kFile.size())), number});
    }
    return true;
  }

  void take_comments(std::string& code) {
    for (std::size_t begin = code.find("/*"); begin != std::string::npos; begin = code.find("/*", begin)) {
      const std::size_t end = code.find("*/", begin + 2);
      if (end == std::string::npos) {
        throw BadLine{begin, "this comment is not closed in its line", "add '*/'"};
      }
      comment(trimmed(std::string_view(code).substr(begin + 2, end - begin - 2)), begin);
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(begin), code.begin() + static_cast<std::ptrdiff_t>(end + 2),
                ' ');
    }
    const std::size_t rest = code.find("//");
    code.resize(std::min(rest, code.size()));
  }

  void comment(std::string_view text, std::size_t at) {
    if (text.starts_with("0x")) {
      constexpr std::size_t kDigits = 16;
      const auto word = hexadecimal(text.substr(2));
      if (!word || text.size() != 2 + kDigits) {
        throw BadLine{at, "'" + std::string(text) + "' is not a word of 64 bits", "expected 16 hexadecimal digits"};
      }
      words_.push_back(*word);
    } else if (text.size() >= 4 && !address_) {
      address_ = hexadecimal(text);
    }
  }

  void begin_function(std::string_view name) {
    if (name.empty()) {
      throw BadLine{0, "the function has no name", ""};
    }
    if (!functions_.empty() && functions_.back().name == name && functions_.back().code.empty()) {
      return;  // a section, a symbol and a label may all name it
    }
    const auto [first, is_new] = begun_.emplace(name, line_);
    if (!is_new) {
      throw BadLine{0, "function '" + std::string(name) + "' stands a second time",
                    "first in line " + std::to_string(first->second) +
                        "; list the code for one architecture, as with cuobjdump -sass -arch sm_80"};
    }
    functions_.emplace_back();
    functions_.back().name = name;
    functions_.back().place = {line_, 1};
    functions_.back().sm = sm_;
  }

  /// "EF_CUDA_SM80", "sm_80", "sm_90a".
  void set_sm(std::string_view text) {
    for (const std::string_view mark : {"EF_CUDA_SM", "sm_"}) {
      const std::size_t at = text.find(mark);
      if (at != std::string_view::npos) {
        const std::string_view number = text.substr(at + mark.size());
        std::from_chars(number.data(), number.data() + number.size(), sm_);
      }
    }
    if (sm_ != 0 && sm_ < kVolta) {
      throw InputError({{file_, line_, 0},
                        "is code for sm_" + std::to_string(sm_),
                        "Volta (sm_70) to Hopper (sm_90) are read; before them, encodings were others"});
    }
    if (!functions_.empty() && functions_.back().code.empty()) {
      functions_.back().sm = sm_;
    }
  }

  ListedFunction& function() {
    if (functions_.empty()) {
      begin_function("kernel");  // maxas and CuAssembler fragments have no head
    }
    return functions_.back();
  }

  void label(std::string_view name) {
    constexpr std::string_view kText = ".text.";
    if (name.starts_with(kText)) {
      begin_function(name.substr(kText.size()));
      return;
    }
    if (!in_code_) {
      data_.label(name);
      return;
    }
    ListedFunction& current = function();
    if (name == current.name) {
      return;
    }
    const auto next = static_cast<std::uint32_t>(current.code.size());
    const std::string key(name.starts_with('.') ? name.substr(1) : name);
    if (!current.labels.emplace(key, next).second) {
      throw BadLine{0, "label '" + std::string(name) + "' stands a second time", ""};
    }
  }

  void directive(std::string_view text) {
    constexpr std::string_view kCode = ".text.";
    if (is_section(text)) {
      data_.begin(trimmed(text.substr(0, text.find(',')).substr(std::string_view(".section").size())));
      const std::size_t code = text.find(kCode);
      in_code_ = code != std::string_view::npos;
      if (in_code_) {
        const std::string_view name = text.substr(code + kCode.size());
        begin_function(name.substr(0, name.find_first_of(", \t")));
        functions_.back().has_section = true;
      }
    } else if (text.starts_with(".headerflags") || text.starts_with(".target")) {
      set_sm(text);
    } else if (!in_code_) {
      data(text);
    }
    resources_.read_directive(text, in_code_ && !functions_.empty() ? functions_.back().name : "");
  }

  void data(std::string_view text) {
    try {
      data_.directive(text);
    } catch (const std::length_error&) {
      throw InputError({{file_, line_, 0},
                        "sections of data have more than " + std::to_string(DataSections::kMostBytes >> 20U) + " MiB",
                        "list fewer functions, as with nvdisasm -fun INDEX"});
    }
  }

  /// "/* 0x000fc40000000f00 */" alone: the second half of the instruction before.
  void add_words() {
    if (words_.empty() || lost_instruction_) {
      return;
    }
    if (functions_.empty() || functions_.back().code.empty()) {
      throw BadLine{0, "this encoding belongs to no instruction", ""};
    }
    std::vector<std::uint64_t>& words = functions_.back().code.back().words;
    words.insert(words.end(), words_.begin(), words_.end());
    if (words.size() > kWordsOfInstruction) {
      throw BadLine{0, "the instruction before has more than 128 bits", "expected two words of 64 bits"};
    }
  }

  void instruction(std::string_view text, std::size_t at) {
    // What later tools print of the encoding behind the operands: "&req={0} &wr=0x2 ?trans1".
    text = trimmed(text.substr(0, std::min(text.find(" &"), text.find(" ?"))));
    if (++instructions_ > kMostListedInstructions) {
      throw InputError({{file_, line_, 0},
                        "more than " + std::to_string(kMostListedInstructions) + " instructions",
                        "list fewer functions, as with cuobjdump -fun NAME"});
    }
    ListedInstruction made;
    if (takes_encodings_) {
      encoded(text, at);
      return;
    }
    take_control(text, at, made);
    made.guard = text.starts_with('@') ? take_word(text, at) : std::string();
    const std::size_t opcode_at = at;
    made.place = {line_, static_cast<std::uint32_t>(at + 1)};
    made.opcode = take_word(text, at);
    if (made.opcode.empty() || std::isupper(static_cast<unsigned char>(made.opcode.front())) == 0 ||
        made.opcode.find_first_not_of(kOpcodeLetters) != std::string::npos) {
      throw BadLine{opcode_at, "'" + made.opcode + "' is not an opcode",
                    "opcodes are in capitals, as in 'FADD R0, R1, R2 ;'"};
    }
    split_operands(text, made.operands);
    place_instruction(made);
    tidy(made, opcode_at);
    decode(made, opcode_at);
    function().code.push_back(std::move(made));
    lost_instruction_ = false;
  }

  void place_instruction(ListedInstruction& made) {
    const ListedFunction& current = function();
    made.address = address_.value_or(current.code.empty() ? 0 : current.code.back().address + kInstructionBytes);
    if (!current.code.empty() && made.address <= current.code.back().address) {
      throw BadLine{0, "the address does not follow that of the instruction before", "expected ascending addresses"};
    }
    made.words = words_;
  }

  /// One whose encoding says all but the symbols that a linker fills in.
  void encoded(std::string_view text, std::size_t at) {
    ListedInstruction made;
    made.place = {line_, static_cast<std::uint32_t>(at + 1)};
    if (text.find('`') != text.npos || text.find('@', 1) != text.npos) {
      made.guard = text.starts_with('@') ? take_word(text, at) : std::string();
      made.opcode = take_word(text, at);
      split_operands(text, made.operands);
      std::erase_if(made.operands, [](const std::string& operand) { return !is_relocation(operand); });
    }
    place_instruction(made);
    function().code.push_back(std::move(made));
    lost_instruction_ = false;
  }

  void take_control(std::string_view& text, std::size_t& at, ListedInstruction& made) {
    const bool bracket = text.starts_with("[B");
    const std::string_view first = text.substr(0, text.find_first_of(" \t"));
    if (!bracket && std::count(first.begin(), first.end(), ':') < 2) {
      return;
    }
    const std::size_t begin = at;
    const std::string control = take_word(text, at);
    made.control = bracket ? isa::parse_control_bits(control) : parse_maxas_control(control);
    if (!made.control) {
      throw BadLine{begin, "'" + control + "' are not control bits",
                    "they look like [B--2---:R0:W3:Y:S04] or 04:1:4:Y:4"};
    }
  }

  static std::string take_word(std::string_view& text, std::size_t& at) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string word(text.substr(0, end));
    const std::size_t next = std::min(text.find_first_not_of(" \t", end), text.size());
    text.remove_prefix(next);
    at += next;
    return word;
  }

  static void split_operands(std::string_view text, std::vector<std::string>& operands) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && (text[i] == '[' || text[i] == '(' || text[i] == '{')) {
        ++depth;
      } else if (i < text.size() && (text[i] == ']' || text[i] == ')' || text[i] == '}')) {
        --depth;
      } else if (i == text.size() || (text[i] == ',' && depth == 0)) {
        const std::string_view operand = trimmed(text.substr(begin, i - begin));
        if (!operand.empty() || i < text.size()) {
          operands.emplace_back(operand);
        }
        begin = i + 1;
      }
    }
  }

  /// Operands as a program may repeat them: without blanks, and without signs that mean something there. What is left
  /// to a linker (32@lo(symbol)) and annotations of nvdisasm ((*"BRANCH_TARGETS ..."*)) are kept.
  static void tidy(ListedInstruction& made, std::size_t at) {
    const bool takes_labels = isa::info(isa::decode_opcode(made.opcode).timing).pipe == isa::Pipe::kCbu;
    for (std::string& operand : made.operands) {
      if (takes_labels || is_relocation(operand)) {
        continue;
      }
      std::erase_if(operand, is_space);
      const std::size_t strange = operand.find_first_not_of(kOperandLetters);
      if (strange != std::string::npos) {
        throw BadLine{at, made.opcode + ": operand '" + operand + "' makes no sense: '" + operand[strange] + "'", ""};
      }
    }
  }

  void decode(ListedInstruction& made, std::size_t at) const {
    made.instr = isa::decode_opcode(made.opcode);
    std::vector<std::string_view> operands(made.operands.begin(), made.operands.end());
    std::replace_if(operands.begin(), operands.end(), is_relocation, kLinkedLater);
    if (const auto error = isa::assign_operands(made.opcode, made.guard, operands, made.instr)) {
      throw BadLine{at, made.opcode + ": " + *error, ""};
    }
  }

  /// Every instruction has its encoding, or its control bits, or none has.
  void check_words(ListedFunction& function) {
    const auto is_bare = [](const ListedInstruction& one) { return one.words.empty() && !one.control; };
    const bool bare = std::all_of(function.code.begin(), function.code.end(), is_bare);
    for (ListedInstruction& one : function.code) {
      line_ = one.place.line;
      const std::size_t at = one.place.column - 1;
      if (!one.words.empty() && one.words.size() != kWordsOfInstruction) {
        report({at, one.opcode + " has an encoding of 64 bits", "expected 128, as Volta and later have"});
      } else if (!bare && is_bare(one)) {
        report({at, one.opcode + " has neither encoding nor control bits, others have", ""});
      } else if (!one.words.empty() && !one.control) {
        if (const auto field = decode_control(one.words[1])) {
          one.control = to_control_bits(*field);
        } else {
          report(
              {at, one.opcode + " has an encoding that names dependence counter 6", "expected 0 to 5, or 7 for none"});
        }
      }
    }
  }

  static bool is_bare(const ListedFunction& function) {
    return std::ranges::all_of(function.code, [](const ListedInstruction& one) { return one.words.empty(); });
  }

  /// Functions without encodings are one problem.
  void check_that_encoded() {
    const auto is_plain = [](const ListedFunction& function) { return !function.code.empty() && is_bare(function); };
    const auto plain = std::ranges::count_if(functions_, is_plain);
    if (plain == 0) {
      return;
    }
    const ListedFunction& first = *std::ranges::find_if(functions_, is_plain);
    line_ = first.code.front().place.line;
    const std::string others = plain == 1   ? "' has"
                               : plain == 2 ? "' and another one have"
                                            : "' and " + std::to_string(plain - 1) + " others have";
    report({0, "function '" + first.name + others + " no encodings, and only these can be executed",
            "print it with cuobjdump -sass or nvdisasm -hex; without a launch, 'gpusim trace import' makes a "
            "program to be filled in of it"});
  }

  /// Every instruction has its encoding, and stands where the one before ends.
  void check_encodings(const ListedFunction& function) {
    if (is_bare(function)) {
      return;
    }
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      const ListedInstruction& one = function.code[i];
      line_ = one.place.line;
      if (one.words.size() != kWordsOfInstruction) {
        report({one.place.column - 1,
                "the instruction has " + std::to_string(64 * one.words.size()) + " bits of encoding",
                "expected 128, as Volta and later have"});
      } else if (one.words[0] == 0) {
        report({one.place.column - 1, "the encoding has nothing but control bits: its first 64 bits are 0",
                "print the listing again, with cuobjdump -sass or nvdisasm -hex"});
        return;
      } else if (!decode_control(one.words[1])) {
        report({one.place.column - 1, "the encoding names dependence counter 6", "expected 0 to 5, or 7 for none"});
      }
      if (one.address != i * kInstructionBytes) {
        report({0, "instructions of '" + function.name + "' are missing before this one",
                "expected all of them, each 16 bytes behind the one before, from address 0 on"});
        return;
      }
    }
  }

  std::string_view rest_;
  std::string file_;
  bool takes_encodings_;
  std::uint32_t line_;
  std::optional<std::uint64_t> address_;
  std::vector<std::uint64_t> words_;
  std::vector<ListedFunction> functions_;
  std::map<std::string, std::uint32_t, std::less<>> begun_;  ///< functions, and the lines where they begin
  Resources resources_;
  DataSections data_;
  unsigned sm_ = 0;
  bool in_code_ = true;  ///< not in a section of data
  std::size_t instructions_ = 0;
  bool lost_instruction_ = false;  ///< the one that was last was refused, and what belongs to it means nothing
  bool has_lost_lines_ = false;
  ProblemList problems_;
};

}  // namespace

bool is_relocation(std::string_view operand) {
  return operand.starts_with("`(") ||
         (operand.find('@') != std::string_view::npos && operand.find('(') != std::string_view::npos);
}

std::vector<ListedFunction> read_listing(std::string_view text, const std::string& name) {
  return Reader(text, name, Take::kText, 1).run().functions;
}

ListedCode read_code_listing(std::string_view text, const std::string& name, std::uint32_t first_line) {
  return Reader(text, name, Take::kEncoding, first_line).run();
}

}  // namespace gpusim::frontend::sass
