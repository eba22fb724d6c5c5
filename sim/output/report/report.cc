// SPDX-License-Identifier: MIT
// The way from a Result to a report: what it shows is derived once, then laid out.
#include "sim/output/report/report.h"

#include "sim/output/report/writers.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

std::string_view version() {
  return GPUSIM_VERSION;
}

std::string to_text(const stats::Result& result, const TextOptions& options) {
  return write_text(make_view(result), options);
}

std::string to_json(const stats::Result& result) {
  return write_json(make_view(result));
}

std::string to_ncu_csv(const stats::Result& result) {
  return write_ncu_csv(make_view(result));
}

std::string to_csv(const stats::Result& result) {
  return write_csv(make_view(result));
}

}  // namespace gpusim::report
