// SPDX-License-Identifier: MIT
// Atomic operations by kind and type, on shared and on global memory, with and without the old value coming back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpusim::silicon::atomic {

/// Where the lanes of a warp, and the warps, go.
struct Pattern {
  const char* name;
  std::uint32_t lane_bytes;  ///< from one lane's address to the next one's; 1: the next element
  std::uint32_t warp_bytes;  ///< from one warp's to the next one's

  [[nodiscard]] std::uint32_t lane_step(std::size_t element) const {
    return lane_bytes == 1 ? static_cast<std::uint32_t>(element) : lane_bytes;
  }
};

/// X(Name, C++ type, constraint letter, operation in PTX, operands after the address).
// clang-format off
#define SILICON_ATOMICS(X) \
  X(AddU32, std::uint32_t, "r", "add.u32", "%0") \
  X(AddF32, float, "f", "add.f32", "%0") \
  X(AddHalf2, std::uint32_t, "r", "add.noftz.f16x2", "%0") \
  X(AddU64, std::uint64_t, "l", "add.u64", "%0") \
  X(MaxU32, std::uint32_t, "r", "max.u32", "%0") \
  X(MinS32, std::int32_t, "r", "min.s32", "%0") \
  X(AndB32, std::uint32_t, "r", "and.b32", "%0") \
  X(Exch, std::uint32_t, "r", "exch.b32", "%0") \
  X(Cas, std::uint32_t, "r", "cas.b32", "%0, %2") \
  X(Cas64, std::uint64_t, "l", "cas.b64", "%0, %2")

/// Those without a result. (A bitwise one repeated would be done once: the compiler knows what it does.)
#define SILICON_REDUCTIONS(X) \
  X(RedAddU32, std::uint32_t, "r", "add.u32") \
  X(RedAddF32, float, "f", "add.f32") \
  X(RedAddHalf2, std::uint32_t, "r", "add.noftz.f16x2") \
  X(RedAddU64, std::uint64_t, "l", "add.u64") \
  X(RedMaxU32, std::uint32_t, "r", "max.u32")
// clang-format on

/// `x` is the operand and becomes the old value, so that the next operation waits for it.
#define SILICON_ATOMIC_OP(Name, Type, letter, op, operands)                                     \
  struct Name {                                                                                 \
    using Value = Type;                                                                         \
    static constexpr const char* kOp = op;                                                      \
    static constexpr bool kReturns = true;                                                      \
    static __device__ __forceinline__ void global(Type& x, std::uint64_t address, Type other) { \
      asm volatile("atom.global." op " %0, [%1], " operands ";"                                 \
                   : "+" letter(x)                                                              \
                   : "l"(address), letter(other)                                                \
                   : "memory");                                                                 \
    }                                                                                           \
    static __device__ __forceinline__ void shared(Type& x, std::uint32_t address, Type other) { \
      asm volatile("atom.shared." op " %0, [%1], " operands ";"                                 \
                   : "+" letter(x)                                                              \
                   : "r"(address), letter(other)                                                \
                   : "memory");                                                                 \
    }                                                                                           \
  };
#define SILICON_REDUCTION_OP(Name, Type, letter, op)                                      \
  struct Name {                                                                           \
    using Value = Type;                                                                   \
    static constexpr const char* kOp = op;                                                \
    static constexpr bool kReturns = false;                                               \
    static __device__ __forceinline__ void global(Type& x, std::uint64_t address, Type) { \
      asm volatile("red.global." op " [%0], %1;" ::"l"(address), letter(x) : "memory");   \
    }                                                                                     \
    static __device__ __forceinline__ void shared(Type& x, std::uint32_t address, Type) { \
      asm volatile("red.shared." op " [%0], %1;" ::"r"(address), letter(x) : "memory");   \
    }                                                                                     \
  };
SILICON_ATOMICS(SILICON_ATOMIC_OP)
SILICON_REDUCTIONS(SILICON_REDUCTION_OP)
#undef SILICON_ATOMIC_OP
#undef SILICON_REDUCTION_OP

}  // namespace gpusim::silicon::atomic
