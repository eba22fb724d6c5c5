// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <random>

#include <catch2/catch.hpp>
#include <zstd.h>

#include "sim/base/problem.h"
#include "sim/input/text/load.h"

#include "tests/input/text/support.h"

namespace file_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

const std::string kText = "gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\ncode\nEXIT\nend\n";

/// A folder of this test's own, removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("gpusim_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::filesystem::path path() const { return path_; }
  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

std::string compressed(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

std::string error_of(const std::filesystem::path& path) {
  try {
    (void)frontend::load_trace_text(path, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a trace is read from a file, plain or compressed") {
  const Folder folder;
  CHECK(frontend::load_trace_text(folder.write("a.trace", kText), {}).kernels.size() == 1);
  const trace::Trace trace = frontend::load_trace_text(folder.write("b.trace", compressed(kText)), {});
  CHECK(trace.kernels.size() == 1);
  CHECK(trace.path == (folder.path() / "b.trace").string());
  CHECK(trace.origin == TraceOrigin::kProgram);
}

TEST_CASE("a byte-order mark in front of a trace is passed over") {
  const Folder folder;
  CHECK(frontend::load_trace_text(folder.write("a.trace", "\xef\xbb\xbf" + kText), {}).kernels.size() == 1);
}

TEST_CASE("a file that cannot be read says why") {
  const Folder folder;
  CHECK_THAT(error_of(folder.path() / "none.trace"), Contains("none.trace: no such file"));
  CHECK_THAT(error_of(folder.path()), Contains(": is a directory, not a trace file"));
  CHECK_THAT(error_of(folder.write("empty", "")), Contains("is empty"));
  CHECK_THAT(error_of(folder.write("binary", std::string("\0\1\2\3", 4))), Contains("is not text"));
  CHECK_THAT(error_of(folder.write("zipped", "\x1f\x8b\x08rest")), Contains("is compressed with gzip"));
}

TEST_CASE("compressed text that is cut off at any place says so") {
  const Folder folder;
  const std::string whole = compressed(kText);
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CHECK_THAT(error_of(folder.write("cut", whole.substr(0, length))),
               Contains("is cut off: it ends within its zstd-compressed data (copy it or download it again)"));
  }
}

TEST_CASE("compressed text that is damaged says so, also where its first bytes are") {
  const Folder folder;
  const std::string whole = compressed(kText);
  std::string damaged = whole;
  damaged[6] = '\xff';  // the type of the first block, of the four the one that is not defined
  CHECK_THAT(error_of(folder.write("damaged", damaged)),
             Contains("is damaged: its zstd-compressed data cannot be read (") && Contains("download it again"));
  damaged = whole;
  damaged[0] = '\0';
  CHECK_THAT(error_of(folder.write("damaged.trace.zst", damaged)),
             Contains("is damaged: it does not begin as zstd-compressed data does (copy it or download it again)"));
}

TEST_CASE("compressed text that asks for an enormous window says what to do") {
  // A frame's header alone: no single segment, no checksum, a window of 2^41 bytes.
  const Folder folder;
  CHECK_THAT(error_of(folder.write("wide", std::string("\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00", 9))),
             Contains("asks for more memory to decompress than any trace needs (compress it without --long"));
}

TEST_CASE("text that decompresses to more than is read at all is refused") {
  const Folder folder;
  const std::string bomb = compressed(std::string(80U << 20U, '\n'));
  CHECK(bomb.size() < 100'000);
  CHECK_THAT(error_of(folder.write("bomb", bomb)), Contains("is larger than 64 MiB of text"));
}

TEST_CASE("lines may be continued, commented, and end as on any system") {
  const trace::Trace trace = load(
      "# a comment\r\ngpusim trace 1 # so is this\r\ntitle \"with # inside\"\r\n\r\nkernel k\r\ngrid (1, \\\r\n 2)\r\n"
      "block (32)\r\ncode\r\nEXIT\r\nend\r\n");
  CHECK(trace.title == "with # inside");
  CHECK(trace.kernels.at(0).grid == Dim3{1, 2, 1});
  CHECK(trace.kernels.at(0).texts.at(0).line == 10);
  CHECK(load_error("gpusim trace 1\nkernel k\ngrid (1, \\\n oops)\nblock (32)\ncode\nEXIT\nend\n") ==
        "t.trace:4:2: unknown name 'oops'");
}

}  // namespace file_test
