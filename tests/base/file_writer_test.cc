// SPDX-License-Identifier: MIT
#include "sim/base/file_writer.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include "sim/base/problem.h"

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

}  // namespace

TEST_CASE("a file appears when it is whole, and what was there stays until then") {
  const Folder folder;
  std::ofstream(folder.file("a")) << "old";
  FileWriter writer(folder.file("a"));
  writer.write("new ");
  writer.write("text");
  CHECK(content_of(folder.file("a")) == "old");
  writer.commit();
  CHECK(content_of(folder.file("a")) == "new text");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is not committed leaves nothing behind") {
  const Folder folder;
  { FileWriter(folder.file("a")).write("half"); }
  CHECK(folder.files() == 0);
}

TEST_CASE("somebody else's file of the temporary name is left alone") {
  const Folder folder;
  std::ofstream(folder.file("a.part")) << "mine";
  FileWriter writer(folder.file("a"));
  writer.write("text");
  writer.commit();
  CHECK(content_of(folder.file("a.part")) == "mine");
  CHECK(folder.files() == 2);
}

TEST_CASE("what is no file is written to and stays what it is") {
  FileWriter writer("/dev/null");
  writer.write("text");
  writer.commit();
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a folder that is not there, and one in the file's place, are refused") {
  const Folder folder;
  CHECK_THROWS_AS(FileWriter(folder.file("nowhere/a")), InputError);
  FileWriter writer(folder.file("."));
  CHECK_THROWS_AS(writer.commit(), InputError);
}

}  // namespace gpusim
