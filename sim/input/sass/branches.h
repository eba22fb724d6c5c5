// SPDX-License-Identifier: MIT
// What each instruction of a listing does to the flow of its warp, and where its branches lead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/input/listing/listing.h"

namespace gpusim::frontend::sass {

inline constexpr std::uint32_t kNowhere = 0xffffffffU;

enum class Role : std::uint8_t {
  kPlain,
  kBranch,
  kCall,    ///< calls code in the same function
  kReturn,  ///< RET
  kExit,
  kNever,     ///< guarded by !PT, or a branch for warps that are apart where they should be whole (BRA.DIV)
  kIndirect,  ///< a target that is not known before run time, or that is not in the listing
};

/// What is wrong with an instruction, and what may be done about it.
struct Refusal {
  std::string message;
  std::string hint;
};

struct BranchInfo {
  Role role = Role::kPlain;
  std::uint32_t target = kNowhere;  ///< for kBranch and kCall: index into ListedFunction::code
  std::string guard;                ///< "@P0"; empty: unconditional
};

class Branches {
 public:
  explicit Branches(const ListedFunction& function);

  [[nodiscard]] const BranchInfo& operator[](std::uint32_t at) const { return infos_[at]; }
  /// Whether the instruction behind may follow; that of a call follows its return.
  [[nodiscard]] bool goes_on(std::uint32_t at) const;
  /// Where the subroutine that returns through `link` ("R4") goes back to; kNowhere when that is out of the function.
  [[nodiscard]] std::uint32_t return_of(std::uint32_t call, const std::string& link) const;
  /// Why `at`, which is kIndirect, cannot be written as a program.
  [[nodiscard]] Refusal refusal(std::uint32_t at) const;

 private:
  [[nodiscard]] std::uint32_t place_of(std::string_view written) const;

  const ListedFunction& function_;
  std::unordered_map<std::uint64_t, std::uint32_t> at_address_;
  std::vector<BranchInfo> infos_;
};

/// The register that a RET goes through: "R4" of "RET.REL.NODEC R4 `(f)", or "RZ".
[[nodiscard]] std::string link_of(const ListedInstruction& ret);

}  // namespace gpusim::frontend::sass
