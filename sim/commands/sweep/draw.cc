// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/draw.h"

#include <filesystem>
#include <system_error>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/child.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

/// -d: without the user's own settings, which would change every plot.
ChildEnd run_gnuplot(const std::string& argument, const fs::path& folder) {
  ChildEnd end = run_child({"gnuplot", "-d", argument}, folder);
  if (!end.was_found) {
    throw InputError(
        {{"--svg", 0, 0}, "gnuplot is not installed, which draws the plots", "apt-get install gnuplot-nox"});
  }
  return end;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw InputError({{folder.string(), 0, 0}, "cannot be made: " + error.message(), "--svg takes a folder"});
  }
}

void write(const fs::path& file, const std::string& text) {
  OutputFile(file.string()).commit(text);
}

}  // namespace

void draw(const std::vector<sweep::Picture>& pictures, const std::string& folder) {
  const fs::path place(folder);
  make_folder(place);
  (void)run_gnuplot("--version", place);
  for (const sweep::Picture& picture : pictures) {
    const fs::path stem = place / picture.name;
    write(stem.string() + ".dat", picture.data);
    write(stem.string() + ".gp", picture.script);
    // gnuplot would follow a link out of the folder.
    std::error_code ignored;
    fs::remove(stem.string() + ".svg", ignored);
    const ChildEnd end = run_gnuplot(picture.name + ".gp", place);
    if (end.code != 0) {
      throw InputError(
          {{stem.string() + ".gp", 0, 0}, "gnuplot fails on it: " + printable(clipped(end.said, 300)), ""});
    }
  }
}

}  // namespace gpusim::commands
