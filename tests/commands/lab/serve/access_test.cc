// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/access.h"

#include <string>

#include <catch2/catch.hpp>

using namespace gpusim::lab;

TEST_CASE("tokens are long and never the same") {
  const std::string one = random_token();
  CHECK(one.size() == 64);
  CHECK(one.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(one != random_token());
}

TEST_CASE("secrets are equal when every character is") {
  CHECK(is_same_secret("abc", "abc"));
  CHECK(is_same_secret("", ""));
  for (const char* const other : {"abd", "bbc", "ab", "abcd", "", "ABC"}) {
    CHECK_FALSE(is_same_secret("abc", other));
  }
}

TEST_CASE("the place of a request is what stands behind the token") {
  const Access access(80, "abc");
  CHECK(access.address() == "http://127.0.0.1:80/abc/");
  Request request;
  request.target = "/abc/labs/x/";
  CHECK(access.place_of(request) == "/labs/x/");
  request.target = "/abc";
  CHECK(access.place_of(request) == "/");
}
