// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/lab.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gpusim::lab {

std::string_view kind_name(TaskKind kind) {
  static constexpr std::array<std::string_view, 7> kNames{"predict", "number", "choice", "setting",
                                                          "metric",  "work",   "machine"};
  return kNames[static_cast<std::size_t>(kind)];
}

const TaskText& LabText::of(std::string_view task) const {
  static const TaskText kNone;
  const auto found = tasks.find(task);
  return found == tasks.end() ? kNone : found->second;
}

const Run* Lab::run(std::string_view run_name) const {
  const auto found = std::ranges::find(runs, run_name, &Run::name);
  return found == runs.end() ? nullptr : &*found;
}

const Task* Lab::task(std::string_view key) const {
  const auto found = std::ranges::find(tasks, key, &Task::key);
  return found == tasks.end() ? nullptr : &*found;
}

bool Lab::is_of_student(std::string_view file) const {
  return std::ranges::find(files, file) != files.end();
}

const CudaForm* Lab::cuda_of(std::string_view trace) const {
  const auto stands_for = [trace](const CudaForm& form) {
    return trace == form.file || trace == "start/" + form.file || trace == "solution/" + form.file;
  };
  const auto found = std::ranges::find_if(cuda, stands_for);
  return found == cuda.end() ? nullptr : &*found;
}

std::uint32_t Lab::points() const {
  return std::accumulate(tasks.begin(), tasks.end(), 0U,
                         [](std::uint32_t sum, const Task& task) { return sum + task.points; });
}

}  // namespace gpusim::lab
