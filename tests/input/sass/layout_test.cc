// SPDX-License-Identifier: MIT
// Whatever order a program has a function's instructions in: each lane executes those that it executes in the listing.
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/input/sass/program_text.h"
#include "sim/input/text/load.h"
#include "sim/model/trace/walker.h"

namespace layout_test {

using namespace gpusim;

namespace {

/// A function as a list of lines that an interpreter can run, too. Predicate k is true in lanes whose bit k is set.
struct Line {
  enum class Kind { kMark, kBranch, kCall, kReturn, kExit } kind = Kind::kMark;
  std::size_t target = 0;
  int predicate = -1;  ///< none
  bool negated = false;
};
using Code = std::vector<Line>;
using Kind = Line::Kind;

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  /// A kernel, code behind its exit that leads back, and subroutines.
  Code make() {
    const std::size_t count = 6 + below(12);
    const std::size_t detours = below(3);
    const std::size_t subroutines = below(3);
    std::vector<std::size_t> last(detours, count);  // branch to each detour
    for (std::size_t i = 0; i + 1 < count; ++i) {
      code_.push_back(some_line(i, count, detours, subroutines, last));
    }
    code_.push_back({Kind::kExit, 0, -1, false});
    std::vector<std::size_t> begins;
    for (std::size_t one = 0; one < detours; ++one) {
      begins.push_back(code_.size());
      code_.resize(code_.size() + 1 + below(2));
      const std::size_t behind = last[one] == count ? 0 : last[one];
      code_.push_back({Kind::kBranch, behind + 1 + below(count - behind - 1), -1, false});
    }
    for (std::size_t one = 0; one < subroutines; ++one) {
      begins.push_back(code_.size());
      subroutine();
    }
    for (Line& line : code_) {
      line.target = line.target >= kNamed ? begins[line.target - kNamed] : line.target;
    }
    return code_;
  }

 private:
  static constexpr std::size_t kNamed = 1000;  ///< and above: a detour or a subroutine, by its number

  std::size_t below(std::size_t end) { return random_() % end; }
  Line guarded(Kind kind, std::size_t target) { return {kind, target, static_cast<int>(below(5)), below(2) == 0}; }

  Line some_line(std::size_t at, std::size_t count, std::size_t detours, std::size_t subroutines,
                 std::vector<std::size_t>& last) {
    switch (below(6)) {
      case 0: return guarded(Kind::kBranch, at + 1 + below(count - at - 1));
      case 1:
        if (detours != 0) {
          const std::size_t one = below(detours);
          last[one] = at;
          return guarded(Kind::kBranch, kNamed + one);
        }
        return {};
      case 2:
        if (subroutines != 0) {
          Line call = guarded(Kind::kCall, kNamed + detours + below(subroutines));
          call.predicate = below(2) == 0 ? -1 : call.predicate;
          return call;
        }
        return {};
      default: return {};
    }
  }

  void subroutine() {
    const std::size_t begin = code_.size();
    code_.push_back({});
    code_.push_back(guarded(Kind::kBranch, begin + 3));
    code_.push_back({});
    code_.push_back({});
    code_.push_back({Kind::kReturn, 0, -1, false});
  }

  std::mt19937 random_;
  Code code_;
};

std::string text_of(const Code& code) {
  std::ostringstream text;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Line& line = code[i];
    text << ".L_" << i << ":\n";
    if (line.predicate >= 0) {
      text << (line.negated ? "@!P" : "@P") << line.predicate << " ";
    }
    switch (line.kind) {
      case Kind::kMark: text << "FADD R" << i << ", R0, R0 ;\n"; break;
      case Kind::kBranch: text << "BRA `(.L_" << line.target << ") ;\n"; break;
      case Kind::kCall: text << "CALL.REL.NOINC `(.L_" << line.target << ") ;\n"; break;
      case Kind::kReturn: text << "RET.REL.NODEC R250 `(f) ;\n"; break;
      case Kind::kExit: text << "EXIT ;\n"; break;
    }
  }
  return text.str();
}

/// The marks that a lane passes.
std::string marks_of(const Code& code, unsigned lane) {
  std::string marks;
  std::vector<std::size_t> calls;
  for (std::size_t at = 0; code[at].kind != Kind::kExit;) {
    const Line& line = code[at];
    const bool taken =
        line.predicate < 0 || (((lane >> static_cast<unsigned>(line.predicate)) & 1U) != 0) != line.negated;
    const std::size_t next = at + 1;
    switch (line.kind) {
      case Kind::kMark: marks += " R" + std::to_string(at); break;
      case Kind::kCall:
        if (taken) {
          calls.push_back(next);
        }
        break;
      case Kind::kReturn:
        at = calls.back();
        calls.pop_back();
        continue;
      default: break;
    }
    at = line.kind != Kind::kMark && taken ? line.target : next;
  }
  return marks;
}

/// With what each guard's predicate says in place of its hole.
std::string filled(const std::string& program) {
  std::istringstream in(program);
  std::string made;
  for (std::string line; std::getline(in, line); made += line + "\n") {
    const std::size_t hole = line.starts_with('#') ? std::string::npos : line.find("when ?");
    if (hole != std::string::npos) {
      const std::size_t guard = line.find("@");
      const bool negated = line[guard + 1] == '!';
      const char predicate = line[guard + (negated ? 3 : 2)];
      line.replace(hole, 6, std::string("when ") + (negated ? "!" : "") + "bit(lane, " + predicate + ")");
    } else if (line.starts_with("param")) {
      line.replace(line.find("= ?"), 3, line.starts_with("param threads") ? "= 32" : "= 1");
    }
  }
  return made;
}

std::vector<std::string> walked_marks(const trace::Kernel& kernel) {
  std::vector<std::string> marks(32);
  trace::Walker walker(kernel, {}, 0);
  trace::Step step;
  while (walker.next(step)) {
    const isa::InstrText& text = kernel.texts[step.pc];
    for (unsigned lane = 0; lane < 32 && text.opcode == "FADD"; ++lane) {
      if (((step.mask >> lane) & 1U) != 0) {
        const std::size_t begin = text.text.find('R');
        marks[lane] += " " + text.text.substr(begin, text.text.find(',') - begin);
      }
    }
  }
  return marks;
}

}  // namespace

TEST_CASE("with subroutines inlined and detours back in place, each lane executes what the listing says") {
  std::size_t imported = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Code code = Maker(seed).make();
    const std::string listing = text_of(code);
    std::string program;
    try {
      program = frontend::sass::program_from_listing(listing, "f");
    } catch (const InputError& error) {
      INFO(listing << error.what());
      CHECK(std::string(error.what()).find("loop") != std::string::npos);  // detours that cross
      continue;
    }
    ++imported;
    INFO(listing << program);
    const trace::Trace trace = frontend::load_trace_text(filled(program), "f.trace", {});
    const auto marks = walked_marks(trace.kernels[0]);
    for (unsigned lane = 0; lane < 32; ++lane) {
      REQUIRE(marks[lane] == marks_of(code, lane));
    }
  }
  CHECK(imported > 400);
}

TEST_CASE("what is wrong with one function hides nothing of the next") {
  std::string error;
  try {
    (void)frontend::sass::program_from_listing(
        "Function : a\n/*0000*/ CALL.ABS.NOINC `(foo) ;\n/*0010*/ EXIT ;\n"
        "Function : b\n/*0000*/ @P0 BRA 0x20 ;\n/*0010*/ FADD R1, R1, R1 ;\n/*0020*/ FADD R1, R1, R1 ;\n"
        "/*0030*/ @P1 BRA 0x10 ;\n/*0040*/ EXIT ;\n",
        "two.sass");
  } catch (const InputError& caught) {
    error = caught.what();
  }
  CHECK(error.find("two.sass:2:10: CALL.ABS.NOINC calls '`(foo)'") == 0);
  CHECK(error.find("\ntwo.sass:5:14: BRA enters a loop from outside") != std::string::npos);
}

}  // namespace layout_test
