// SPDX-License-Identifier: MIT
#include "tools/silicon/host/options.h"

#include <map>

namespace gpusim::silicon {
namespace {

bool takes_name(Task task) {
  return task == Task::Run || task == Task::Profile;
}

}  // namespace

Options parse_options(std::span<const std::string_view> words) {
  static const std::map<std::string_view, Task> kTasks = {
      {"--list", Task::List}, {"--device", Task::Device}, {"--run", Task::Run}, {"--profile", Task::Profile}};
  if (words.empty() || !kTasks.contains(words[0])) {
    throw OptionsError("the first word must be --list, --device, --run or --profile");
  }
  Options options{.task = kTasks.at(words[0]), .experiment = {}, .out = {}};
  std::size_t used = 1;
  if (takes_name(options.task)) {
    if (words.size() < 2) {
      throw OptionsError(std::string(words[0]) + " needs the name of an experiment");
    }
    options.experiment = words[used++];
  }
  if (options.task == Task::Run) {
    if (words.size() < 4 || words[2] != "--out") {
      throw OptionsError("--run needs --out FILE");
    }
    options.out = words[3];
    used = 4;
  }
  if (used != words.size()) {
    throw OptionsError("'" + std::string(words[used]) + "' is one word too many");
  }
  return options;
}

}  // namespace gpusim::silicon
