// SPDX-License-Identifier: MIT
// The way from a Result to a report: what it shows is derived once, then laid out.
#include "sim/output/report/report.h"

#include "sim/model/stats/result.h"
#include "sim/output/advice/rules.h"
#include "sim/output/report/text_options.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {

std::string_view version() {
  return GPUSIM_VERSION;
}

View explained_view(const stats::Result& result) {
  View view = make_view(result);
  for (KernelView& kernel : view.kernels) {
    kernel.findings = advice::findings(kernel);
  }
  return view;
}

std::string to_text(const stats::Result& result, const TextOptions& options) {
  return write_text(explained_view(result), options);
}

std::string to_json(const stats::Result& result) {
  return write_json(explained_view(result));
}

std::string to_ncu_csv(const stats::Result& result) {
  return write_ncu_csv(explained_view(result));
}

std::string to_csv(const stats::Result& result) {
  return write_csv(explained_view(result));
}

}  // namespace gpusim::report
