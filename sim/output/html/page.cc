// SPDX-License-Identifier: MIT
#include "sim/output/html/page.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/base64.h"
#include "sim/base/gzip.h"
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

std::string page_of(std::string_view kind, std::string_view members) {
  std::string data = "{\"schema\":" + json_text(kPageSchema) + ",\"kind\":" + json_text(kind) +
                     ",\"version\":" + json_text(report::version()) + ",";
  data.append(members).append(1, '}');
  std::string page(viewer());
  const std::size_t mark = page.find(kDataMark);
  assert(mark != std::string::npos);
  page.replace(mark, kDataMark.size(), base64(gzip(data)));
  return page;
}

/// A page lists at most so many static instructions, or those of one kernel: some 7 MB. They are most of what is
/// written, read and shown of a kernel.
constexpr std::size_t kPageInstructions = 100'000;

/// Keeps the instructions of the kernels that took most time.
void bound_instructions(report::View& view) {
  std::vector<report::KernelView*> order;
  for (report::KernelView& kernel : view.kernels) {
    order.push_back(&kernel);
  }
  std::ranges::stable_sort(order, std::ranges::greater(), &report::KernelView::time_us);
  std::size_t listed = 0;
  for (report::KernelView* const kernel : order) {
    listed += kernel->instructions.size();
    kernel->lists_instructions = listed <= kPageInstructions || kernel == order.front();
  }
}

/// `"result":...,"view":...,"watch":...` of a run. Its intervals stand beside the result, packed.
std::string members_of(const stats::Result& result) {
  report::View view = report::explained_view(result);
  view.watch = {};
  bound_instructions(view);
  std::string out = "\"result\":" + report::write_json(view) + ",\"view\":" + view_json(view);
  return result.watch.empty() ? out : out + ",\"watch\":" + watch_columns(result.watch);
}

}  // namespace

std::string run_page(const stats::Result& result) {
  return page_of("run", members_of(result));
}

std::string compare_page(std::span<const NamedResult> runs, std::string_view comparison) {
  std::string members = "\"compare\":" + std::string(comparison) + ",\"runs\":[";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    members +=
        (i == 0 ? "{\"name\":" : ",{\"name\":") + json_text(runs[i].name) + "," + members_of(*runs[i].result) + "}";
  }
  return page_of("compare", members + "]");
}

std::string sweep_page(std::string_view sweep) {
  return page_of("sweep", "\"sweep\":" + std::string(sweep));
}

}  // namespace gpusim::html
