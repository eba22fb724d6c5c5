// SPDX-License-Identifier: MIT
// Reads the calls of threads and graphs. For loader.cc alone.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/arch/yaml_reader.h"
#include "sim/system/application/application.h"
#include "sim/system/application/fields.h"

namespace gpusim::application {

/// Names of one sort in the order of their indices.
class Names {
 public:
  explicit Names(std::string_view sort) : sort_(sort) {}
  /// The index of a name that was not there before; a name that was is a problem at the place of `item`.
  void add(arch::YamlReader& yaml, const arch::YamlItem& item);
  void add(const std::string& name) { index_.emplace(name, static_cast<Index>(index_.size())); }
  /// 0, with a problem, for a name that is not there.
  [[nodiscard]] Index find(arch::YamlReader& yaml, const arch::YamlNode& at, const std::string& name) const;

 private:
  std::string sort_;  ///< "kernel"
  std::map<std::string, Index, std::less<>> index_;
};

/// What calls may name.
struct Vocabulary {
  Names kernels{"kernel"};
  Names streams{"stream"};
  Names queues{"queue"};
  Names graphs{"graph"};
};

class CallReader {
 public:
  /// Events, buffers and categories that calls name are added to the application.
  CallReader(arch::YamlReader& yaml, const Vocabulary& names, Application& application)
      : yaml_(yaml),
        names_(names),
        events_{application.events, {}},
        buffers_{application.buffers, {}},
        categories_{application.categories, {{"other", 0}}} {}

  /// A list of calls.
  [[nodiscard]] Calls read(const arch::YamlNode& node);
  /// Problems with events that no call records, and with buffers that none allocates.
  void check_names();

  Work read_work(Fields& fields);
  Launch read_launch(Fields& fields);
  Copy read_copy(Fields& fields);
  Fill read_fill(Fields& fields);
  Record read_record(Fields& fields);
  WaitForEvent read_wait(Fields& fields);
  Synchronize read_synchronize(Fields& fields);
  RunCollective read_collective(Fields& fields);
  LaunchGraph read_graph(Fields& fields);
  Put read_put(Fields& fields);
  Take read_take(Fields& fields);
  Allocate read_allocate(Fields& fields);
  Free read_free(Fields& fields);
  EmptyCache read_empty_cache(Fields& fields);
  Repeat read_repeat(Fields& fields);
  Range read_range(Fields& fields);

 private:
  struct Named {
    std::string name;
    const arch::YamlNode& at;
  };
  void read_call(const arch::YamlNode& node, Calls& into);
  Index named(Fields& fields, std::string_view key, const Names& names, std::string_view meaning);
  Index stream_of(Fields& fields);
  std::uint64_t bytes_of(Fields& fields);
  /// The index of a name, which is added where it is new.
  struct Indexed {
    std::vector<std::string>& names;
    std::map<std::string, Index, std::less<>> index;
    Index operator[](const std::string& name);
  };
  std::string name_in(Fields& fields, std::string_view key, std::string_view meaning);
  void check(const std::vector<Named>& used, const std::set<std::string, std::less<>>& known, const std::string& what,
             const std::string& form);
  Index awaited(Fields& fields);
  Calls body_of(Fields& fields);

  arch::YamlReader& yaml_;
  const Vocabulary& names_;
  Indexed events_;
  Indexed buffers_;
  Indexed categories_;
  std::set<std::string, std::less<>> recorded_;
  std::set<std::string, std::less<>> allocated_;
  std::uint64_t count_ = 0;  ///< calls read so far
  std::vector<Named> awaited_;
  std::vector<Named> freed_;
};

/// A kind of call as documents show it.
struct CallForm {
  std::string_view name;
  std::string_view main;  ///< the key for which a scalar or a list in place of the map stands; empty: none
  std::string_view form;
  std::string_view meaning;
};
[[nodiscard]] std::vector<CallForm> call_forms();

}  // namespace gpusim::application
