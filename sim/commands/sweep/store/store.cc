// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/store/store.h"

#include "sim/commands/sweep/store/packed.h"
#include "sim/commands/sweep/store/tables.h"

namespace gpusim::sweep {

Store::Store(const std::filesystem::path& file, Access access) : tables_(std::make_unique<Tables>(file, access)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

void Store::put(const PointRow& row, std::string_view result, std::string_view program) {
  const std::string packed = result.empty() ? std::string() : compress(result);
  Transaction all(tables_->database());
  tables_->put(row, program, packed);
  all.commit();
  tables_->keep_file();
}

std::optional<PointRow> Store::find(std::string_view key) const {
  return tables_->find(key);
}

std::optional<std::string> Store::result(std::string_view key) const {
  Statement row(tables_->database(), "SELECT json_zstd FROM result WHERE key=?");
  if (!row.bind(key).step()) {
    return std::nullopt;
  }
  std::optional<std::string> text = decompress(row.text(0));
  if (!text) {
    tables_->database().fail_damaged("the result of point " + std::string(key) + " cannot be decompressed");
  }
  return text;
}

std::int64_t Store::record(const StudyRecord& study) {
  Transaction all(tables_->database());
  const std::int64_t id = tables_->record(study);
  (void)tables_->ended(id);  // throws where what is there of these points is damaged; then nothing is recorded
  all.commit();
  tables_->keep_file();
  return id;
}

void Store::note_share(std::int64_t study, const Share& share) {
  tables_->note_share(study, share);
}

std::vector<StudyInfo> Store::studies() const {
  return tables_->studies();
}

std::optional<StudyInfo> Store::study(std::string_view name) const {
  const std::string of_name = name.empty() ? "" : " WHERE name=?";
  const std::vector<StudyInfo> found =
      tables_->studies("WHERE used=(SELECT max(used) FROM study" + of_name + ")", name);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<PointRow> Store::waiting(std::int64_t study) const {
  return tables_->waiting(study);
}

std::vector<PointRow> Store::points(std::int64_t study) const {
  return tables_->ended(study);
}

const std::filesystem::path& Store::file() const {
  return tables_->database().file();
}

}  // namespace gpusim::sweep
