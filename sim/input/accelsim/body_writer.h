// SPDX-License-Identifier: MIT
// What warps do, as the lines of a body.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/accelsim/program.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::frontend::accelsim {

class BodyWriter final : public trace::WarpSink {
 public:
  using Write = std::function<void(std::string_view text)>;

  /// How an LDGSTS is written: NVBit records a line for its shared and one for its global side; what Accel-Sim replays
  /// has the latter alone, since its post-processing drops the other.
  enum class Copies : std::uint8_t { kBothSides, kGlobalSide };

  /// Writes a CTA at a time; `first_cta` is written as number 0 of `grid`, the grid of the file. Throws InputError
  /// about `file` for an address that the reader would take for another memory space.
  BodyWriter(const trace::Kernel& kernel, const Windows& windows, std::uint64_t first_cta, const Dim3& grid,
             Copies copies, std::string file, Write write);

  void begin_warp(std::uint64_t cta, std::uint32_t warp) override;
  void step(std::uint32_t pc, LaneMask active, LaneMask mask) override;
  void access(trace::AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask) override;
  void end_warp() override;

 private:
  using Lanes = std::array<Address, kWarpLanes>;

  void write_step();
  void write_line(trace::AccessSlot slot);
  void write_addresses(const Lanes& addresses, LaneMask mask);
  [[nodiscard]] Lanes written(trace::AccessSlot slot) const;
  [[nodiscard]] bool reads_back(Address address, Address from, trace::AccessSlot slot, isa::MemSpace space) const;

  const trace::Kernel& kernel_;
  Windows windows_;
  std::uint64_t first_cta_;
  Dim3 grid_;
  Copies copies_;
  std::string file_;
  Write write_;
  std::vector<std::string> signatures_;  ///< by index into the code
  std::uint32_t warp_ = 0;
  std::uint64_t instructions_ = 0;  ///< instructions of the open warp
  std::string lines_;               ///< lines of the open warp
  std::string cta_text_;
  trace::Step step_;
  bool has_step_ = false;
  std::array<Lanes, trace::kAccessSlots> addresses_{};
  std::array<bool, trace::kAccessSlots> accessed_{};
};

}  // namespace gpusim::frontend::accelsim
