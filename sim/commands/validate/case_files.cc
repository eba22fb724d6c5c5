// SPDX-License-Identifier: MIT
#include "sim/commands/validate/case_files.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/validate/case_file.h"
#include "sim/commands/validate/gpu_names.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGpuTable = "gpus.yaml";

const cli::FileKind& validation_files() {
  static const cli::FileKind kKind{"tests/validation", ".yaml", ""};
  return kKind;
}

std::vector<fs::path> yaml_files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == validation_files().extension && at->path().filename() != kGpuTable) {
      files.push_back(at->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

validate::GpuNames gpu_names() {
  for (const fs::path& folder : cli::search_folders(validation_files())) {
    std::error_code error;
    if (fs::is_regular_file(folder / kGpuTable, error)) {
      return validate::read_gpu_names(folder / kGpuTable);
    }
  }
  return {};
}

/// Folders with cases, by suite; of equal names in the order of the search.
std::multimap<std::string, fs::path> suites() {
  std::multimap<std::string, fs::path> found;
  for (const fs::path& folder : cli::search_folders(validation_files())) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code inner;
      if (at->is_directory(inner) && !yaml_files_in(at->path()).empty()) {
        found.emplace(at->path().filename().string(), at->path());
      }
    }
  }
  return found;
}

/// Reads files of one suite each; what is wrong with any of them is told together.
std::vector<validate::Case> read_all(const std::vector<std::pair<std::string, fs::path>>& files) {
  const validate::GpuNames gpus = gpu_names();
  std::vector<validate::Case> cases;
  std::vector<Problem> problems;
  std::map<std::string, SourceLocation> ids;
  for (const auto& [suite, file] : files) {
    try {
      for (validate::Case& of : validate::read_cases(file, suite, gpus)) {
        const auto [first, is_new] = ids.emplace(of.suite + " " + of.id, of.where);
        if (!is_new) {
          problems.push_back({of.where, "id '" + of.id + "' is given twice",
                              "first in " + first->second.file + ":" + std::to_string(first->second.line)});
        }
        cases.push_back(std::move(of));
      }
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) {
    throw InputError(std::move(problems));
  }
  return cases;
}

}  // namespace

std::vector<validate::Case> cases_of_suite(const std::string& suite) {
  const std::multimap<std::string, fs::path> known = suites();
  std::map<std::string, std::pair<std::string, fs::path>> files;  // by suite and name: the first of equal names wins
  for (const auto& [name, folder] : known) {
    for (const fs::path& file : yaml_files_in(folder)) {
      if (suite.empty() || name == suite) {
        files.emplace(name + "/" + file.filename().string(), std::pair(name, file));
      }
    }
  }
  if (files.empty()) {
    std::vector<std::string_view> names;
    std::ranges::transform(known, std::back_inserter(names), [](const auto& s) { return std::string_view(s.first); });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    throw InputError({{"--suite " + suite, 0, 0}, "there are no such cases", suggestion(suite, names)});
  }
  std::vector<std::pair<std::string, fs::path>> in_order;
  std::ranges::transform(files, std::back_inserter(in_order), [](const auto& file) { return file.second; });
  return read_all(in_order);
}

std::vector<validate::Case> cases_of_path(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw InputError({{path, 0, 0}, "no such file or folder", ""});
  }
  const auto suite_of = [](const fs::path& folder) {
    return folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
  };
  std::vector<std::pair<std::string, fs::path>> files;
  if (fs::is_directory(path, error)) {
    for (const fs::path& file : yaml_files_in(path)) {
      files.emplace_back(suite_of(path), file);
    }
  } else {
    files.emplace_back(suite_of(fs::path(path).parent_path()), path);
  }
  if (files.empty()) {
    throw InputError({{path, 0, 0}, "has no *.yaml", ""});
  }
  return read_all(files);
}

}  // namespace gpusim::commands
