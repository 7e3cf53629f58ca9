// `[workload.NAME.check]`: which results are right.
#include "config/declared.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::test::declared;

TEST_CASE("a share of elements, a largest error and a norm are what a check may allow") {
  struct Case {
    std::string check;
    std::vector<float> passes;
    std::vector<float> fails;
    std::string reason;
  };
  const float nan = std::nanf("");
  const Case given = GENERATE_COPY(values<Case>(
      {{"share = 0.3",
        {9, -1, 2, 7},
        {9, -1, 3, 7},
        "2 of 4 elements of y are wrong, the first is number 0"},
       {"share = 0.3", {9, -1, 2, 7}, {8, -1, 2, nan}, "1 elements of y are not finite"},
       {"share = 0.3\nmax_abs = 2", {6, -1, 2, 7}, {5.5F, -1, 2, 7}, "off by 2.5, max_abs allows 2"},
       {"max_abs = 0.5", {8.5F, -1.5F, 2.5F, 7.5F}, {8, -1, 2, 7.6F}, "max_abs allows 0.5"},
       {"absolute = 0.2\nmax_abs = 0.5",
        {8.1F, -1, 2, 7},
        {8.3F, -1, 2, 7},
        "1 of 4 elements of y are wrong"},
       {"rel_l2 = 0.1", {8.5F, -1.5F, 2.5F, 7.5F}, {9, -1, 3, 7}, "of its norm, rel_l2 allows 0.1"},
       {"relative = 1\nrel_l2 = 0.1", {8, -1, 2.5F, 7}, {8, -1, 0, 7}, "rel_l2 allows 0.1"}}));
  CAPTURE(given.check);
  const Declared own(scale + "[workload.own_scale.check]\nkernel = \"plain\"\n" + given.check + "\n");
  const ProblemSpec spec = own.problem(4);
  const Reference reference = trusted(own.workload(), spec, {8, -1, 2, 7});
  CHECK(judged(own.workload(), spec, reference, {8, -1, 2, 7}).ok);
  CHECK(judged(own.workload(), spec, reference, given.passes).ok);
  const Verification wrong = judged(own.workload(), spec, reference, given.fails);
  CHECK_FALSE(wrong.ok);
  CHECK_THAT(wrong.reason, ContainsSubstring(given.reason));
}

TEST_CASE("a check that a guess would pass, which reads no input, is refused") {
  const auto [check, truth, guess] = GENERATE(table<std::string, std::vector<float>, std::string>(
      {{"share = 0.5", {3, 8, 3, 7}, "3 in every element of y"},
       {"rel_l2 = 0.1", {10, 11, 12, 13}, "11.5 in every element"},
       {"max_abs = 2", {10, 11, 12, 14}, "in every element"},
       {"rel_l2 = 1", {-4, 4, 5, -5}, "0 in every element"}}));
  CAPTURE(check);
  const Declared own(scale + "[workload.own_scale.check]\nkernel = \"plain\"\n" + check + "\n");
  const ProblemSpec spec = own.problem(4);
  CHECK_THROWS_WITH(trusted(own.workload(), spec, truth),
                    ContainsSubstring("the check says nothing: ") && ContainsSubstring(guess));
  // All elements alike are no guess: whoever writes them is right.
  CHECK(judged(own.workload(), spec, trusted(own.workload(), spec, {2, 2, 2, 2}), {2, 2, 2, 2}).ok);
}

TEST_CASE("an output in any order has the right elements, each as often as it is due") {
  const Declared own(scale + by_kernel + "any_order = [\"y\"]\n");
  const float nan = std::nanf("");
  const ProblemSpec spec = own.problem(5);
  const std::vector<float> right{4, -1, nan, 2, 2};
  const Reference reference = trusted(own.workload(), spec, right);
  CHECK(judged(own.workload(), spec, reference, right).ok);
  CHECK(judged(own.workload(), spec, reference, {2, nan, 2, -1, 4}).ok);
  CHECK_FALSE(judged(own.workload(), spec, reference, {2, 4, 4, -1, nan}).ok);
  CHECK_FALSE(judged(own.workload(), spec, reference, {2, nan, nan, -1, 4}).ok);
  const Verification wrong = judged(own.workload(), spec, reference, {2, nan, 2, -1, 4.5F});
  CHECK_FALSE(wrong.ok);
  CHECK_THAT(wrong.reason, ContainsSubstring("y[3] = 4.5") && ContainsSubstring("in order of size"));
}

TEST_CASE("an output that is right in another order is wrong with a hint") {
  const Declared own(scale + by_kernel);
  const ProblemSpec spec = own.problem(4);
  const Reference reference = trusted(own.workload(), spec, {4, -1, 2, 2});
  const Verification moved = judged(own.workload(), spec, reference, {2, 4, 2, -1});
  CHECK_FALSE(moved.ok);
  CHECK_THAT(moved.reason, ContainsSubstring("any_order = [\"y\"] in [workload.own_scale.check] allows"));
  CHECK_THAT(judged(own.workload(), spec, reference, {4, 4, 2, -1}).reason,
             !ContainsSubstring("any_order"));
}

TEST_CASE("a reference file says what is right") {
  const TemporaryDirectory folder;
  const std::vector<float> right{0, 2, 4};
  const std::string raw(reinterpret_cast<const char*>(right.data()), 12);
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  const std::string contents = GENERATE_COPY(raw, npy(dictionary, raw));
  static_cast<void>(folder.write("y.bin", contents));
  const Declared own(folder,
                     scale + "[workload.own_scale.check]\nfiles = { y = \"y.bin\" }\nabsolute = 0.5\n");
  REQUIRE(own.config.data_files.size() == 1);
  CHECK(own.config.data_files[0].name == "y.bin");
  const Reference reference = own.workload().reference(own.problem(3), 1);
  CHECK(judged(own.workload(), own.problem(3), reference, {0.4F, 2, 4}).ok);
  CHECK_FALSE(judged(own.workload(), own.problem(3), reference, {0.6F, 2, 4}).ok);
  CHECK_THROWS_WITH(own.workload().reference(own.problem(4), 1),
                    ContainsSubstring("ends after 3 elements"));
  CHECK_THROWS_WITH(own.workload().reference(own.problem(2), 1),
                    ContainsSubstring("more than the 2 elements"));
}

TEST_CASE("a reference file of every type has its bytes, as .npy by NumPy's names") {
  const auto [type, descr] = GENERATE(table<DType, std::string>({{DType::f16, "<f2"},
                                                                 {DType::bf16, "<u2"},
                                                                 {DType::i8, "|i1"},
                                                                 {DType::u8, "|u1"},
                                                                 {DType::i16, "<i2"},
                                                                 {DType::u16, "<u2"},
                                                                 {DType::u32, "<u4"},
                                                                 {DType::i64, "<i8"},
                                                                 {DType::u64, "<u8"},
                                                                 {DType::f64, "<f8"}}));
  CAPTURE(to_string(type));
  const TemporaryDirectory folder;
  const std::string dictionary = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,), }";
  const std::string elements("0123456789abcdef", 2 * size_of(type));
  const ArrayFile file{"y", folder.write("y.npy", npy(dictionary, elements)).string(), ""};
  std::vector<std::byte> bytes(2 * size_of(type));
  read_array(file, type, 2, 0, bytes);
  CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == elements);
  read_array(file, type, 2, 1, std::span(bytes).first(size_of(type)));
  CHECK(std::memcmp(bytes.data(), bytes.data() + size_of(type), size_of(type)) == 0);
  CHECK_THROWS_WITH(read_array(file, DType::f32, 2, 0, {}),
                    ContainsSubstring("elements '" + descr + "', the buffer's elements are f32 ('<f4')"));
}

TEST_CASE("a buffer of bytes takes a structured array, and no other buffer does") {
  const TemporaryDirectory folder;
  const std::string dictionary =
      "{'descr': [('x', '<f4'), ('', '|V2'), ('id', '<i2')], 'fortran_order': False, 'shape': (1,), }";
  const ArrayFile file{"p", folder.write("p.npy", npy(dictionary, "01234567")).string(), ""};
  std::vector<std::byte> bytes(8);
  read_array(file, DType::u8, 8, 0, bytes);
  CHECK(std::memcmp(bytes.data(), "01234567", 8) == 0);
  CHECK_THROWS_WITH(read_array(file, DType::f32, 2, 0, {}), ContainsSubstring("it holds structures"));
}

TEST_CASE("an npy file of another type or order is refused") {
  const TemporaryDirectory folder;
  const std::string dictionary =
      GENERATE(as<std::string>{}, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
               "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "{'descr': '<f8'}", "rubbish");
  const ArrayFile file{"y", folder.write("y.npy", npy(dictionary, std::string(8, '\0'))).string(), ""};
  CHECK_THROWS_AS(read_array(file, DType::f32, 1, 0, {}), ProblemError);
}
