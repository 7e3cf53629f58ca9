// Forms in the order of the times that are expected of them.
#include <catch2/catch_test_macros.hpp>

#include "gpu/ranked.hpp"
#include "gpu/ranked_products.hpp"

#include <string>
#include <vector>

using namespace benchctl;
using gpu::are_about_as_many;
using gpu::Ranked;

TEST_CASE("forms are ranked by expected time, alike ones left out, equal ones in the order they came in") {
  struct Form {
    char kernel;
    int parts;
    bool operator==(const Form&) const = default;
  };
  const std::vector<Ranked<Form>> forms{{{'a', 4}, 30}, {{'b', 1}, 20}, {{'a', 5}, 10},
                                        {{'c', 1}, 20}, {{'a', 9}, 40}, {{'d', 2}, 50}};
  const auto alike = [](const Form& one, const Form& other) {
    return one.kernel == other.kernel && one.parts - other.parts <= 1;
  };
  std::vector<Form> ranked;
  for (const auto& [form, ns] : gpu::rank(forms, 4, alike)) ranked.push_back(form);
  // 'a' in 4 parts is like 'a' in 5, which is quicker; 'a' in 9 is not taken for like 'a' in 5.
  CHECK(ranked == std::vector<Form>{{'a', 5}, {'b', 1}, {'c', 1}, {'d', 2}});
  CHECK(gpu::rank(forms, 1, alike).front().expected_ns == 10);
  CHECK(gpu::rank(forms, 9, gpu::never_alike).size() == forms.size());
  CHECK(gpu::rank(std::vector<Ranked<Form>>{}, 4, alike).empty());
}

TEST_CASE("numbers of parts are about as many if they differ by less than a quarter") {
  CHECK(are_about_as_many(1, 1));
  CHECK_FALSE(are_about_as_many(1, 2));
  CHECK_FALSE(are_about_as_many(4, 5));
  CHECK(are_about_as_many(5, 6));
  CHECK(are_about_as_many(6, 5));
  CHECK_FALSE(are_about_as_many(10, 8));
}

TEST_CASE("the product that is taken without a trial comes first, whatever is expected") {
  const auto texts = [](const std::string& first, std::size_t most) {
    gpu::ProductRanking ranking;
    for (const auto& [text, ns] : {std::pair{"strips", 12.0}, {"tiles", 10.0}, {"rows", 11.0}}) {
      ranking.add(ns, {"form", text, {}, {}});
    }
    std::vector<std::string> all;
    for (const auto& [product, ns] : std::move(ranking).ranked(first, most)) all.push_back(product.text);
    return all;
  };
  CHECK(texts("strips", 8) == std::vector<std::string>{"strips", "tiles", "rows"});
  CHECK(texts("rows", 2) == std::vector<std::string>{"rows", "tiles"});
  CHECK(texts("tiles", 1) == std::vector<std::string>{"tiles"});
}
