// SPDX-License-Identifier: MIT
#include "sim/base/output_file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include "sim/base/problem.h"

#include "tests/support/failing_allocations.h"

namespace gpusim {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder for one test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gpusim-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] fs::path file(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};

/// Lets no file grow beyond a few bytes.
class LeastDisk {
 public:
  LeastDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit least{4, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &least);
  }
  ~LeastDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  LeastDisk(const LeastDisk&) = delete;
  LeastDisk& operator=(const LeastDisk&) = delete;

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("a file appears when it is whole, and what was there stays until then") {
  const Folder folder;
  std::ofstream(folder.file("a")) << "old";
  OutputFile writer(folder.file("a"));
  writer.write("new ");
  writer.write("text");
  CHECK(content_of(folder.file("a")) == "old");
  writer.commit();
  CHECK(content_of(folder.file("a")) == "new text");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is not committed leaves nothing behind") {
  const Folder folder;
  { OutputFile(folder.file("a")).write("half"); }
  CHECK(folder.files() == 0);
}

TEST_CASE("somebody else's file of the temporary name is left alone") {
  const Folder folder;
  std::ofstream(folder.file("a.part")) << "mine";
  OutputFile writer(folder.file("a"));
  writer.write("text");
  writer.commit();
  CHECK(content_of(folder.file("a.part")) == "mine");
  CHECK(folder.files() == 2);
}

TEST_CASE("what is not a file is written to and stays what it is") {
  OutputFile writer("/dev/null");
  writer.write("text");
  writer.commit();
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a pipe gets the bytes, and stays a pipe") {
  const Folder folder;
  const fs::path pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = content_of(pipe); });
  OutputFile(pipe).commit("text");
  reader.join();
  CHECK(got == "text");
  CHECK(fs::is_fifo(pipe));
  CHECK(folder.files() == 1);
}

TEST_CASE("a link is replaced, and what it names stays") {
  const Folder folder;
  std::ofstream(folder.file("a")) << "old";
  fs::create_symlink(folder.file("a"), folder.file("link"));
  OutputFile(folder.file("link")).commit("new");
  CHECK_FALSE(fs::is_symlink(folder.file("link")));
  CHECK(content_of(folder.file("link")) == "new");
  CHECK(content_of(folder.file("a")) == "old");
}

TEST_CASE("what a process has open is written to by its name, as standard output is") {
  const Folder folder;
  std::FILE* open = std::fopen(folder.file("a").c_str(), "wb");
  REQUIRE(open != nullptr);
  OutputFile("/proc/self/fd/" + std::to_string(::fileno(open))).commit("text");
  std::fclose(open);
  CHECK(content_of(folder.file("a")) == "text");
  CHECK(folder.files() == 1);
}

TEST_CASE("a folder that is not there, and one in the file's place, are refused at once") {
  const Folder folder;
  CHECK_THROWS_WITH(OutputFile(folder.file("nowhere/a")), Catch::Contains("a: cannot write: No such file"));
  CHECK_THROWS_WITH(OutputFile(folder.file(".")), Catch::Contains("cannot write: it is a folder"));
}

TEST_CASE("a file that the disk does not take keeps what was there, also when only closing it shows that") {
  const Folder folder;
  std::ofstream(folder.file("a")) << "old";
  const LeastDisk limit;
  OutputFile small(folder.file("a"));
  const auto write_all = [&] {
    small.write(std::string(5, 'x'));  // waits in a buffer
    small.commit();
  };
  CHECK_THROWS_WITH(write_all(), Catch::Contains("cannot write: File too large"));
  CHECK(content_of(folder.file("a")) == "old");
}

TEST_CASE("an output that is an input is refused under whatever name") {
  const Folder folder;
  std::ofstream(folder.file("a")) << "input";
  fs::create_symlink(folder.file("a"), folder.file("link"));
  CHECK_THROWS_WITH(refuse_to_replace(folder.file("link"), folder.file("./a")),
                    Catch::Contains("link: is what is to be read"));
  CHECK_NOTHROW(refuse_to_replace(folder.file("b"), folder.file("a")));
}

TEST_CASE("a file that was moved on is committed once") {
  const Folder folder;
  std::vector<OutputFile> files;
  files.emplace_back(folder.file("a"));
  files.emplace_back(folder.file("b"));
  files[0].write("text");
  files[0].close();
  CHECK_FALSE(fs::exists(folder.file("a")));
  files[0].commit();
  files.clear();
  CHECK(content_of(folder.file("a")) == "text");
  CHECK(folder.files() == 1);
}

TEST_CASE("whichever allocation of a file's writing fails, the place has the old file or the new one, and no other") {
  const Folder folder;
  const fs::path place = folder.file("result.json");
  std::ofstream(place) << "old";
  const std::string text(10'000, 'n');
  const std::uint64_t failures =
      testing::fail_allocations_of([&] { OutputFile(place).commit(text); },
                                   [&](bool has_failed) {
                                     REQUIRE(content_of(place) == (has_failed ? "old" : text));
                                     REQUIRE(folder.files() == 1);
                                     std::ofstream(place) << "old";
                                   });
  CHECK(failures > 1);
  CHECK(content_of(place) == text);
}

}  // namespace gpusim
