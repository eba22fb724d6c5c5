// SPDX-License-Identifier: MIT
#include "sim/commands/fit/report.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/base/units.h"

namespace gpusim::fit {

using memory::Category;
using memory::Moment;
using Json = nlohmann::ordered_json;

namespace {

std::string gib(std::uint64_t bytes) {
  return fmt::format("{:.2f}", static_cast<double>(bytes) / static_cast<double>(kGi));
}

std::string category_meaning(std::size_t category) {
  constexpr std::array<std::string_view, memory::kCategories> kMeanings{
      "the model's parameters, and copies of them that products read",
      "gradients of parameters, and of activations while the backward pass runs",
      "moments, and a master copy of the weights where there is one",
      "what operations read and write, and keep for the backward pass",
      "memory that cuBLAS works in",
      "buckets of gradients, weights gathered from other GPUs",
      "keys and values of the tokens so far"};
  return std::string(kMeanings.at(category));
}

std::string shares_table(const Moment& moment, const layout::Look& look) {
  layout::Table table("lrrL", {"", "GiB", "share", ""});
  for (std::size_t i = 0; i < memory::kCategories; ++i) {
    if (moment.shares[i] != 0) {
      table.add({std::string(name_of(static_cast<Category>(i))), gib(moment.shares[i]),
                 fmt::format("{:.0f} %",
                             100.0 * static_cast<double>(moment.shares[i]) / static_cast<double>(moment.allocated)),
                 category_meaning(i)});
    }
  }
  table.add({"together", gib(moment.allocated), "", ""});
  return table.to_text(look);
}

std::string verdict(const Report& report) {
  const Trial& trial = report.trial;
  const std::uint64_t peak = trial.fits() ? trial.limited.stats.peak_reserved : trial.whole.stats.peak_reserved;
  std::string text = trial.fits()
                         ? fmt::format("It fits: PyTorch reserves {} GiB at most, and {} GiB are there for it.",
                                       gib(peak), gib(report.offer.left()))
                         : fmt::format("It does not fit: PyTorch would reserve {} GiB, and {} GiB are there for it.",
                                       gib(peak), gib(report.offer.left()));
  if (trial.fits() && trial.limited.stats.retries != 0) {
    text += fmt::format(" It is tight: {} times cached memory has to go back to the driver first, which takes time.",
                        trial.limited.stats.retries);
  }
  return layout::wrapped(text, layout::kIndent);
}

std::string offer_section(const Report& report, const layout::Look& look) {
  layout::Table table("lrL", {"", "GiB", ""});
  table.add({"the driver reports", gib(report.offer.total), ""});
  table.add({"CUDA's context", gib(report.offer.context), "with the code of libraries"});
  if (report.offer.nccl != 0) {
    table.add({"NCCL", gib(report.offer.nccl), "buffers of its communicators"});
  }
  table.add({"left for PyTorch", gib(report.offer.left()), ""});
  return layout::heading("The GPU", report.gpu, look) + table.to_text(look);
}

std::string milestones_section(const Report& report, const layout::Look& look) {
  layout::Table table("lrr", {"after", "allocated GiB", "reserved GiB"});
  for (const Moment& moment : report.trial.whole.milestones) {
    table.add({moment.operation, gib(moment.allocated), gib(moment.reserved)});
  }
  return layout::heading("Over the step", "as if memory had no end", look) + table.to_text(look);
}

std::string end_section(const Report& report, const layout::Look& look) {
  const memory::Replay& limited = report.trial.limited;
  const Moment& moment = limited.out_of_memory->moment;
  return layout::heading("Where memory ends", moment.operation, look) +
         layout::wrapped(message_of(limited, report.offer), layout::kIndent) + "\n" + shares_table(moment, look);
}

std::string changes_section(const Report& report, const layout::Look& look) {
  layout::Table table("lrll", {"fits", "GiB", "add", ""});
  std::vector<Change> changes = report.changes;
  std::ranges::stable_sort(changes, std::greater<>(), &Change::fits);
  for (const Change& change : changes) {
    table.add({change.is_tight ? "tight" : change.fits ? "yes" : "no", gib(change.peak), change.options, ""});
    table.add({"", "", "  " + change.what, ""});
  }
  const bool any = std::ranges::any_of(changes, &Change::fits);
  return layout::heading(any ? "The smallest changes that fit" : "No change is enough",
                         "each calculated; GiB that PyTorch would reserve; tight: with its cache given back on the way",
                         look) +
         table.to_text(look);
}

std::string parameters_text(std::uint64_t parameters) {
  const auto value = static_cast<double>(parameters);
  return value < 1e9 ? fmt::format("{:.0f} million parameters", value / 1e6)
                     : fmt::format("{:.2f} billion parameters", value / 1e9);
}

std::string room_section(const Report& report, const layout::Look& look) {
  const Room& room = *report.room;
  layout::Table table("lr", {"", ""});
  table.add({"bytes of a token's keys and values", with_binary_prefix(room.bytes_per_token)});
  table.add(
      {fmt::format("sequences of {} tokens at once", with_thousands(report.context)), with_thousands(room.sequences)});
  table.add({"tokens of one sequence", with_thousands(room.tokens)});
  table.add({"tokens in pages of 16, in 0.90 of the GPU as vLLM", with_thousands(room.paged_tokens)});
  return layout::heading("What fits beside the weights", "at most", look) + table.to_text(look);
}

Json moment_json(const Moment& moment) {
  Json shares = Json::object();
  for (std::size_t i = 0; i < memory::kCategories; ++i) {
    std::string name(name_of(static_cast<Category>(i)));
    std::ranges::replace(name, ' ', '_');
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    shares[name] = moment.shares[i];
  }
  return {{"operation", moment.operation},
          {"allocated_bytes", moment.allocated},
          {"reserved_bytes", moment.reserved},
          {"categories", shares}};
}

Json changes_json(const Report& report) {
  Json changes = Json::array();
  for (const Change& change : report.changes) {
    changes.push_back({{"what", change.what},
                       {"options", change.options},
                       {"fits", change.fits},
                       {"tight", change.is_tight},
                       {"peak_reserved_bytes", change.peak}});
  }
  return changes;
}

}  // namespace

std::string to_text(const Report& report, const layout::Look& look) {
  std::string text =
      layout::wrapped(printable(fmt::format("{} ({}) on {}: {}", report.model, parameters_text(report.parameters),
                                            report.gpu, report.what)),
                      layout::kIndent) +
      verdict(report);
  text += layout::heading("Most is allocated", report.trial.whole.peak.operation, look) +
          shares_table(report.trial.whole.peak, look);
  text += milestones_section(report, look) + offer_section(report, look);
  if (!report.trial.fits()) {
    text += end_section(report, look) + changes_section(report, look);
  }
  if (report.room) {
    text += room_section(report, look);
  }
  for (const std::string& note : report.notes) {
    text += "\n" + layout::wrapped(printable(note), layout::kIndent);
  }
  return text;
}

std::string to_json(const Report& report) {
  const Trial& trial = report.trial;
  Json root{{"schema", "gpusim.fit/1"},
            {"model", report.model},
            {"parameters", report.parameters},
            {"gpu", report.gpu},
            {"what", report.what},
            {"fits", trial.fits()},
            {"total_bytes", report.offer.total},
            {"context_bytes", report.offer.context},
            {"nccl_bytes", report.offer.nccl},
            {"available_bytes", report.offer.left()},
            {"peak_allocated_bytes", trial.whole.stats.peak_allocated},
            {"peak_reserved_bytes", trial.whole.stats.peak_reserved},
            {"retries", trial.limited.stats.retries},
            {"peak", moment_json(trial.whole.peak)},
            {"milestones", Json::array()}};
  for (const Moment& moment : trial.whole.milestones) {
    root["milestones"].push_back(moment_json(moment));
  }
  if (!trial.fits()) {
    root["out_of_memory"] = moment_json(trial.limited.out_of_memory->moment);
    root["out_of_memory"]["message"] = message_of(trial.limited, report.offer);
    root["changes"] = changes_json(report);
  }
  if (report.room) {
    root["room"] = {{"bytes_per_token", report.room->bytes_per_token},
                    {"context", report.context},
                    {"sequences", report.room->sequences},
                    {"tokens", report.room->tokens},
                    {"paged_tokens", report.room->paged_tokens}};
  }
  root["notes"] = report.notes;
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::fit
