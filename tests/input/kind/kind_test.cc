// SPDX-License-Identifier: MIT
// How the forms of traces are told apart.
#include "sim/input/kind/kind.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

namespace gpusim::frontend {
namespace {

/// A file of this content in the current folder, until it is destroyed.
class File {
 public:
  File(const std::string& name, const std::string& content) : path_("kind-test-" + name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST_CASE("a text is a trace when 'gpusim trace' stands below comments, blank lines and a byte-order mark") {
  for (const char* const text : {"gpusim trace 1\n", "gpusim\ttrace 1", "\n  # mine\n\ngpusim  trace 1\n",
                                 "\xef\xbb\xbf# mine\r\ngpusim trace 1\r\n"}) {
    CAPTURE(text);
    CHECK(begins_as_trace(text));
  }
  for (const char* const text : {"", "# gpusim trace 1\n", "gpusim = Simulator()\n", "gpusimtrace 1\n", "gpusim",
                                 "gpusim ", "-kernel name = gpusim trace\n", "Function : gpusim trace\n"}) {
    CAPTURE(text);
    CHECK_FALSE(begins_as_trace(text));
  }
}

TEST_CASE("a trace in text may follow a long comment, or be compressed") {
  CHECK(is_trace_text(File("long", "#" + std::string(60'000, 'x') + "\ngpusim trace 1\n").path()));
  CHECK(is_trace_text(File("zst", std::string(kZstdMagic) + "...").path()));
  CHECK_FALSE(is_trace_text(File("empty", "").path()));
  CHECK_FALSE(is_trace_text("kind-test-of-no-file"));
}

TEST_CASE("a container is known by its first bytes, a recording of Accel-Sim also by its name") {
  CHECK(is_container(File("c.trace", std::string(kContainerMagic) + "...").path()));
  CHECK_FALSE(is_container(File("c.gtrace", "gpusim\n").path()));
  CHECK(is_accelsim(File("k.traceg", "").path()));
  CHECK(is_accelsim(File("list.txt", "kernel-1.traceg\n").path()));
  CHECK(is_accelsim(File("header.txt", "-kernel name = k\n").path()));
  CHECK_FALSE(is_accelsim(File("k.trace", "gpusim trace 1\n").path()));
}

}  // namespace
}  // namespace gpusim::frontend
