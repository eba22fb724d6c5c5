// SPDX-License-Identifier: MIT
// The part of the parser that reads mbarriers and tensor maps, and what is said of them behind an address source.
#include <array>

#include "sim/input/text/memory_layout.h"
#include "sim/input/text/parser.h"

namespace gpusim::frontend {
namespace {

constexpr std::array<std::string_view, 7> kValueClauses{"init",   "arrive", "expect",   "complete",
                                                        "parity", "bytes",  "multicast"};

}  // namespace

MbarrierSyntax Parser::mbarrier(Scanner& in) {
  count_declaration(in);
  MbarrierSyntax made;
  made.name = in.name("the mbarrier's name");
  if (in.accept("[")) {
    made.count = in.expression();
    in.expect("]", "the number of mbarriers");
  }
  in.expect("at", "the mbarrier's name");
  made.offset = in.expression();
  return made;
}

std::vector<SyntaxId> Parser::list(Scanner& in, const std::string& after) {
  std::vector<SyntaxId> values;
  in.expect("(", after);
  do {
    values.push_back(in.expression());
  } while (in.accept(","));
  in.expect(")", "the list");
  return values;
}

TensorMapSyntax Parser::tensor_map(Scanner& in) {
  count_declaration(in);
  TensorMapSyntax made;
  made.name = in.name("the tensor map's name");
  made.type = in.name("an element type");
  made.element_bytes = element_bytes(made.type.text);
  made.sizes = list(in, "the element type");
  in.expect("over", "the sizes");
  made.buffer = in.name("a buffer's name");
  if (in.next_is("+")) {
    made.offset = in.expression();
  }
  if (in.accept("strides")) {
    made.strides = list(in, "'strides'");
  }
  in.expect("box", "the buffer's name");
  made.box = list(in, "'box'");
  if (in.accept("swizzle")) {
    made.swizzle.place = in.place();
    for (const std::string_view mode : {"none", "32B", "64B", "128B"}) {
      if (in.accept(mode)) {
        made.swizzle.text = mode;
        return made;
      }
    }
    in.fail("unknown swizzle", "allowed: none, 32B, 64B, 128B");
  }
  return made;
}

void Parser::clauses(Scanner& in, Statement& statement) {
  for (bool found = true; found;) {
    found = false;
    Clause clause;
    clause.word.place = in.place();
    const std::string word(in.peek_name());
    if (word == "signals") {
      found = in.accept(word);
      clause.barrier = access(in);
    } else {
      for (const std::string_view known : kValueClauses) {
        found = found || (word == known && in.accept(known));
      }
      clause.value = found ? in.expression() : kNoSyntax;
    }
    if (found) {
      clause.word.text = word;
      statement.clauses.push_back(std::move(clause));
    }
  }
}

}  // namespace gpusim::frontend
