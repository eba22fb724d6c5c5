// SPDX-License-Identifier: MIT
// Which generations have an opcode: the instruction set tables of NVIDIA's "CUDA Binary Utilities" (Volta: those of
// CUDA 11 and 12; Turing, Ampere and Ada, Hopper: also those of CUDA 13). What stands in none of them has no entry.
#include <string_view>

#include "sim/model/isa/decode.h"

namespace gpusim::isa {
namespace {

constexpr Generations kFromHopper = kHopper;
constexpr Generations kFromAmpere = kAmpere | kFromHopper;
constexpr Generations kFromTuring = kTuring | kFromAmpere;
constexpr Generations kFromVolta = kVolta | kFromTuring;

struct Group {
  Generations generations;
  std::string_view names;  ///< between blanks
};
constexpr Group kGroups[] = {
    {kFromVolta,
     " FADD FADD32I FCHK FFMA32I FFMA FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZADD MUFU HADD2 HADD2_32I HFMA2 HFMA2_32I "
     "HMMA HMUL2 HMUL2_32I HSET2 HSETP2 DADD DFMA DMUL DSETP "},
    {kFromVolta,
     " BMSK BREV FLO IABS IADD IADD3 IADD32I IDP IDP4A IMAD IMMA IMNMX IMUL IMUL32I ISCADD ISCADD32I ISETP LEA LOP "
     "LOP3 "
     "LOP32I POPC SHF SHL SHR VABSDIFF VABSDIFF4 F2F F2I I2F I2I I2IP FRND MOV MOV32I PRMT SEL SGXT SHFL PLOP3 PSETP "
     "P2R R2P "},
    {kFromVolta,
     " LD LDC LDG LDL LDS ST STG STL STS MATCH QSPC ATOM ATOMS ATOMG CCTL CCTLL ERRBAR MEMBAR CCTLT TEX TLD TLD4 TMML "
     "TXD TXQ SUATOM SULD SURED SUST "},
    {kFromVolta,
     " BMOV BPT BRA BREAK BRX BSSY BSYNC CALL EXIT JMP JMX KILL NANOSLEEP RET RPCMOV WARPSYNC YIELD B2R BAR CS2R "
     "DEPBAR "
     "GETLMEMBASE LEPC NOP PMTRIG S2R SETCTAID SETLMEMBASE VOTE "},
    {kFromTuring,
     " BMMA MOVM LDSM R2UR S2UR UBMSK UBREV UCLEA UFLO UIADD3 UIMAD UISETP ULDC ULEA ULOP ULOP3 ULOP32I UMOV UP2UR "
     "UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU BRXU JMXU "},
    {kFromAmpere, " HMNMX2 DMMA I2FP F2IP LDGDEPBAR LDGSTS REDUX UF2FP "},
    {kFromHopper,
     " VHMNMX VIADD VIADDMNMX VIMNMX VIMNMX3 FENCE LDGMC STSM STAS SYNCS REDAS REDG UCGABAR_ARV UCGABAR_WAIT ULEPC "
     "USETMAXREG BGMMA HGMMA IGMMA QGMMA WARPGROUP WARPGROUPSET UBLKCP UBLKPF UBLKRED UTMACCTL UTMACMDFLUSH UTMALDG "
     "UTMAPF UTMAREDG UTMASTG ACQBULK CGAERRBAR ELECT ENDCOLLECTIVE PREEXIT "},
    {kVolta | kTuring | kAmpere, " RED "},
    {kVolta | kTuring, " R2B RTT "},
    {kVolta, " CSMTEST VOTE_VTG "},
};

constexpr std::string_view kGenerationNames[] = {"Volta", "Turing", "Ampere", "Hopper"};

}  // namespace

Generations generations_of(std::string_view base) {
  const std::string word = " " + std::string(base) + " ";
  for (const Group& group : kGroups) {
    if (group.names.find(word) != std::string_view::npos) {
      return group.generations;
    }
  }
  return 0;
}

std::vector<std::string_view> listed_opcodes(Generations generation) {
  std::vector<std::string_view> names;
  for (const Group& group : kGroups) {
    if ((group.generations & generation) == 0) {
      continue;
    }
    for (std::size_t begin = 1; begin < group.names.size();) {
      const std::size_t end = group.names.find(' ', begin);
      names.push_back(group.names.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return names;
}

std::string to_text(Generations generations) {
  std::string text;
  for (unsigned i = 0; i < std::size(kGenerationNames); ++i) {
    if (((generations >> i) & 1U) != 0) {
      text += (text.empty() ? "" : ", ") + std::string(kGenerationNames[i]);
    }
  }
  return text;
}

}  // namespace gpusim::isa
