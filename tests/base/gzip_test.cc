// SPDX-License-Identifier: MIT
#include "sim/base/gzip.h"

#include <catch2/catch.hpp>
#include <zlib.h>

using namespace gpusim;

namespace {

/// What zlib makes of a gzip file; "damaged" when it does not accept all of it.
std::string unpacked(std::string packed, std::size_t size) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  std::string out(size + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int end = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  const bool is_whole = end == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return is_whole ? out : "damaged";
}

/// Numbers that repeat too late for zlib to make them short.
std::string noise(std::size_t size) {
  std::string text;
  for (std::uint32_t state = 1; text.size() < size;) {
    state = state * 1664525 + 1013904223;
    text += static_cast<char>(state >> 24U);
  }
  return text;
}

}  // namespace

TEST_CASE("gzip gives back what went in") {
  for (const std::string& text : {std::string(), std::string("a"), std::string(100'000, 'x'), noise(3'000'000),
                                  std::string(std::size_t{33} << 20U, 'x')}) {
    CHECK(unpacked(gzip(text), text.size()) == text);
  }
}

TEST_CASE("gzip makes a text that repeats itself short") {
  CHECK(gzip(std::string(1'000'000, 'x')).size() < 2'000);
}

TEST_CASE("a gzip file names no time") {
  const std::string packed = gzip("text");
  CHECK(packed.substr(0, 3) == "\x1f\x8b\x08");
  CHECK(packed.substr(3, 5) == std::string(5, '\0'));  // no flags, no time
}
