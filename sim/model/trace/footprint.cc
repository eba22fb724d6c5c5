// SPDX-License-Identifier: MIT
#include "sim/model/trace/footprint.h"

#include <algorithm>
#include <bit>

#include "sim/model/trace/kernel.h"

namespace gpusim::trace {

void Footprint::mark(std::uint64_t sector) {
  const std::uint64_t chunk = sector / kChunkSectors;
  if (chunk != recent_) {
    recent_ = chunk;
    recent_chunk_ = &chunks_[chunk];
  }
  const std::uint64_t bit = sector % kChunkSectors;
  (*recent_chunk_)[bit / 64] |= std::uint64_t{1} << bit % 64;
}

void Footprint::touch(const LaneAddresses& at, LaneMask mask, std::uint32_t bytes) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) == 0) {
      continue;
    }
    const Address begin = at.base + static_cast<Address>(at.offsets[lane]);
    const std::uint64_t last = (begin + std::max<std::uint32_t>(bytes, 1) - 1) / kSectorBytes;
    for (std::uint64_t sector = begin / kSectorBytes; sector <= last; ++sector) {
      mark(sector);
    }
  }
}

void Footprint::touch(Address begin, std::uint64_t bytes) {
  for (std::uint64_t sector = begin / kSectorBytes; sector * kSectorBytes < begin + bytes; ++sector) {
    mark(sector);
  }
}

std::vector<Touched> Footprint::by_buffer(const Kernel& kernel) const {
  std::vector<const Buffer*> buffers;
  std::vector<Touched> touched;
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.space == isa::MemSpace::kGlobal && buffer.bytes != 0) {
      buffers.push_back(&buffer);
      touched.push_back({buffer.name, 0, buffer.bytes});
    }
  }
  touched.push_back({});
  for (const auto& [number, chunk] : chunks_) {
    for (std::uint64_t word = 0; word < chunk.size(); ++word) {
      for (std::uint64_t rest = chunk[word]; rest != 0; rest &= rest - 1) {
        const std::uint64_t sector = number * kChunkSectors + word * 64 + static_cast<unsigned>(std::countr_zero(rest));
        const Address at = sector * kSectorBytes;
        const auto holds = [at](const Buffer* buffer) {
          return at >= buffer->base && at < buffer->base + buffer->bytes;
        };
        const auto found = std::ranges::find_if(buffers, holds);
        Touched& row = touched[static_cast<std::size_t>(found - buffers.begin())];
        // The last sector of a buffer may reach beyond its end.
        const std::uint64_t end = found == buffers.end() ? at + kSectorBytes : (*found)->base + (*found)->bytes;
        row.bytes += std::min(kSectorBytes, end - at);
      }
    }
  }
  std::erase_if(touched, [](const Touched& row) { return row.bytes == 0; });
  return touched;
}

}  // namespace gpusim::trace
