// SPDX-License-Identifier: MIT
// The work of stencils and image kernels.
#include <algorithm>

#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

/// f32 | f64.
std::uint64_t word_bytes(const Values& v) {
  return v.at("type") == 0 ? 4 : 8;
}

std::uint64_t ceil_of(std::uint64_t n, std::uint64_t part) {
  return (n + part - 1) / part;
}

/// A point reads itself and its neighbours within the grid. From a tile it reads them once, and tiles overlap by the
/// row or column beside them; a thread that marches reads a column once, and the values beside it.
Work stencil_2d(const Values& v) {
  const std::uint64_t nx = v.at("nx");
  const std::uint64_t ny = v.at("ny");
  const std::uint64_t points = nx * ny;
  const std::uint64_t across = 2 * (ceil_of(ny, v.at("threads_y")) - 1) * nx;
  const std::uint64_t along = 2 * (ceil_of(nx, v.at("threads_x")) - 1) * ny;
  const std::uint64_t columns = 2 * (ceil_of(ny, v.at("march")) - 1) * nx;
  const std::uint64_t read[] = {5 * points - 2 * nx - 2 * ny, points + across + along,
                                points + columns + 2 * points - 2 * ny};
  const std::uint64_t bytes = word_bytes(v);
  return {6 * points, bytes * read[v.at("variant")], bytes * points, 0};
}

/// Three sums, a product and a multiply-add.
Algorithm jacobi(const Values& v) {
  return {6 * v.at("nx") * v.at("ny")};
}

/// A CTA reads its columns once with `radius` points before and behind, and for each slice the border of its tile.
Work stencil_3d(const Values& v) {
  const std::uint64_t x = v.at("threads_x");
  const std::uint64_t y = v.at("threads_y");
  const std::uint64_t radius = v.at("radius");
  const std::uint64_t ctas = v.at("nx") / x * (v.at("ny") / y);
  const std::uint64_t points = v.at("nx") * v.at("ny") * v.at("nz");
  const std::uint64_t read = ctas * (x * y * (v.at("nz") + 2 * radius) + v.at("nz") * 2 * radius * (x + y));
  return {(1 + 7 * radius) * points, word_bytes(v) * read, word_bytes(v) * points, 0};
}

/// A product, and for each distance five sums of six neighbours and a multiply-add.
Algorithm star(const Values& v) {
  return {(1 + 7 * v.at("radius")) * v.at("nx") * v.at("ny") * v.at("nz")};
}

/// A product and two multiply-adds.
Work grayscale(const Values& v) {
  const std::uint64_t pixels = v.at("width") * v.at("height");
  return {5 * pixels, 3 * pixels, pixels, 0};
}

Algorithm weighted_sum(const Values& v) {
  return {5 * v.at("width") * v.at("height")};
}

/// Eight neighbours, integers; one product scales.
Work sobel(const Values& v) {
  const std::uint64_t pixels = v.at("width") * v.at("height");
  return {pixels, 8 * pixels, pixels, 0};
}

/// Pairs of a place among n and one at most `radius` from it that is also among them.
std::uint64_t neighbours(std::uint64_t n, std::uint64_t radius) {
  return n * (2 * radius + 1) - radius * (radius + 1);
}

/// Pixels that are not there are not read, but multiplied.
Work convolution_2d(const Values& v) {
  const std::uint64_t pixels = v.at("width") * v.at("height");
  const std::uint64_t weights = (2 * v.at("radius") + 1) * (2 * v.at("radius") + 1);
  const std::uint64_t read = neighbours(v.at("width"), v.at("radius")) * neighbours(v.at("height"), v.at("radius")) +
                             (v.at("filter") == 1 ? weights * pixels : 0);
  return {2 * weights * pixels, sizeof(float) * read, sizeof(float) * pixels, 0};
}

Algorithm filter_2d(const Values& v) {
  return {2 * (2 * v.at("radius") + 1) * (2 * v.at("radius") + 1) * v.at("width") * v.at("height")};
}

/// A neighbour takes a difference, three products, a multiply-add and a sum; a product ends it. The pixel itself is
/// read once more.
Work bilateral(const Values& v) {
  const std::uint64_t pixels = v.at("width") * v.at("height");
  const std::uint64_t neighbours = (2 * v.at("radius") + 1) * (2 * v.at("radius") + 1);
  return {(7 * neighbours + 1) * pixels, sizeof(float) * (neighbours + 1) * pixels, sizeof(float) * pixels, 0};
}

/// Each pass multiplies and adds all weights; tiles of 128 columns overlap by 16 at each side, those of 64 rows by 8.
Work blur(const Values& v) {
  const std::uint64_t width = v.at("width");
  const std::uint64_t height = v.at("height");
  const std::uint64_t pixels = width * height;
  const std::uint64_t bytes = v.at("type") == 1 ? 1 : 4;  // f32 | u8
  const std::uint64_t rows = bytes * (pixels + 2 * 16 * (width / 128 - 1) * height);
  const std::uint64_t columns = sizeof(float) * (pixels + std::uint64_t{2} * 8 * (height / 64 - 1) * width);
  return {4 * (2 * v.at("radius") + 1) * pixels, rows + columns, (sizeof(float) + bytes) * pixels, 0};
}

Algorithm separable(const Values& v) {
  return {4 * (2 * v.at("radius") + 1) * v.at("width") * v.at("height")};
}

}  // namespace

std::span<const LibraryCase> stencil_cases() {
  static const std::vector<LibraryCase> kCases{
      {"stencil-2d",
       stencil_2d,
       {"", "variant=shared", "variant=marching", "type=f64", "nx=65 ny=33 variant=shared type=f64 threads_x=16",
        "variant=marching type=f64 nx=32 ny=64 march=8", "nx=1 ny=7", "nx=64 ny=64 threads_x=128 threads_y=1"},
       jacobi},
      {"stencil-3d",
       stencil_3d,
       {"", "radius=4", "radius=2 type=f64 nz=15", "radius=8 nz=3", "threads_x=16 threads_y=16 radius=3 nx=48 nz=7"},
       star,
       "in out"},
      {"grayscale", grayscale, {"", "layout=planar", "width=33 height=5 threads_x=32 threads_y=4"}, weighted_sum},
      {"sobel", sobel, {"", "width=2 height=2", "width=33 height=65 threads_x=16 threads_y=16"}},
      {"convolution-2d",
       convolution_2d,
       {"", "filter=global", "radius=8 width=50", "radius=0", "radius=7 filter=global threads_x=16 threads_y=16"},
       filter_2d,
       "weight"},
      {"bilateral", bilateral, {"", "radius=1 width=2 height=2", "radius=6 width=33 threads_x=32 threads_y=8"}},
      {"blur", blur, {"", "type=u8", "radius=1 width=128 height=64", "radius=3 type=u8 width=384"}, separable}};
  return kCases;
}

}  // namespace gpusim::testing
