// SPDX-License-Identifier: MIT
#include "sim/model/arch/files.h"

#include <algorithm>
#include <map>

#include "sim/base/file_name.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"

namespace gpusim::arch {
namespace {

namespace fs = std::filesystem;

/// Folders larger than this are not folders of architectures.
constexpr std::size_t kMostFiles = 1000;

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".yaml" && files.size() < kMostFiles) {
      files.push_back(it->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::string suggest_names(std::string_view name, const std::vector<std::string>& names) {
  return suggestion(name, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace

fs::path file_in_other_case(std::span<const fs::path> folders, std::string_view name) {
  for (const fs::path& folder : folders) {
    const std::vector<fs::path> files = yaml_files(folder);
    if (const fs::path* const file = in_other_case(files, name); file != nullptr) {
      return *file;
    }
  }
  return {};
}

std::string near_files(std::span<const fs::path> folders, std::string_view name) {
  const bool whole = name.ends_with(".yaml");
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : yaml_files(folder)) {
      names.push_back(whole ? file.filename().string() : file.stem().string());
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return suggest_names(name, names);
}

fs::path resolve_arch_path(std::string_view name, std::span<const fs::path> folders) {
  std::error_code error;
  const fs::path given(name);
  if (fs::is_regular_file(given, error)) {
    return given;
  }
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    for (const fs::path& candidate : {folder / given, folder / (std::string(name) + ".yaml")}) {
      if (!name.empty() && fs::is_regular_file(candidate, error)) {
        return candidate;
      }
    }
    for (const fs::path& file : yaml_files(folder)) {
      names.push_back(file.stem().string());
    }
  }
  if (const fs::path other = given.has_parent_path() ? fs::path() : file_in_other_case(folders, name); !other.empty()) {
    return other;
  }
  throw InputError(
      Problem{{}, "no architecture '" + std::string(name) + "'", suggest_names(given.stem().string(), names)});
}

std::vector<ArchFile> list_archs(std::span<const fs::path> folders) {
  std::map<std::string, ArchFile> found;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : yaml_files(folder)) {
      const std::string name = file.stem().string();
      if (found.contains(name)) {
        continue;
      }
      ArchFile& entry = found[name];
      entry = {name, file, "", ""};
      try {
        const Arch arch = load_arch(file, {});
        entry.title = arch.name;
        entry.description = arch.description;
      } catch (const InputError& error) {
        entry.description = to_text(error.problems().front());
      }
    }
  }
  std::vector<ArchFile> files;
  for (auto& [name, entry] : found) {
    files.push_back(std::move(entry));
  }
  return files;
}

}  // namespace gpusim::arch
