// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace gpusim::lab {
namespace {

constexpr std::size_t kSentenceIndent = 11;

std::string painted(Standing standing, const layout::Look& look) {
  const std::string word = fmt::format("{:<7}", standing_name(standing));
  switch (standing) {
    case Standing::kRight: return layout::paint(word, layout::Style::kStrong, look);
    case Standing::kNotYet: return layout::paint(word, layout::Style::kWarning, look);
    case Standing::kWaiting: return layout::paint(word, layout::Style::kFaint, look);
  }
  return word;
}

std::string sentence(const std::string& text, const layout::Look& look) {
  return text.empty() ? "" : layout::wrapped(text, kSentenceIndent, look.width);
}

std::string points_text(const Report& report) {
  return std::to_string(report.points()) + " of " + counted(report.lab->points(), "point");
}

}  // namespace

std::string report_text(const Report& report, const layout::Look& look) {
  std::string out = report.lab->text.title + "  " +
                    layout::paint(fmt::format("{}, seed {}", printable(report.student.id), report.student.seed),
                                  layout::Style::kFaint, look) +
                    "\n\n";
  for (const Verdict& verdict : report.verdicts) {
    out += fmt::format("  {}  {}\n", painted(verdict.standing, look), verdict.task->key);
    out += sentence(verdict.note, look) + sentence(verdict.hint, look);
  }
  for (const std::string& note : report.notes) {
    out += "\n" + note + "\n";
  }
  for (const std::string& problem : report.problems) {
    out += "\n" + problem + "\n";
  }
  return out + "\n" + points_text(report) + (report.passed() ? ": passed" : "") + "\n";
}

std::string report_json(const Report& report) {
  nlohmann::ordered_json json;
  json["schema"] = "gpusim.lab-check/1";
  json["lab"] = report.lab->name;
  json["student"] = report.student.id;
  json["seed"] = report.student.seed;
  json["passed"] = report.passed();
  json["points"] = report.points();
  json["of_points"] = report.lab->points();
  json["problems"] = report.problems;
  json["notes"] = report.notes;
  json["tasks"] = nlohmann::ordered_json::array();
  for (const Verdict& verdict : report.verdicts) {
    json["tasks"].push_back({{"key", verdict.task->key},
                             {"kind", kind_name(verdict.task->kind)},
                             {"points", verdict.task->points},
                             {"standing", standing_name(verdict.standing)},
                             {"note", verdict.note},
                             {"hint", verdict.hint},
                             {"hint_key", verdict.hint_key}});
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string report_junit(const Report& report) {
  const auto count = [&report](Standing standing) {
    return std::ranges::count(report.verdicts, standing, &Verdict::standing);
  };
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                     xml_escaped(report.lab->name), report.verdicts.size(), count(Standing::kNotYet),
                     count(Standing::kWaiting));
  for (const Verdict& verdict : report.verdicts) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\">", xml_escaped(report.lab->name),
                       xml_escaped(verdict.task->key));
    if (verdict.standing == Standing::kNotYet) {
      out += fmt::format("<failure message=\"{}\">{}</failure>", xml_escaped(verdict.hint), xml_escaped(verdict.note));
    } else if (verdict.standing == Standing::kWaiting) {
      out += fmt::format("<skipped message=\"{}\"/>", xml_escaped(verdict.hint));
    }
    out += "</testcase>\n";
  }
  for (const std::string& problem : report.problems) {
    out += "  <system-err>" + xml_escaped(problem) + "</system-err>\n";
  }
  return out + "</testsuite>\n";
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      default: out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return out;
}

}  // namespace gpusim::lab
