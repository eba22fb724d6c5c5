// SPDX-License-Identifier: MIT
#include "sim/output/html/page.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/base64.h"
#include "sim/base/gzip.h"
#include "sim/model/stats/result.h"
#include "sim/output/html/view_json.h"
#include "sim/output/html/viewer.h"
#include "sim/output/html/watch_columns.h"
#include "sim/output/report/report.h"
#include "sim/output/report/writers.h"

namespace gpusim::html {
namespace {

/// A text as JSON has it, with quotes.
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string page_of(std::string_view kind, std::string members) {
  const std::string data = "{\"schema\":" + json_text(kPageSchema) + ",\"kind\":" + json_text(kind) +
                           ",\"version\":" + json_text(report::version()) + "," + std::move(members) + "}";
  std::string page(viewer());
  const std::size_t mark = page.find(kDataMark);
  assert(mark != std::string::npos);
  page.replace(mark, kDataMark.size(), base64(gzip(data)));
  return page;
}

/// A page holds so many bytes of details before they are compressed, or those of one kernel. Details are the static
/// instructions of a kernel and what was recorded of it over time: most of what is written, read and shown of a kernel.
constexpr std::size_t kMostDetails = 16'000'000;

/// About as many bytes as the details of a kernel take.
std::size_t details_of(const report::KernelView& kernel) {
  constexpr std::size_t kInstruction = 700;
  constexpr std::size_t kInterval = 120;
  constexpr std::size_t kCta = 25;
  std::size_t bytes = kInstruction * kernel.instructions.size();
  if (kernel.record != nullptr) {
    bytes += kInterval * kernel.record->series.states.size() + kCta * kernel.record->ctas.size();
  }
  return bytes;
}

/// Keeps details of the kernels that took most time: `most` bytes, or those of one.
void bound_details(report::View& view, std::size_t most) {
  std::vector<report::KernelView*> order;
  for (report::KernelView& kernel : view.kernels) {
    order.push_back(&kernel);
  }
  std::ranges::stable_sort(order, std::ranges::greater(), &report::KernelView::time_us);
  std::size_t held = 0;
  for (report::KernelView* const kernel : order) {
    held += details_of(*kernel);
    kernel->has_details = held <= most || kernel == order.front();
  }
}

/// `"result":...,"view":...,"watch":...` of a run. Its intervals stand beside the result, packed.
std::string members_of(const stats::Result& result, std::size_t most_details) {
  report::View view = report::explained_view(result);
  view.watch = {};
  bound_details(view, most_details);
  std::string out = "\"result\":" + report::write_json(view);
  out.append(",\"view\":").append(view_json(view));
  if (!result.watch.empty()) {
    out.append(",\"watch\":").append(watch_columns(result.watch));
  }
  return out;
}

}  // namespace

std::string run_page(const stats::Result& result) {
  return page_of("run", members_of(result, kMostDetails));
}

std::string compare_page(std::span<const NamedResult> runs, std::string_view comparison) {
  std::vector<std::future<std::string>> parts;
  for (const NamedResult& run : runs) {
    parts.push_back(std::async(std::launch::async, [&run, most = kMostDetails / runs.size()] {
      return "{\"name\":" + json_text(run.name) + "," + members_of(*run.result, most) + "}";
    }));
  }
  std::string members = "\"compare\":" + std::string(comparison) + ",\"runs\":[";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    members.append(i == 0 ? "" : ",").append(parts[i].get());
  }
  members += "]";
  return page_of("compare", std::move(members));
}

std::string sweep_page(std::string_view sweep) {
  return page_of("sweep", "\"sweep\":" + std::string(sweep));
}

std::string app_page(std::string_view app) {
  return page_of("app", "\"app\":" + std::string(app));
}

}  // namespace gpusim::html
