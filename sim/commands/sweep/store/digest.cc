// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/store/digest.h"

#include <array>
#include <new>

#include <xxhash.h>

namespace gpusim::sweep {

struct Digest::State {
  XXH3_state_t* hash = XXH3_createState();
};

void Digest::Free::operator()(State* state) const {
  XXH3_freeState(state->hash);
  delete state;
}

Digest::Digest() : state_(new State) {
  if (state_->hash == nullptr) {
    throw std::bad_alloc();
  }
  XXH3_128bits_reset(state_->hash);
}

Digest& Digest::add(std::string_view part) {
  add(std::uint64_t{part.size()});
  XXH3_128bits_update(state_->hash, part.data(), part.size());
  return *this;
}

Digest& Digest::add(std::uint64_t number) {
  std::array<unsigned char, sizeof number> bytes{};
  for (unsigned char& byte : bytes) {  // the same bytes on machines of either order
    byte = static_cast<unsigned char>(number);
    number >>= 8U;
  }
  XXH3_128bits_update(state_->hash, bytes.data(), bytes.size());
  return *this;
}

std::string Digest::hex() const {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  XXH128_canonical_t canonical{};
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_->hash));
  std::string out;
  for (const unsigned char byte : canonical.digest) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

}  // namespace gpusim::sweep
