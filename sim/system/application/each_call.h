// SPDX-License-Identifier: MIT
// All calls of a list, those of repetitions and ranges in it as well.
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "sim/system/application/application.h"

namespace gpusim::application {

/// The calls of a repetition or a range, const as the call is; nullptr for another call.
template <class C>
requires std::same_as<std::remove_const_t<C>, Call>
[[nodiscard]] auto* body_of(C& call) {
  if (auto* const repeat = std::get_if<Repeat>(&call.is)) {
    return &repeat->body;
  }
  auto* const range = std::get_if<Range>(&call.is);
  return range == nullptr ? nullptr : &range->body;
}

/// Whether `is_it` holds for a call that is neither a repetition nor a range.
template <class Predicate>
[[nodiscard]] bool any_call(const Calls& calls, const Predicate& is_it) {
  return std::ranges::any_of(calls, [&is_it](const Call& call) {
    const Calls* const body = body_of(call);
    return body == nullptr ? is_it(call) : any_call(*body, is_it);
  });
}

/// Calls `visit` with each call that is neither a repetition nor a range, in their order, and once however often it is
/// repeated.
template <class Visit>
void for_each_call(const Calls& calls, const Visit& visit) {
  for (const Call& call : calls) {
    if (const Calls* const body = body_of(call)) {
      for_each_call(*body, visit);
    } else {
      visit(call);
    }
  }
}

}  // namespace gpusim::application
