// SPDX-License-Identifier: MIT
// The compiled kernels of data/, and what is made of them.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/code/cubin/images.h"

namespace gpusim::cubin {

inline std::filesystem::path data(const std::string& name) {
  return std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests/code/cubin/data" / name;
}

inline std::string bytes_of(const std::string& name) {
  std::ifstream in(data(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline Module module_of(const std::string& name) {
  return read_cubin(bytes_of(name), name);
}

inline const Function& function_of(const Module& module, const std::string& short_one) {
  for (const Function& function : module.functions) {
    if (short_name(function.name) == short_one) {
      return function;
    }
  }
  throw std::runtime_error("no function " + short_one);
}

/// What InputError says; empty when there is none.
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline void put(std::string& bytes, std::size_t at, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    bytes[at + i] = static_cast<char>(value >> (8 * i));
  }
}

/// A program for x86-64 with this one section beside the names of sections.
inline std::string program_with(const std::string& section, const std::string& content) {
  const std::string names = std::string(1, '\0') + section + std::string(1, '\0') + ".shstrtab" + std::string(1, '\0');
  constexpr std::size_t kHeader = 64;
  std::string bytes(kHeader, '\0');
  bytes.replace(0, 7, std::string("\177ELF\2\1\1"));
  put(bytes, 16, 2, 2);
  put(bytes, 18, 62, 2);
  bytes += names + content;
  put(bytes, 40, bytes.size(), 8);  // where the section headers are
  put(bytes, 60, 3, 2);
  put(bytes, 62, 2, 2);
  const auto header = [&bytes](std::size_t name, std::uint32_t type, std::size_t offset, std::size_t size) {
    std::string one(64, '\0');
    put(one, 0, name, 4);
    put(one, 4, type, 4);
    put(one, 24, offset, 8);
    put(one, 32, size, 8);
    bytes += one;
  };
  header(0, 0, 0, 0);
  header(1, 1, kHeader + names.size(), content.size());
  header(section.size() + 2, 3, kHeader, names.size());
  return bytes;
}

}  // namespace gpusim::cubin
