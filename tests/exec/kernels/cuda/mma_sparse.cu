// SPDX-License-Identifier: MIT
// C = A B^T where two of four values of A are there (one of two of TF32). A has rows of what is there, the metadata has
// 32 bits for each 16, 32 or 64 values of k of a row: four for each group. Each kernel uses both depths of its type,
// and lets different lanes say the metadata.
#include "mma.cuh"

#define GPUSIM_D "{%0, %1, %2, %3}"

/// 32 bits a row of metadata: which 16 of them, of both rows, where one lane of four says all.
struct Metadata {
  const unsigned* rows;
  int pitch;
  int g;
  int t;

  __device__ Metadata(const Place& place, const unsigned* of_all, int its_pitch, int word)
      : rows(of_all + place.row * its_pitch + word), pitch(its_pitch), g(place.g), t(place.t) {}
  __device__ unsigned half(int which) const {
    return (rows[g * pitch] >> 16 * which & 0xffff) | rows[(g + 8) * pitch] >> 16 * which << 16;
  }
  /// Lane `selector` of four says 16 bits of both rows; the other lanes have what would be wrong.
  __device__ unsigned of_one(int which, int selector) const { return t == selector ? half(which) : ~half(which); }
  /// Two lanes say 16 bits of both rows each.
  __device__ unsigned of_two(int selector) const { return t / 2 == selector ? half(t % 2) : ~half(t % 2); }
  /// Two lanes say all bits of a row each.
  __device__ unsigned of_two_rows(int selector) const {
    const unsigned row = rows[(g + t % 2 * 8) * pitch];
    return t / 2 == selector ? row : ~row;
  }
  /// Four lanes say half of the 64 bits of a row each.
  __device__ unsigned of_four_rows() const { return rows[(g + t % 2 * 8) * pitch + t / 2]; }
};

/// Values in bytes: `at` is the first of a chunk, 16 bytes of a row.
struct Rows {
  const char* first;
  int pitch;
  __device__ unsigned a(int chunk, int eight, const Place& place) const {
    return word(first + (place.row + place.g + 8 * eight) * pitch + chunk * 16 + place.t * 4);
  }
  __device__ unsigned b(int chunk, const Place& place) const {
    return word(first + (place.column + place.g) * pitch + chunk * 16 + place.t * 4);
  }
};

/// Half a depth: two registers of A and two of B.
#define GPUSIM_NARROW(shape_and_types, letter, selector, metadata)                                                     \
  asm volatile("mma.sp::ordered_metadata.sync.aligned." shape_and_types " " GPUSIM_D ", {%4, %5}, {%6, %7}, " GPUSIM_D \
               ", %8, " #selector ";"                                                                                  \
               : letter(d[0]), letter(d[1]), letter(d[2]), letter(d[3])                                                \
               : "r"(rows_a.a(chunk, 0, place)), "r"(rows_a.a(chunk, 1, place)), "r"(rows_b.b(2 * chunk, place)),      \
                 "r"(rows_b.b(2 * chunk + 1, place)), "r"(metadata));                                                  \
  ++chunk
/// A whole one: four and four.
#define GPUSIM_WIDE(shape_and_types, letter, selector, metadata)                                                     \
  asm volatile("mma.sp::ordered_metadata.sync.aligned." shape_and_types " " GPUSIM_D                                 \
               ", {%4, %5, %6, %7}, {%8, %9, %10, %11}, " GPUSIM_D ", %12, " #selector ";"                           \
               : letter(d[0]), letter(d[1]), letter(d[2]), letter(d[3])                                              \
               : "r"(rows_a.a(chunk, 0, place)), "r"(rows_a.a(chunk, 1, place)), "r"(rows_a.a(chunk + 1, 0, place)), \
                 "r"(rows_a.a(chunk + 1, 1, place)), "r"(rows_b.b(2 * chunk, place)),                                \
                 "r"(rows_b.b(2 * chunk + 1, place)), "r"(rows_b.b(2 * chunk + 2, place)),                           \
                 "r"(rows_b.b(2 * chunk + 3, place)), "r"(metadata));                                                \
  chunk += 2

/// 128 values of k.
extern "C" __global__ void mma_sparse_f16(int n, const char* a, const char* b, const unsigned* metadata, float* c) {
  const Place place;
  const Rows rows_a{a, 128};
  const Rows rows_b{b, 256};
  const auto of = [&](int at) { return Metadata(place, metadata, 4, at); };
  float d[4] = {};
  int chunk = 0;
  GPUSIM_NARROW("m16n8k16.row.col.f32.f16.f16.f32", "+f", 0, of(0).of_one(0, 0));
  GPUSIM_NARROW("m16n8k16.row.col.f32.f16.f16.f32", "+f", 3, of(0).of_one(1, 3));
  GPUSIM_WIDE("m16n8k32.row.col.f32.f16.f16.f32", "+f", 0, of(1).of_two(0));
  GPUSIM_NARROW("m16n8k16.row.col.f32.f16.f16.f32", "+f", 1, of(2).of_one(0, 1));
  GPUSIM_NARROW("m16n8k16.row.col.f32.f16.f16.f32", "+f", 2, of(2).of_one(1, 2));
  GPUSIM_WIDE("m16n8k32.row.col.f32.f16.f16.f32", "+f", 1, of(3).of_two(1));
  store_tile(place, n, d, c);
}

/// 64 values of k.
extern "C" __global__ void mma_sparse_tf32(int n, const char* a, const char* b, const unsigned* metadata, float* c) {
  const Place place;
  const Rows rows_a{a, 128};
  const Rows rows_b{b, 256};
  const auto of = [&](int at) { return Metadata(place, metadata, 4, at); };
  float d[4] = {};
  int chunk = 0;
  GPUSIM_NARROW("m16n8k8.row.col.f32.tf32.tf32.f32", "+f", 0, of(0).of_one(0, 0));
  GPUSIM_NARROW("m16n8k8.row.col.f32.tf32.tf32.f32", "+f", 3, of(0).of_one(1, 3));
  GPUSIM_WIDE("m16n8k16.row.col.f32.tf32.tf32.f32", "+f", 0, of(1).of_two(0));
  GPUSIM_NARROW("m16n8k8.row.col.f32.tf32.tf32.f32", "+f", 1, of(2).of_one(0, 1));
  GPUSIM_NARROW("m16n8k8.row.col.f32.tf32.tf32.f32", "+f", 2, of(2).of_one(1, 2));
  GPUSIM_WIDE("m16n8k16.row.col.f32.tf32.tf32.f32", "+f", 1, of(3).of_two(1));
  store_tile(place, n, d, c);
}

/// Signed A, unsigned B; 128 values of k.
extern "C" __global__ void mma_sparse_int8(int n, const char* a, const char* b, const unsigned* metadata, int* c) {
  const Place place;
  const Rows rows_a{a, 64};
  const Rows rows_b{b, 128};
  const auto of = [&](int at) { return Metadata(place, metadata, 4, at); };
  int d[4] = {};
  int chunk = 0;
  GPUSIM_NARROW("m16n8k32.row.col.s32.s8.u8.s32", "+r", 0, of(0).of_two_rows(0));
  GPUSIM_NARROW("m16n8k32.row.col.s32.s8.u8.s32", "+r", 1, of(1).of_two_rows(1));
  GPUSIM_WIDE("m16n8k64.row.col.s32.s8.u8.s32", "+r", 0, of(2).of_four_rows());
  store_tile(place, n, d, c);
}

/// Signed A, unsigned B; 256 values of k.
extern "C" __global__ void mma_sparse_int4(int n, const char* a, const char* b, const unsigned* metadata, int* c) {
  const Place place;
  const Rows rows_a{a, 64};
  const Rows rows_b{b, 128};
  const auto of = [&](int at) { return Metadata(place, metadata, 4, at); };
  int d[4] = {};
  int chunk = 0;
  GPUSIM_NARROW("m16n8k64.row.col.s32.s4.u4.s32", "+r", 0, of(0).of_two_rows(0));
  GPUSIM_NARROW("m16n8k64.row.col.s32.s4.u4.s32", "+r", 1, of(1).of_two_rows(1));
  GPUSIM_WIDE("m16n8k128.row.col.s32.s4.u4.s32", "+r", 0, of(2).of_four_rows());
  store_tile(place, n, d, c);
}
