// SPDX-License-Identifier: MIT
#include "sim/input/sass/launch_reads.h"

#include <string_view>

namespace gpusim::frontend::sass {
namespace {

struct Read {
  std::string_view operand;
  bool of_grid;
  std::size_t axis;
};
/// The constants are where ptxas keeps blockDim and gridDim, Volta to Hopper.
constexpr Read kReads[] = {{"SR_CTAID.Y", true, 1},   {"SR_CTAID.Z", true, 2},   {"SR_NCTAID.Y", true, 1},
                           {"SR_NCTAID.Z", true, 2},  {"SR_TID.Y", false, 1},    {"SR_TID.Z", false, 2},
                           {"SR_NTID.Y", false, 1},   {"SR_NTID.Z", false, 2},   {"c[0x0][0x4]", false, 1},
                           {"c[0x0][0x8]", false, 2}, {"c[0x0][0x10]", true, 1}, {"c[0x0][0x14]", true, 2}};

}  // namespace

void LaunchReads::add(const std::string& operand) {
  for (const Read& read : kReads) {
    if (operand == read.operand) {
      auto& reads = read.of_grid ? grid : block;
      reads[read.axis] = true;
      reads[1] = true;  // code that asks for z has y, too
    }
  }
}

}  // namespace gpusim::frontend::sass
