// SPDX-License-Identifier: MIT
// price.usd_per_hour: what a user states, with its date.
#include <catch2/catch.hpp>

#include "tests/model/arch/support.h"

namespace price_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

namespace {

std::string problems_of_price(const std::string& value) {
  return problems_of_variant("price:\n  usd_per_hour: " + value + "\n");
}

constexpr const char* kDated = "[2.49, given, \"an offer of 2026-01-31\"]";

}  // namespace

TEST_CASE("a price with its date is read, and is not a guess") {
  const Folder folder;
  const std::string base = "extends: " + (kConfigs / "h100.yaml").string() + "\n";
  const Arch arch = load_arch(folder.write("v.yaml", base + "price: {usd_per_hour: " + kDated + "}\n"), {});
  CHECK(arch.price.usd_per_hour == Ratio{249, 100});
  CHECK(arch.guesses == h100().guesses);
}

TEST_CASE("the date of a price may stand in the source that it names") {
  CHECK(problems_of_price("[2, given, offer]\nsources: {offer: \"rent, 2026-01-31\"}").empty());
}

TEST_CASE("a price without a date, or of another kind, is refused with the way to write it") {
  const std::string how = "(write [2.5, given, \"who asks that, 2026-01-31\"], or --set it)\n";
  CHECK(problems_of_price("[2, given, this January]") ==
        "v.yaml:3:17: 'price.usd_per_hour' has no date in its source " + how);
  CHECK(problems_of_price("[2, vendor, \"list of 2026-01-31\"]") ==
        "v.yaml:3:17: 'price.usd_per_hour' is not of kind 'given' " + how);
  CHECK(problems_of_price("2") == "v.yaml:3:17: 'price.usd_per_hour' is not of kind 'given' " + how);
}

TEST_CASE("only a price is given") {
  CHECK_THAT(problems_of_variant("sm:\n  count: [132, given, \"seen on 2026-01-31\"]\n"),
             Catch::Contains("'sm.count' is of kind 'given', which is for what a user states"));
}

TEST_CASE("a price can be set for one run, and comes out of the dump again") {
  CHECK(h100({{"price.usd_per_hour", "1.5"}}).price.usd_per_hour == Ratio{3, 2});
  const Folder folder;
  const std::string dump = dump_arch(kConfigs / "h100.yaml", std::vector<Override>{{"price.usd_per_hour", "1.5"}});
  CHECK(load_arch(folder.write("d.yaml", dump), {}).price.usd_per_hour == Ratio{3, 2});
}

TEST_CASE("no shipped GPU has a price, and none that inherits guesses takes its base's") {
  CHECK(h100().price.usd_per_hour == Ratio{0, 1});
  const Folder folder;
  folder.write("priced.yaml",
               "extends: " + (kConfigs / "h100.yaml").string() + "\nprice: {usd_per_hour: " + kDated + "}\n");
  const auto price_with = [&folder](const std::string& text) {
    return load_arch(folder.write("v.yaml", "extends: priced.yaml\n" + text), {}).price.usd_per_hour;
  };
  CHECK(price_with("name: the same but for its name\n") == Ratio{249, 100});
  CHECK(price_with("inherited: guess\nname: another GPU\n") == Ratio{0, 1});
}

}  // namespace price_test
