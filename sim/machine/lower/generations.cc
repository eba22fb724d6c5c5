// SPDX-License-Identifier: MIT
#include "sim/machine/lower/generations.h"

namespace gpusim::lower {

// The PTX ISA names the first target of each instruction; what later GPUs dropped stands in configs/*.yaml, class by
// class, as unsupported. Advice only: nothing is simulated by it.
std::string_view generations_of(isa::TimingClass timing) {
  using enum isa::TimingClass;
  switch (timing) {
    case kHmma884F32:
    case kHmma884F16: return "7.0";
    case kUniform:
    case kMatrixLoad:
    case kHmma1688F32:
    case kHmma1688F16:
    case kImma8816:
    case kBmma88128: return "7.5 or higher";
    case kImma4x8832: return "7.5 to 8.9";
    case kHmma16816F32:
    case kHmma16816F16:
    case kHmma1688Tf32:
    case kHmma1684Tf32:
    case kImma16816:
    case kImma16832:
    case kDmma884:
    case kHmmaSp16832F32:
    case kHmmaSp16832F16:
    case kHmmaSp16816F32:
    case kHmmaSp16816F16:
    case kHmmaSp16816Tf32:
    case kHmmaSp1688Tf32:
    case kImmaSp16864:
    case kImmaSp16832:
    case kBmma168256:
    case kBmma168128:
    case kRedux:
    case kAsyncCopy:
    case kMbarrier: return "8.0 or higher";
    case kImma4x16864:
    case kImma4x16832:
    case kImma4Sp168128:
    case kImma4Sp16864: return "8.0 to 8.9";
    case kQmma16832F32:
    case kQmma16832F16:
    case kQmma16816F32:
    case kQmma16816F16:
    case kQmmaSp16864F32:
    case kQmmaSp16864F16: return "8.9 or 12.0";
    case kDmma1684:
    case kDmma1688:
    case kDmma16816: return "9.0 to 10.0";
    case kTensorCopy:
    case kRegisterPool: return "9.0 or higher";
    case kWgmma: return "9.0";
    default: return {};
  }
}

}  // namespace gpusim::lower
