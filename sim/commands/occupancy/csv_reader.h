// SPDX-License-Identifier: MIT
// A CSV file row by row, with the place of every cell for messages. The only home of libcsv.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::commands {

struct CsvCell {
  std::string text;  ///< without quotes, and without blanks around it
  Place place;
};

struct CsvRow {
  std::uint32_t line = 0;  ///< on which it begins
  std::vector<CsvCell> cells;
};

/// Calls `on_row` for each row, the header first, until it returns false; blank lines are not rows. Lines may end in
/// LF, CRLF or CR. Throws InputError when the file cannot be read, is empty, or is not CSV (RFC 4180).
void read_csv(const std::string& file, const std::function<bool(CsvRow)>& on_row);

}  // namespace gpusim::commands
