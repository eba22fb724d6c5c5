// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/site.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/check/handout.h"
#include "sim/commands/lab/check/report.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/begin.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/folder/submission.h"
#include "sim/commands/lab/page/handout_page.h"
#include "sim/commands/lab/page/templates.h"
#include "sim/commands/lab/run/experiment.h"
#include "sim/commands/lab/serve/choices.h"
#include "sim/commands/lab/serve/work_folder.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kLabs = "/labs/";
constexpr std::string_view kReports = "/reports/";
constexpr std::size_t kReportsKept = 4;

std::string written(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// JSON that ends no script element.
std::string in_script(const Json& json) {
  std::string out;
  for (const char c : written(json)) {
    out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  }
  return out;
}

Reply page(const std::string& title, const std::string& body, const Json& data) {
  return {
      200, "text/html",
      filled_page(workbench(), {{kTitleMark, html_escaped(title)}, {kBodyMark, body}, {kDataMark, in_script(data)}}),
      false};
}

Reply json_reply(const Json& json, unsigned status = 200) {
  return {status, "application/json", written(json), false};
}

Reply not_found() {
  return problem_reply(404, "There is nothing at this address.");
}

/// What was wrong, with files called as the page calls them.
std::string own_words(std::string text, const fs::path& folder) {
  const std::string before = folder.string() + "/";
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
    text.erase(at, before.size());
  }
  return text;
}

/// An object; an empty one for anything else.
Json asked_in(const Request& request) {
  Json json = Json::parse(request.body, nullptr, false);
  return json.is_object() ? json : Json::object();
}

Json facts_of(const Lab& lab, const fs::path& folder) {
  return {{"name", lab.name},       {"title", lab.text.title}, {"summary", lab.text.summary},
          {"minutes", lab.minutes}, {"points", lab.points()},  {"begun", is_begun(folder)}};
}

Json files_json(const WorkFolder& folder) {
  Json out = Json::array();
  for (const EditedFile& file : folder.files()) {
    out.push_back({{"name", file.name},
                   {"text", file.text},
                   {"version", file.version},
                   {"problem", file.problem},
                   {"judged", file.is_judged}});
  }
  return out;
}

Json choices_json(const Choices& choices) {
  Json runs = Json::array();
  for (const ChosenRun& run : choices.runs) {
    runs.push_back({{"name", run.name},
                    {"trace", run.trace},
                    {"arch", run.arch},
                    {"params", run.params},
                    {"set", run.set},
                    {"cache", run.cache}});
  }
  return {{"traces", choices.traces}, {"archs", choices.archs}, {"runs", std::move(runs)}};
}

/// The student's values, and what was chosen where the answers can be read.
Scope chosen_scope(const Lab& lab, const Student& student, const fs::path& folder) {
  Scope scope = scope_of(lab, student.seed);
  try {
    set_chosen(lab, read_answers(folder, lab, student), scope);
  } catch (const InputError&) {
    // A check says what is wrong with the answers.
  }
  return scope;
}

/// In a process of its own: the report of a check.
std::string check_text(const Lab& lab, const fs::path& folder, double wall_seconds) {
  try {
    return report_json(check_and_remember(lab, read_student(folder), folder, wall_seconds).report);
  } catch (const InputError& error) {
    return problem_reply(400, error.what()).body;
  }
}

/// In a process of its own: a report, or a problem.
std::string run_text(const Experiment& experiment, double wall_seconds) {
  try {
    const Shown shown = show(experiment, wall_seconds);
    return shown.problem.empty() ? shown.page : problem_reply(400, shown.problem).body;
  } catch (const InputError& error) {
    return problem_reply(400, error.what()).body;
  }
}

}  // namespace

Lab Site::in_language(const Lab& lab) const {
  try {
    const fs::path folder = options_.folder / lab.name;
    return translated(lab, is_begun(folder) ? read_student(folder).language : options_.language);
  } catch (const InputError&) {
    return lab;
  }
}

Reply Site::labs_page() const {
  const KnownLabs known = known_labs();
  Json labs = Json::array();
  for (const Lab& lab : known.labs) {
    labs.push_back(facts_of(in_language(lab), options_.folder / lab.name));
    labs.back()["needs"] = lab.needs;
  }
  return page("Labs", "", {{"kind", "labs"}, {"labs", std::move(labs)}, {"problems", known.problems}});
}

Reply Site::report(std::string_view number) const {
  const auto found =
      std::ranges::find_if(reports_, [number](const auto& each) { return std::to_string(each.first) == number; });
  return found == reports_.end() ? not_found() : Reply{200, "text/html", found->second, true};
}

void Site::answer(const Request& request, std::string_view place, const Respond& respond) {
  const bool is_get = request.method == "GET";
  if (place == "/" && is_get) {
    respond(labs_page());
  } else if (place.starts_with(kReports) && is_get) {
    respond(report(place.substr(kReports.size())));
  } else if (place.starts_with(kLabs)) {
    place.remove_prefix(kLabs.size());
    const std::size_t slash = place.find('/');
    const KnownLabs known = known_labs();
    const auto lab = std::ranges::find(known.labs, place.substr(0, slash), &Lab::name);
    if (lab == known.labs.end() || slash == std::string_view::npos) {
      respond(not_found());
    } else {
      const Lab spoken = in_language(*lab);
      visit({spoken, options_.folder / lab->name, request}, place.substr(slash + 1), respond);
    }
  } else {
    respond(not_found());
  }
}

void Site::visit(const Visit& visit, std::string_view action, const Respond& respond) {
  struct Action {
    std::string_view method;
    std::string_view name;
    void (*act)(Site& site, const Visit& visit, const Respond& respond);
  };
  static constexpr std::array kActions{
      Action{"GET", "", [](Site& site, const Visit& v, const Respond& a) { a(site.lab_page(v)); }},
      Action{"GET", "state", [](Site& site, const Visit& v, const Respond& a) { a(site.state(v)); }},
      Action{"POST", "begin", [](Site& site, const Visit& v, const Respond& a) { a(site.begin(v)); }},
      Action{"POST", "again", [](Site& site, const Visit& v, const Respond& a) { a(site.again(v)); }},
      Action{"POST", "save", [](Site& site, const Visit& v, const Respond& a) { a(site.save(v)); }},
      Action{"POST", "check", [](Site& site, const Visit& v, const Respond& a) { site.check(v, a); }},
      Action{"POST", "run", [](Site& site, const Visit& v, const Respond& a) { site.run(v, a); }},
  };
  const auto* const found = std::ranges::find_if(
      kActions, [&](const Action& each) { return each.name == action && each.method == visit.request.method; });
  if (found == kActions.end()) {
    respond(not_found());
    return;
  }
  try {
    found->act(*this, visit, respond);
  } catch (const InputError& error) {
    respond(problem_reply(400, own_words(error.what(), visit.folder)));
  } catch (const UsageError& error) {
    respond(problem_reply(400, error.what()));
  } catch (const fs::filesystem_error& error) {
    respond(problem_reply(400, own_words(error.what(), visit.folder)));
  }
}

Reply Site::lab_page(const Visit& visit) const {
  const Lab& lab = visit.lab;
  const Student student = options_.student_of(lab, visit.folder);
  const Scope scope = scope_of(lab, student.seed);
  const bool is_whole = has_discussion(visit.folder) && !is_exam();
  const std::string handout = handout_html(lab, is_whole ? handout_text(lab, scope) : readme_text(lab, scope));
  Json data = facts_of(lab, visit.folder);
  data["kind"] = "lab";
  data["student"] = student.id;
  data["folder"] = fs::absolute(visit.folder).lexically_normal().string();
  return page(lab.text.title, handout, data);
}

Reply Site::state(const Visit& visit) const {
  const WorkFolder work(visit.lab, visit.folder);
  Json state = facts_of(visit.lab, visit.folder);
  if (is_begun(visit.folder)) {
    const Student student = read_student(visit.folder);
    state["files"] = files_json(work);
    state.update(choices_json(choices_of(visit.lab, chosen_scope(visit.lab, student, visit.folder), visit.folder)));
  }
  return json_reply(state);
}

Reply Site::begin(const Visit& visit) const {
  WorkFolder(visit.lab, visit.folder).require_plain();
  const Student student = options_.student_of(visit.lab, visit.folder);
  lab::begin(visit.lab, student_of(visit.lab, student.id), visit.folder);
  return state(visit);
}

Reply Site::again(const Visit& visit) const {
  const WorkFolder work(visit.lab, visit.folder);
  const std::vector<EditedFile> files = work.files();
  const auto file = std::ranges::find(files, text_in(asked_in(visit.request), "file"), &EditedFile::name);
  if (file == files.end()) {
    return problem_reply(400, "This lab has no such file.");
  }
  begin_again(visit.lab, read_student(visit.folder), visit.folder, file->name);
  return state(visit);
}

Reply Site::save(const Visit& visit) const {
  const Json asked = asked_in(visit.request);
  const WorkFolder::Saved saved = WorkFolder(visit.lab, visit.folder)
                                      .save(text_in(asked, "file"), text_in(asked, "version"), text_in(asked, "text"));
  if (!saved.is_saved) {
    return json_reply(
        {{"problem", "The file was changed by another program."}, {"version", saved.version}, {"text", saved.text}},
        412);
  }
  return json_reply({{"version", saved.version}});
}

void Site::start(const Jobs::Work& work, const Respond& respond,
                 const std::function<Reply(std::string output)>& reply_of) {
  const bool is_started = jobs_.start(work, [respond, reply_of](std::string output) {
    respond(output.empty() ? problem_reply(500, "It took too long, or failed, and was ended.")
                           : reply_of(std::move(output)));
  });
  if (!is_started) {
    respond(problem_reply(409, "Another run is under way: try again when it has ended."));
  }
}

void Site::check(const Visit& visit, const Respond& respond) {
  WorkFolder(visit.lab, visit.folder).require_plain();
  const auto work = [lab = visit.lab, folder = visit.folder, wall_seconds = options_.wall_seconds] {
    return check_text(lab, folder, wall_seconds);
  };
  start(work, respond, [folder = visit.folder](const std::string& output) {
    const bool is_problem = output.starts_with("{\"problem\"");
    return Reply{is_problem ? 400U : 200U, "application/json", own_words(output, folder), false};
  });
}

void Site::run(const Visit& visit, const Respond& respond) {
  WorkFolder(visit.lab, visit.folder).require_plain();
  const Scope scope = chosen_scope(visit.lab, read_student(visit.folder), visit.folder);
  const Experiment experiment = experiment_of(asked_in(visit.request), visit.lab,
                                              choices_of(visit.lab, scope, visit.folder), scope, visit.folder);
  start([experiment, wall_seconds = options_.wall_seconds] { return run_text(experiment, wall_seconds); }, respond,
        [this, folder = visit.folder](std::string output) {
          if (output.starts_with("{\"problem\"")) {
            return Reply{400, "application/json", own_words(std::move(output), folder), false};
          }
          reports_.emplace_back(++reports_made_, std::move(output));
          if (reports_.size() > kReportsKept) {
            reports_.pop_front();
          }
          return json_reply({{"report", "reports/" + std::to_string(reports_made_)}});
        });
}

}  // namespace gpusim::lab
