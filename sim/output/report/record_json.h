// SPDX-License-Identifier: MIT
// What a run records over time, in the JSON of a kernel: "series", "ctas" and "sms".
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "sim/model/stats/kernel_record.h"
#include "sim/output/report/json_reader.h"

namespace gpusim::report {

void put_record(nlohmann::ordered_json& kernel, const stats::KernelRecord& record);

/// Notes as problems what is not as put_record() writes it. A kernel without a record has none of the keys.
void read_record(Reader& reader, JsonFinder& kernel, const std::string& prefix,
                 std::optional<stats::KernelRecord>& record);

}  // namespace gpusim::report
