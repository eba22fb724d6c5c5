// SPDX-License-Identifier: MIT
#pragma once

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::sweep {

struct PointRow;

/// The numbers of a finished run: status, cycles, time, bound and metrics of `row`.
void summarize(const stats::Result& result, PointRow& row);

/// Gives a point that has yet to run the metrics that it will have, with no meaning to their values.
void pretend_done(PointRow& row);

}  // namespace gpusim::sweep
