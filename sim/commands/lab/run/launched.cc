// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/launched.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/array/compare.h"
#include "sim/code/launch/launch_file.h"
#include "sim/commands/lab/run/job.h"
#include "sim/commands/lab/run/work.h"
#include "sim/commands/launch/job.h"
#include "sim/exec/core/image.h"
#include "sim/exec/memory/global_port.h"
#include "sim/exec/run/run_grid.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::lab {
namespace {

/// Sums of a few hundred numbers around 1 in another order.
constexpr double kTolerance = 1e-4;

/// Traces have words where kernels have numbers.
std::string as_number(const std::string& value) {
  return value == "yes" ? "1" : value == "no" ? "0" : value;
}

/// The numbers of the job, and those that the student's file says and neither the job nor any run of the lab: with a
/// smaller problem a kernel would do less.
void set_numbers(const Job& job, const launch::Request& own, launch::Request& request) {
  for (const launch::NamedText& number : own.parameters) {
    if (std::ranges::find(job.lab_numbers, number.name) == job.lab_numbers.end()) {
      launch::set_text(request.parameters, number);
    }
  }
  for (const std::string& param : job.params) {
    const std::size_t equals = param.find('=');
    launch::set_text(request.parameters,
                     {param.substr(0, equals), as_number(param.substr(equals + 1)), {job.launch, 0, 0}});
  }
}

/// Buffers and files are the lab's, and each launch is made once.
void require_plain_launches(const std::vector<launch::LaunchText>& launches,
                            const std::vector<launch::NamedText>& known) {
  std::string names;
  for (const launch::NamedText& buffer : known) {
    names += (names.empty() ? "" : ", ") + buffer.name;
  }
  for (const launch::LaunchText& launch : launches) {
    if (launch.repeat) {
      throw InputError({launch.repeat->where, "a check launches each kernel once", "remove 'repeat'"});
    }
    for (const launch::NamedText& argument : launch.arguments) {
      const bool is_buffer = argument.text.find('[') != std::string::npos && !argument.text.starts_with('&');
      if (is_buffer || argument.text.find(".npy") != std::string::npos) {
        throw InputError({argument.where,
                          "'" + argument.name + "' makes a buffer of its own, and a check has those of the lab",
                          "write the name of one: " + names});
      }
    }
  }
}

/// The job's kernel, where it counts alone.
void set_kernel(const Job& job, launch::Request& request) {
  if (!job.kernel.empty() && request.launches.size() == 1) {
    request.launches.front().kernel = launch::Text{job.kernel, {job.launch, 0, 0}};
  }
}

constexpr std::array<std::pair<const char*, std::optional<launch::Text> launch::LaunchText::*>, 6> kKeysOfLaunch{{
    {"kernel", &launch::LaunchText::kernel},
    {"grid", &launch::LaunchText::grid},
    {"block", &launch::LaunchText::block},
    {"cluster", &launch::LaunchText::cluster},
    {"shared", &launch::LaunchText::shared},
    {"repeat", &launch::LaunchText::repeat},
}};

std::string text_of_key(const std::optional<launch::Text>& text) {
  return text ? text->text : "";
}

bool same_texts(const std::vector<launch::NamedText>& left, const std::vector<launch::NamedText>& right) {
  return std::ranges::equal(left, right, [](const launch::NamedText& one, const launch::NamedText& other) {
    return one.name == other.name && one.text == other.text;
  });
}

/// What a buffer holds; nothing when there is no such buffer of this type.
array::View view_of(const exec::GlobalMemory& memory, const launch::Buffer& buffer) {
  const auto& all = memory.buffers();
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each->name() == buffer.name; });
  if (found == all.end() || (*found)->size() != buffer.bytes()) {
    return {buffer.element, 0, nullptr};
  }
  return {buffer.element, buffer.count, reinterpret_cast<const char*>((*found)->data())};
}

}  // namespace

bool has_number(const launch::Request& request, std::string_view name) {
  return std::ranges::find(request.parameters, name, &launch::NamedText::name) != request.parameters.end();
}

std::vector<std::string> ignored_keys(const launch::Request& of_lab, const launch::Request& own,
                                      const std::vector<std::string>& lab_numbers) {
  std::vector<std::string> keys;
  const auto add = [&keys](std::string key, bool differs) {
    if (differs && std::ranges::find(keys, key) == keys.end()) {
      keys.push_back(std::move(key));
    }
  };
  if (!of_lab.buffers.empty()) {
    add("buffers", !own.buffers.empty() && !same_texts(own.buffers, of_lab.buffers));
  } else if (own.launches.size() != of_lab.launches.size()) {
    add("launches", true);
  } else {
    for (std::size_t i = 0; i < own.launches.size(); ++i) {
      for (const auto& [key, member] : kKeysOfLaunch) {
        const std::optional<launch::Text>& said = own.launches[i].*member;
        add(key, said && said->text != text_of_key(of_lab.launches[i].*member));
      }
      const std::vector<launch::NamedText>& arguments = own.launches[i].arguments;
      add("args", !arguments.empty() && !same_texts(arguments, of_lab.launches[i].arguments));
    }
  }
  for (const launch::NamedText& number : own.parameters) {
    const auto theirs = std::ranges::find(of_lab.parameters, number.name, &launch::NamedText::name);
    const bool is_set = std::ranges::find(lab_numbers, number.name) != lab_numbers.end();
    add(number.name, is_set && theirs != of_lab.parameters.end() && theirs->text != number.text);
  }
  return keys;
}

launch::Request request_of_job(const Job& job) {
  launch::Request request = launch::read_launch_file(job.launch);
  launch::Request own;
  if (!job.own_launch.empty()) {
    own = launch::read_launch_file(job.own_launch);
    if (!request.buffers.empty()) {
      require_plain_launches(own.launches, request.buffers);
      request.launches = own.launches;
    }
  }
  set_numbers(job, own, request);
  set_kernel(job, request);
  request.file = launch::Text{job.trace, {job.launch, 0, 0}};
  return request;
}

std::unique_ptr<commands::Job> launched(const Job& job) {
  return std::make_unique<commands::Job>(request_of_job(job), commands::gpu_of(arch_of(job).arch));
}

std::unique_ptr<commands::Job> executed(const Job& job) {
  std::unique_ptr<commands::Job> ready = launched(job);
  exec::DirectPort port(ready->device().memory());
  for (const launch::Launch& launch : ready->plan().launches) {
    for (std::uint32_t turn = 0; turn < launch.repeat; ++turn) {
      exec::run_grid(ready->image_of(launch), port, {kMostWalked});
    }
  }
  return ready;
}

std::string other_values(const exec::GlobalMemory& own, commands::Job& like) {
  for (const launch::Buffer& buffer : like.plan().buffers) {
    const array::View expected = view_of(like.device().memory(), buffer);
    const array::View actual = view_of(own, buffer);
    if (actual.count != expected.count) {
      return fmt::format("Buffer '{}' has {} elements, and not {}: its size is the lab's.", buffer.name,
                         with_thousands(actual.count), with_thousands(expected.count));
    }
    const array::Comparison comparison = array::compare(actual, expected, kTolerance);
    if (comparison.mismatches != 0) {
      return fmt::format("After the run that is measured '{}' holds other values than it should: {}.", buffer.name,
                         array::to_text(comparison, kTolerance));
    }
  }
  return "";
}

}  // namespace gpusim::lab
