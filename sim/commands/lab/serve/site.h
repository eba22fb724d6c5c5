// SPDX-License-Identifier: MIT
// What each address of the server does.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/serve/message.h"
#include "sim/commands/lab/serve/server.h"

namespace gpusim::lab {

/// Pages and actions of all labs, with students' folders FOLDER/NAME:
///   GET  /                        the labs
///   GET  /labs/NAME/              a lab
///   GET  /labs/NAME/state         its files and runs, as JSON
///   POST /labs/NAME/begin         makes the folder
///   POST /labs/NAME/again         {"file"}: as it was at the start
///   POST /labs/NAME/save          {"file", "version", "text"}; status 412 when the file holds something else
///   POST /labs/NAME/check         what lab check --json says
///   POST /labs/NAME/run           see experiment_of(); {"report"}: where the report is
///   GET  /reports/NUMBER          one of the last reports
/// Whatever is not done is answered by an object with "problem", and status 409 while other work is under way.
class Site {
 public:
  using StudentOf = std::function<Student(const Lab& lab, const std::filesystem::path& folder)>;

  struct Options {
    std::filesystem::path folder;
    std::string language;
    StudentOf student_of;
    double wall_seconds;  ///< how long a run or a check may take
  };

  Site(Options options, Jobs& jobs) : options_(std::move(options)), jobs_(jobs) {}

  /// `place` is the address behind the token.
  void answer(const Request& request, std::string_view place, const Respond& respond);

 private:
  /// A lab, and what is asked of it.
  struct Visit {
    const Lab& lab;
    std::filesystem::path folder;
    const Request& request;
  };
  /// In the language in which it was begun, else in that of the server; in English where it is not translated.
  Lab in_language(const Lab& lab) const;
  Reply labs_page() const;
  Reply report(std::string_view number) const;
  void visit(const Visit& visit, std::string_view action, const Respond& respond);
  Reply lab_page(const Visit& visit) const;
  Reply state(const Visit& visit) const;
  Reply begin(const Visit& visit) const;
  Reply again(const Visit& visit) const;
  Reply save(const Visit& visit) const;
  void check(const Visit& visit, const Respond& respond);
  void run(const Visit& visit, const Respond& respond);
  void start(const Jobs::Work& work, const Respond& respond, const std::function<Reply(std::string output)>& reply_of);

  Options options_;
  Jobs& jobs_;
  std::uint64_t reports_made_ = 0;
  std::deque<std::pair<std::uint64_t, std::string>> reports_;  ///< the last ones: number and page
};

}  // namespace gpusim::lab
