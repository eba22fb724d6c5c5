// SPDX-License-Identifier: MIT
// Joining databases: shards of one study, or whatever was run apart.
#include <algorithm>
#include <set>
#include <system_error>

#include "sim/commands/sweep/store/packed.h"
#include "sim/commands/sweep/store/tables.h"

namespace gpusim::sweep {
namespace {

namespace fs = std::filesystem;

/// Opens a database to merge from; throws unless all of it can be read.
std::unique_ptr<Tables> open_other(const fs::path& into, const fs::path& other) {
  std::error_code ignored;
  if (fs::equivalent(into, other, ignored)) {
    throw StoreError(StoreFault::kInUse, other, "is the database to merge into", "name only the others");
  }
  auto tables = std::make_unique<Tables>(other, Store::Access::kRead);
  if (const std::string said = tables->database().text("PRAGMA quick_check(1)"); said != "ok") {
    tables->database().fail_damaged("SQLite's check says '" + said + "'");
  }
  return tables;
}

/// SQLite has no checksums, but each result is compressed with one.
void check_results(Tables& tables) {
  Statement results(tables.database(), "SELECT key, json_zstd FROM result");
  while (results.step()) {
    if (!decompress(results.text(1))) {
      tables.database().fail_damaged("the result of point " + results.text(0) + " cannot be decompressed");
    }
  }
}

/// Left by a process that was killed before it stored anything.
bool is_blank(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && fs::is_empty(file, ignored);
}

/// The same with what to do about a database to merge from.
StoreError of_other(const StoreError& error, const fs::path& other) {
  const Problem& problem = error.problems().front();
  const bool is_useless = error.fault() == StoreFault::kMissing || error.fault() == StoreFault::kNotADatabase ||
                          error.fault() == StoreFault::kDamaged;
  const bool is_older = error.fault() == StoreFault::kOtherVersion;
  return {error.fault(), other, problem.message,
          is_useless ? "run that shard, or leave it out"
          : is_older ? "leave it out, or merge all with the gpusim that made it"
                     : problem.hint};
}

/// All that are wrong at once, so that a user who merges a hundred shards hears of every one.
void check_others(const fs::path& into, std::span<const fs::path> others) {
  std::vector<Problem> problems;
  for (const fs::path& other : others) {
    try {
      check_results(*open_other(into, other));
    } catch (const StoreError& error) {
      StoreError mine = of_other(error, other);
      if (others.size() == 1) {
        throw mine;
      }
      problems.push_back(mine.problems().front());
    }
  }
  if (!problems.empty()) {
    throw InputError(std::move(problems));
  }
}

void add_point(Tables& into, const PointRow& row, const std::string& packed, MergeReport& report) {
  const std::optional<PointRow> had = into.find(row.key);
  if (!had || (had->status == kFailed && row.status == kDone)) {
    into.put(row, row.program, packed);
    ++report.added;
    return;
  }
  ++report.known;
  if (had->status == kDone && row.status == kDone && had->cycles != row.cycles) {
    report.differing.push_back(row.key);
  }
}

void add_points(Tables& into, Tables& from, MergeReport& report) {
  Statement rows(from.database(),
                 "SELECT " + std::string(kNumbers) + ", json_zstd FROM point LEFT JOIN result ON result.key=point.key");
  while (rows.step()) {
    PointRow row;
    read_numbers(from.database(), rows, 0, row);
    add_point(into, row, rows.text(kNumberColumns), report);
  }
}

/// Numbers are those of a database: the one that the study comes into gives it one of its own.
std::string name_to_keep(const StudyInfo& study) {
  return study.name == numbered_name(study.id) ? "" : study.name;
}

void add_studies(Tables& into, Tables& from, std::set<std::int64_t>& touched) {
  for (const StudyInfo& study : from.studies()) {
    const std::int64_t id = into.record({name_to_keep(study), study.text, from.asked(study.id)});
    touched.insert(id);
    for (const Share& share : from.shares(study.id)) {
      into.note_share(id, share);
    }
  }
}

/// Shares that none of the databases ran, of each way in which the study was split.
std::vector<Share> absent_shares(const std::vector<Share>& shares) {
  std::vector<Share> absent;
  for (std::size_t begin = 0; begin < shares.size();) {
    const std::uint64_t count = shares[begin].count;
    std::size_t at = begin;
    for (std::uint64_t index = 1; index <= count; ++index) {
      if (at < shares.size() && shares[at] == Share{index, count}) {
        ++at;
      } else {
        absent.push_back({index, count});
      }
    }
    begin = std::max(at, begin + 1);
  }
  return absent;
}

/// The programs that computed points of the merged studies with the same text as `study`; nothing when there is no
/// other such study.
std::vector<std::string> programs_of_twins(Tables& tables, const StudyInfo& study,
                                           const std::vector<StudyInfo>& studies,
                                           const std::set<std::int64_t>& touched) {
  std::set<std::string> programs;
  std::size_t twins = 0;
  for (const StudyInfo& other : studies) {
    if (other.text == study.text && touched.contains(other.id)) {
      ++twins;
      const std::vector<std::string> behind = tables.programs(other.id);
      programs.insert(behind.begin(), behind.end());
    }
  }
  return twins > 1 ? std::vector(programs.begin(), programs.end()) : std::vector<std::string>();
}

}  // namespace

MergeReport Store::merge(const fs::path& file, std::span<const fs::path> others) {
  std::vector<fs::path> shards(others.begin(), others.end());
  std::erase_if(shards, is_blank);
  check_others(file, shards);
  Tables into(file, Access::kWrite);
  into.keep_file();
  MergeReport report;
  std::set<std::int64_t> touched;
  // One is open at a time: there may be more than a process may have files.
  for (const fs::path& shard : shards) {
    const std::unique_ptr<Tables> from = open_other(file, shard);
    Transaction all(into.database());
    add_points(into, *from, report);
    add_studies(into, *from, touched);
    all.commit();
  }
  const std::vector<StudyInfo> studies = into.studies();
  for (const StudyInfo& study : studies) {
    std::vector<std::uint64_t> missing =
        touched.contains(study.id) ? into.missing(study.id) : std::vector<std::uint64_t>();
    if (!missing.empty()) {
      report.incomplete.push_back({study, std::move(missing), absent_shares(into.shares(study.id)),
                                   programs_of_twins(into, study, studies, touched)});
    }
  }
  return report;
}

}  // namespace gpusim::sweep
