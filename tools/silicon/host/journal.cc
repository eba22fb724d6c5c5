// SPDX-License-Identifier: MIT
#include "tools/silicon/host/journal.h"

#include <stdexcept>

namespace gpusim::silicon {

Journal::Journal(std::filesystem::path file)
    : file_(std::move(file)), part_(file_.string() + ".part"), stream_(part_, std::ios::binary | std::ios::trunc) {
  if (!stream_) {
    throw std::runtime_error(part_.string() + " cannot be written");
  }
}

void Journal::write(std::string_view line) {
  text_.append(line).push_back('\n');
  stream_ << line << std::endl;
}

void Journal::commit() {
  std::ofstream whole;
  // One write for everything: the stream's own buffer would cut it into pieces. It can be set before opening only.
  whole.rdbuf()->pubsetbuf(nullptr, 0);
  whole.open(file_, std::ios::binary | std::ios::app);
  whole.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  if (!whole.flush()) {
    throw std::runtime_error(file_.string() + " cannot be written");
  }
  stream_.close();
  std::filesystem::remove(part_);
}

}  // namespace gpusim::silicon
