// SPDX-License-Identifier: MIT
// Special registers by number: Mesa's NAK, code/text pairs of CuAssembler, own code of ptxas 13.0.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/code/sass/text.h"

namespace gpusim::sass {
namespace {

struct SpecialRegister {
  std::int64_t number;
  std::string_view name;
};

constexpr SpecialRegister kSpecialRegisters[] = {
    {0, "SR_LANEID"},
    {1, "SR_CLOCK"},
    {2, "SR_VIRTCFG"},
    {3, "SR_VIRTID"},
    {15, "SR_ORDERING_TICKET"},
    {16, "SR_PRIM_TYPE"},
    {32, "SR_TID"},
    {33, "SR_TID.X"},
    {34, "SR_TID.Y"},
    {35, "SR_TID.Z"},
    {36, "SR_CTA_PARAM"},
    {37, "SR_CTAID.X"},
    {38, "SR_CTAID.Y"},
    {39, "SR_CTAID.Z"},
    {40, "SR_NTID"},
    {41, "SR_CirQueueIncrMinusOne"},
    {42, "SR_NLATC"},
    {44, "SR_SM_SPA_VERSION"},
    {45, "SR_MULTIPASSSHADERINFO"},
    {46, "SR_LWINHI"},
    {47, "SR_SWINHI"},
    {48, "SR_SWINLO"},
    {49, "SR_SWINSZ"},
    {50, "SR_SMEMSZ"},
    {51, "SR_SMEMBANKS"},
    {52, "SR_LWINLO"},
    {53, "SR_LWINSZ"},
    {54, "SR_LMEMLOSZ"},
    {55, "SR_LMEMHIOFF"},
    {56, "SR_EQMASK"},
    {57, "SR_LTMASK"},
    {58, "SR_LEMASK"},
    {59, "SR_GTMASK"},
    {60, "SR_GEMASK"},
    {61, "SR_REGALLOC"},
    {62, "SR_BARRIERALLOC"},
    {64, "SR_GLOBALERRORSTATUS"},
    {66, "SR_WARPERRORSTATUS"},
    {67, "SR_VIRTUALSMID"},
    {68, "SR_VIRTUALENGINEID"},
    {80, "SR_CLOCKLO"},
    {81, "SR_CLOCKHI"},
    {82, "SR_GLOBALTIMERLO"},
    {83, "SR_GLOBALTIMERHI"},
    {96, "SR_HWTASKID"},
    {97, "SR_CIRCULARQUEUEENTRYINDEX"},
    {98, "SR_CIRCULARQUEUEENTRYADDRESSLOW"},
    {99, "SR_CIRCULARQUEUEENTRYADDRESSHIGH"},
    {100, "SR_PM0"},
    {102, "SR_PM1"},
    {104, "SR_PM2"},
    {106, "SR_PM3"},
    {108, "SR_PM4"},
    {110, "SR_PM5"},
    {112, "SR_PM6"},
    {114, "SR_PM7"},
    {136, "SR_CgaCtaId"},
    {255, "SRZ"},
};

}  // namespace

std::string special_register_name(std::int64_t number) {
  const auto* found = std::ranges::find(kSpecialRegisters, number, &SpecialRegister::number);
  return found != std::end(kSpecialRegisters) ? std::string(found->name) : "SR_" + std::to_string(number);
}

}  // namespace gpusim::sass
