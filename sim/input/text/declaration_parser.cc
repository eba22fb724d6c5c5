// SPDX-License-Identifier: MIT
#include "sim/input/text/declaration_parser.h"

#include "sim/input/text/memory_layout.h"

namespace gpusim::frontend {
namespace {

std::vector<SyntaxId> list(Scanner& in, const std::string& after) {
  std::vector<SyntaxId> values;
  in.expect("(", after);
  do {
    values.push_back(in.expression());
  } while (in.accept(","));
  in.expect(")", "the list");
  return values;
}

}  // namespace

BufferSyntax parse_buffer(Scanner& in, isa::MemSpace space) {
  const bool is_global = space == isa::MemSpace::kGlobal;
  BufferSyntax buffer;
  buffer.space = space;
  buffer.name = in.name("the buffer's name");
  if (is_global && in.accept("=")) {
    if (!in.hole()) {
      in.fail("expected a type and a count after the buffer's name, or '= ?'", "as in 'buffer x f32[1024]'");
    }
    return buffer;
  }
  buffer.type = in.name("an element type");
  buffer.element_bytes = element_bytes(buffer.type.text);
  in.expect("[", "the element type");
  buffer.count = in.expression();
  in.expect("]", "the number of elements");
  if (!is_global) {
    in.expect("at", "the buffer's size");
    buffer.offset = in.expression();
  } else if (in.accept("=")) {
    buffer.table = in.name("a table such as permutation or hash");
    in.expect("(", "'" + buffer.table->text + "'");
    do {
      buffer.table_args.push_back(in.expression());
    } while (in.accept(","));
    in.expect(")", "the arguments of '" + buffer.table->text + "'");
  }
  return buffer;
}

MbarrierSyntax parse_mbarrier(Scanner& in) {
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

TensorMapSyntax parse_tensor_map(Scanner& in) {
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

}  // namespace gpusim::frontend
