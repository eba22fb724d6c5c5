// SPDX-License-Identifier: MIT
// Wrong usage and bad input, and how the program refuses them.
#pragma once

#include <string>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace gpusim::app {

struct Wrong {
  std::string arguments;
  std::string message;  ///< or a part of it
  int code = 1;
};

/// Nothing goes to standard output, and standard error has a message of ours.
inline void check_refused(const Workshop& shop, const Wrong& wrong) {
  INFO(wrong.arguments);
  const Workshop::Said said = shop.run(wrong.arguments);
  CHECK(said.code == wrong.code);
  CHECK_THAT(said.err, Catch::Matchers::Contains(wrong.message));
  CHECK_THAT(said.err, Catch::Matchers::Contains("gpusim: error: "));
  CHECK(said.out.empty());
}

}  // namespace gpusim::app
