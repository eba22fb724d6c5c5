// SPDX-License-Identifier: MIT
#include "sim/code/array/npy.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

namespace npy_test {

using namespace gpusim;
using namespace gpusim::array;
using Catch::Contains;

namespace {

/// A file of version 1 with this dictionary and some bytes.
std::string file_with(const std::string& dictionary, std::size_t bytes = 0) {
  std::string file("\x93NUMPY\1\0", 8);
  file.resize(10);
  put_bits(file.data() + 8, dictionary.size(), 2);
  return file + dictionary + std::string(bytes, '\0');
}

NpyHeader read(const std::string& file) {
  return read_npy_header(file, file.size(), "x.npy");
}

std::string error_of(const std::string& file) {
  try {
    static_cast<void>(read(file));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("what is written is what NumPy writes, and is read again") {
  const std::string header = npy_header(Element::kF32, {3, 4});
  CHECK(header.size() % 64 == 0);
  CHECK(header.starts_with(std::string("\x93NUMPY\1\0\x76\0", 10)));
  CHECK_THAT(header, Contains("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"));
  CHECK(header.ends_with(" \n"));
  const NpyHeader again = read(header + std::string(48, '\0'));
  CHECK(again.type == "f4");
  CHECK(again.element_bytes == 4);
  CHECK(again.shape == std::vector<std::uint64_t>{3, 4});
  CHECK(again.count == 12);
  CHECK(again.begin == header.size());
  CHECK_THAT(npy_header(Element::kBF16, {5}), Contains("{'descr': '|V2', 'fortran_order': False, 'shape': (5,), }"));
  CHECK_THAT(npy_header(Element::kI8, {}), Contains("{'descr': '|i1', 'fortran_order': False, 'shape': (), }"));
}

TEST_CASE("headers of other writers are read: any order of keys, longer forms, one number") {
  CHECK(read(file_with("{'shape': (2,), 'fortran_order': False, 'descr': '<i8'}", 16)).count == 2);
  CHECK(read(file_with("{'descr': '|u1', 'fortran_order': True, 'shape': (7, 1)}", 7)).count == 7);
  CHECK(read(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", 8)).count == 1);
  CHECK(read(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5)}")).count == 0);
  std::string second = file_with("{'descr': '<f2', 'fortran_order': False, 'shape': (1,)}", 2);
  second[6] = 2;
  second.insert(10, 2, '\0');
  CHECK(read(second).element_bytes == 2);
}

TEST_CASE("a file that is not an array of numbers is refused with what to do") {
  CHECK_THAT(error_of("hello"), Contains("x.npy: is not a .npy file (expected what numpy.save() writes)"));
  CHECK_THAT(error_of(file_with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", 4)),
             Contains("in the order of other machines"));
  CHECK_THAT(error_of(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", 16)),
             Contains("numpy.ascontiguousarray(a)"));
  CHECK_THAT(error_of(file_with("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", 8)),
             Contains("has elements of type '<c8'"));
  CHECK_THAT(error_of(file_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4)),
             Contains("has elements of several fields"));
  CHECK_THAT(error_of(file_with("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", 8)),
             Contains("has elements of type '|O'"));
}

TEST_CASE("a file that lies about its sizes is refused") {
  CHECK_THAT(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", 11)),
             Contains("is cut off: its elements need 12 bytes, and it has 11"));
  CHECK_THAT(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 4)),
             Contains("more elements than any machine"));
  CHECK_THAT(error_of(file_with("{'descr': '<f4'")), Contains("has a damaged header"));
  CHECK_THAT(error_of(file_with("{'descr': '', 'fortran_order': False, 'shape': (1,)}")), Contains("damaged header"));
  CHECK_THAT(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}")), Contains("damaged"));
  CHECK_THAT(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}").substr(0, 30)),
             Contains("is cut off within its header"));
  std::string other = file_with("{}");
  other[6] = 9;
  CHECK_THAT(error_of(other), Contains("is of version 9"));
}

TEST_CASE("a file is opened by its header, and its elements are read when asked for") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "gpusim_npy_test.npy";
  const std::string elements("\1\0\0\0\2\0\0\0", 8);
  std::ofstream(path, std::ios::binary) << npy_header(Element::kI32, {2}) << elements;
  const NpyFile file(path);
  CHECK(file.bytes() == 8);
  std::string read_back(8, '\0');
  file.read(read_back.data());
  CHECK(read_back == elements);
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(NpyFile(path), Contains("no such file"));
  CHECK_THROWS_WITH(NpyFile(path.parent_path()), Contains("is not a file"));
}

}  // namespace npy_test
