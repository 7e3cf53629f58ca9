// `[workload.NAME]` tables: computations that a config describes itself.
#include "config/errors.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "workloads/declared.hpp"
#include "workloads/values.hpp"

#include <cmath>
#include <cstring>
#include <set>

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::string tail =
    "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"own_scale\"\n"
    "[[kernel]]\nname = \"plain\"\nworkload = \"own_scale\"\nbackend = \"gpu\"\nsource = \"s.cu\"\nentry = "
    "\"go\"\n"
    "block = 1\ngrid = 1\n";
const std::string scale =
    "[workload.own_scale]\ndoc = \"y = 2 x\"\nparameters = { n = 8, dtype = [\"f32\", \"f64\"] }\n"
    "cost = { flops = \"n\" }\n"
    "[[workload.own_scale.buffer]]\nname = \"x\"\ntype = \"dtype\"\ncount = \"n\"\nrole = \"in\"\nfill = "
    "\"index\"\n"
    "[[workload.own_scale.buffer]]\nname = \"y\"\ntype = \"dtype\"\ncount = \"n\"\nrole = \"out\"\n"
    "[[workload.own_scale.scalar]]\nname = \"n\"\n";
const std::string by_kernel =
    "[workload.own_scale.check]\nkernel = \"plain\"\nrelative = \"2 * roundoff\"\n";

Config read(const TemporaryDirectory& folder, const std::string& text) {
  static_cast<void>(folder.write("s.cu", "kernel\n"));
  return parse_config(text + tail, "x.toml", {folder.path(), false});
}

std::string errors(const std::string& text) {
  const TemporaryDirectory folder;
  return refusal([&] { return read(folder, text); });
}

std::vector<float> filled(const Workload& workload, const ProblemSpec& spec, std::size_t buffer) {
  std::vector<float> values(spec.buffers[buffer].count);
  workload.generate(spec, buffer, 3, 0, std::as_writable_bytes(std::span(values)));
  return values;
}

/// What x of n elements of a type holds for a seed, as float64, and the slice from 50 on.
std::vector<double> filled_as(const std::string& type, const std::string& fill, std::int64_t n,
                              std::uint64_t seed) {
  const TemporaryDirectory folder;
  std::string text = scale;
  text.replace(text.find("\"dtype\"\ncount"), 7, "\"" + type + "\"");
  text.replace(text.find("\"index\""), 7, fill);
  const Config config = read(folder, text + by_kernel);
  const Workload& workload = *config.workloads.find("own_scale");
  const ProblemSpec spec = workload.problem(complete_parameters(workload, {{"n", n}}), "");
  std::vector<std::byte> whole(spec.buffers[0].bytes());
  workload.generate(spec, 0, seed, 0, whole);
  const std::size_t size = size_of(spec.buffers[0].type);
  std::vector<std::byte> slice(std::min<std::size_t>(40, spec.buffers[0].count - 50) * size);
  workload.generate(spec, 0, seed, 50, slice);
  CHECK(std::ranges::equal(slice, std::span(whole).subspan(50 * size, slice.size())));
  Reference kept;
  append_elements(kept, "x", spec.buffers[0].type, whole);
  std::vector<double> numbers = kept.reals["x"];
  for (const std::uint64_t one : kept.indices["x"]) numbers.push_back(static_cast<double>(one));
  return numbers;
}

/// Checks y = `values` against a reference of 2 x.
Verification judged(const Workload& workload, const ProblemSpec& spec, const Reference& reference,
                    const std::vector<float>& values) {
  return workload.check(
      spec, "f32", reference, [&](std::size_t, std::uint64_t offset, std::span<std::byte> out) {
        std::memcpy(out.data(), std::as_bytes(std::span(values)).data() + offset, out.size());
      });
}

/// The reference that a trusted kernel leaves with these outputs.
Reference trusted(const Workload& workload, const ProblemSpec& spec, const std::vector<float>& right) {
  return workload.reference_from(spec, [&](std::size_t, std::uint64_t, std::span<std::byte> out) {
    std::memcpy(out.data(), right.data(), out.size());
  });
}

}  // namespace

TEST_CASE("a declared workload has the buffers, scalars, costs and checks of its table") {
  const TemporaryDirectory folder;
  const Config config = read(folder, scale + by_kernel);
  CHECK(Workloads::built_in().find("own_scale") == nullptr);
  CHECK(config.workloads.definitions().size() == 1);
  const Workload* workload = config.workloads.find("own_scale");
  REQUIRE(workload != nullptr);
  CHECK(workload->trusted_kernel() == "plain");
  const Parameters parameters = complete_parameters(*workload, {{"n", std::int64_t{4}}});
  const ProblemSpec spec = workload->problem(parameters, "");
  REQUIRE(spec.buffers.size() == 2);
  CHECK(spec.buffers[1].role == BufferRole::out);
  CHECK(spec.buffers[0].count == 4);
  CHECK(std::get<std::int64_t>(spec.scalars.at(0).value) == 4);
  CHECK(filled(*workload, spec, 0) == std::vector<float>{0, 1, 2, 3});
  const Cost cost = workload->cost(parameters);
  CHECK(cost.flops == 4);
  CHECK(cost.bytes_read == 16);
  CHECK(cost.bytes_written == 16);

  const std::vector<float> right{0, 2, 4, 6};
  const Reference reference = trusted(*workload, spec, right);
  CHECK(judged(*workload, spec, reference, right).ok);
  const Verification wrong = judged(*workload, spec, reference, {0, 2, 4, 6.001F});
  CHECK_FALSE(wrong.ok);
  CHECK_THAT(wrong.reason, ContainsSubstring("y[3]"));
}

TEST_CASE("fills are the same for every slicing and stay in their ranges") {
  struct Case {
    std::string fill;
    double low;
    double high;
  };
  const Case given = GENERATE(values<Case>({{"{ uniform = [2, 3] }", 2, 3},
                                            {"{ integers = [-2, 2] }", -2, 2},
                                            {"{ constant = \"n\" }", 100, 100},
                                            {"{ index = [5, 2] }", 5, 203}}));
  CAPTURE(given.fill);
  const TemporaryDirectory folder;
  std::string text = scale;
  text.replace(text.find("\"index\""), 7, given.fill);
  const Config config = read(folder, text + by_kernel);
  const Workload* workload = config.workloads.find("own_scale");
  const ProblemSpec spec =
      workload->problem(complete_parameters(*workload, {{"n", std::int64_t{100}}}), "");
  const std::vector<float> whole = filled(*workload, spec, 0);
  for (const float value : whole) {
    CHECK(double{value} >= given.low);
    CHECK(double{value} <= given.high);
  }
  std::vector<float> slice(10);
  workload->generate(spec, 0, 3, 50, std::as_writable_bytes(std::span(slice)));
  CHECK(slice == std::vector<float>(whole.begin() + 50, whole.begin() + 60));
}

TEST_CASE("the kernel that judges is part of what the workload is, and of that config's alone") {
  const TemporaryDirectory folder;
  const Config config = read(folder, scale + by_kernel);
  const std::string before = config.workloads.find("own_scale")->definition();
  static_cast<void>(folder.write("s.cu", "kernel // another\n"));
  const Config other = parse_config(scale + by_kernel + tail, "x.toml", {folder.path(), false});
  CHECK(other.workloads.find("own_scale")->definition() != before);
  CHECK(config.workloads.find("own_scale")->definition() == before);
}

TEST_CASE("configs whose workloads have one name do not disturb each other") {
  const TemporaryDirectory folder;
  std::string larger = scale;
  larger.replace(larger.find("n = 8"), 5, "n = 16");
  const Config config = read(folder, scale + by_kernel);
  const Config copy = config;
  const Config other = read(folder, larger + by_kernel);
  const auto size_of = [](const Config& of) {
    const Workload& workload = *of.workloads.find("own_scale");
    return workload.problem(complete_parameters(workload, {}), "").buffers.at(0).count;
  };
  CHECK(size_of(config) == 8);
  CHECK(size_of(copy) == 8);
  CHECK(size_of(other) == 16);
  const Config none = parse_config("[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'matmul'\n", "x.toml");
  CHECK(none.workloads.find("own_scale") == nullptr);
}

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
  const TemporaryDirectory folder;
  const Config config =
      read(folder, scale + "[workload.own_scale.check]\nkernel = \"plain\"\n" + given.check + "\n");
  const Workload* workload = config.workloads.find("own_scale");
  const ProblemSpec spec = workload->problem(complete_parameters(*workload, {{"n", std::int64_t{4}}}), "");
  const Reference reference = trusted(*workload, spec, {8, -1, 2, 7});
  CHECK(judged(*workload, spec, reference, {8, -1, 2, 7}).ok);
  CHECK(judged(*workload, spec, reference, given.passes).ok);
  const Verification wrong = judged(*workload, spec, reference, given.fails);
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
  const TemporaryDirectory folder;
  const Config config =
      read(folder, scale + "[workload.own_scale.check]\nkernel = \"plain\"\n" + check + "\n");
  const Workload* workload = config.workloads.find("own_scale");
  const ProblemSpec spec = workload->problem(complete_parameters(*workload, {{"n", std::int64_t{4}}}), "");
  CHECK_THROWS_WITH(trusted(*workload, spec, truth),
                    ContainsSubstring("the check says nothing: ") && ContainsSubstring(guess));
  // All elements alike are no guess: whoever writes them is right.
  CHECK(judged(*workload, spec, trusted(*workload, spec, {2, 2, 2, 2}), {2, 2, 2, 2}).ok);
}

TEST_CASE("an output in any order has the right elements, each as often as it is due") {
  const TemporaryDirectory folder;
  const float nan = std::nanf("");
  const Config config = read(folder, scale + by_kernel + "any_order = [\"y\"]\n");
  const Workload* workload = config.workloads.find("own_scale");
  const ProblemSpec spec = workload->problem(complete_parameters(*workload, {{"n", std::int64_t{5}}}), "");
  const std::vector<float> right{4, -1, nan, 2, 2};
  const Reference reference = trusted(*workload, spec, right);
  CHECK(judged(*workload, spec, reference, right).ok);
  CHECK(judged(*workload, spec, reference, {2, nan, 2, -1, 4}).ok);
  CHECK_FALSE(judged(*workload, spec, reference, {2, 4, 4, -1, nan}).ok);
  CHECK_FALSE(judged(*workload, spec, reference, {2, nan, nan, -1, 4}).ok);
  const Verification wrong = judged(*workload, spec, reference, {2, nan, 2, -1, 4.5F});
  CHECK_FALSE(wrong.ok);
  CHECK_THAT(wrong.reason, ContainsSubstring("y[3] = 4.5") && ContainsSubstring("in order of size"));
}

TEST_CASE("a reference file says what is right") {
  const TemporaryDirectory folder;
  const std::vector<float> right{0, 2, 4};
  const std::string raw(reinterpret_cast<const char*>(right.data()), 12);
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  std::string npy = "\x93NUMPY\x01";
  npy += '\0';
  npy += static_cast<char>(dictionary.size());
  npy += '\0';
  npy += dictionary + raw;
  const std::string contents = GENERATE_COPY(raw, npy);
  static_cast<void>(folder.write("y.bin", contents));
  const Config config =
      read(folder, scale + "[workload.own_scale.check]\nfiles = { y = \"y.bin\" }\nabsolute = 0.5\n");
  REQUIRE(config.data_files.size() == 1);
  CHECK(config.data_files[0].name == "y.bin");
  const Workload* workload = config.workloads.find("own_scale");
  const auto spec_of = [&](std::int64_t n) {
    return workload->problem(complete_parameters(*workload, {{"n", n}}), "");
  };
  const Reference reference = workload->reference(spec_of(3), 1);
  CHECK(judged(*workload, spec_of(3), reference, {0.4F, 2, 4}).ok);
  CHECK_FALSE(judged(*workload, spec_of(3), reference, {0.6F, 2, 4}).ok);
  CHECK_THROWS_WITH(workload->reference(spec_of(4), 1), ContainsSubstring("ends after 3 elements"));
  CHECK_THROWS_WITH(workload->reference(spec_of(2), 1), ContainsSubstring("more than the 2 elements"));
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
  std::string npy = "\x93NUMPY\x01";
  npy += '\0';
  npy += static_cast<char>(dictionary.size());
  npy += '\0';
  const std::string elements("0123456789abcdef", 2 * size_of(type));
  const ArrayFile file{"y", folder.write("y.npy", npy + dictionary + elements).string(), ""};
  std::vector<std::byte> bytes(2 * size_of(type));
  read_array(file, type, 2, 0, bytes);
  CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == elements);
  read_array(file, type, 2, 1, std::span(bytes).first(size_of(type)));
  CHECK(std::memcmp(bytes.data(), bytes.data() + size_of(type), size_of(type)) == 0);
  CHECK_THROWS_WITH(read_array(file, DType::f32, 2, 0, {}),
                    ContainsSubstring("elements '" + descr + "', the buffer's are f32 ('<f4')"));
}

TEST_CASE("fills stay in the range of their type, and whole numbers are rounded down") {
  struct Case {
    std::string type;
    std::string fill;
    double first;
    double last;
  };
  const Case given = GENERATE(values<Case>({{"i8", "{ index = [0, 50] }", 0, 127},
                                            {"u8", "{ index = [-1, 100] }", 0, 255},
                                            {"i16", "{ index = [-2.5, 2] }", -3, 5},
                                            {"u64", "{ constant = \"2.0 ** 63\" }", 0x1p63, 0x1p63},
                                            {"i64", "{ constant = \"2.0 ** 64\" }", 0x1p63, 0x1p63},
                                            {"f16", "{ index = [0.5, 30000] }", 0.5, 120000},
                                            {"bf16", "{ index = [0, 1.003] }", 0, 4}}));
  CAPTURE(given.type);
  const TemporaryDirectory folder;
  std::string text = scale;
  text.replace(text.find("\"dtype\"\ncount"), 7, "\"" + given.type + "\"");
  text.replace(text.find("\"index\""), 7, given.fill);
  const Config config = read(folder, text + by_kernel);
  const Workload* workload = config.workloads.find("own_scale");
  const ProblemSpec spec = workload->problem(complete_parameters(*workload, {{"n", std::int64_t{5}}}), "");
  std::vector<std::byte> bytes(spec.buffers[0].bytes());
  workload->generate(spec, 0, 3, 0, bytes);
  Reference filled;
  append_elements(filled, "x", spec.buffers[0].type, bytes);
  std::vector<double> numbers = filled.reals["x"];
  for (const std::uint64_t whole : filled.indices["x"]) numbers.push_back(static_cast<double>(whole));
  REQUIRE(numbers.size() == 5);
  CHECK(numbers[0] == given.first);
  if (given.type == "f16") {
    CHECK(std::isinf(numbers[4]));  // beyond the largest
  } else {
    CHECK(numbers[4] == given.last);
  }
}

TEST_CASE("inputs may be listed, or lie in a file that is kept with the run") {
  const TemporaryDirectory folder;
  const std::vector<float> numbers{0.25F, -1, 7, 0};
  static_cast<void>(
      folder.write("x.bin", std::string(reinterpret_cast<const char*>(numbers.data()), 4 * sizeof(float))));
  const auto [fill, kept] = GENERATE(table<std::string, std::size_t>(
      {{"{ values = [0.25, -1, \"n + 3\", 0] }", 0}, {"{ file = \"x.bin\" }", 1}}));
  CAPTURE(fill);
  std::string text = scale;
  text.replace(text.find("\"index\""), 7, fill);
  const Config config = read(folder, text + by_kernel);
  CHECK(config.data_files.size() == kept);
  const Workload* workload = config.workloads.find("own_scale");
  const auto spec_of = [&](std::int64_t n) {
    return workload->problem(complete_parameters(*workload, {{"n", n}}), "");
  };
  CHECK(filled(*workload, spec_of(4), 0) == numbers);
  std::vector<float> slice(2);
  workload->generate(spec_of(4), 0, 9, 1, std::as_writable_bytes(std::span(slice)));
  CHECK(slice == std::vector<float>{-1, 7});
  CHECK_THROWS_WITH(spec_of(5), ContainsSubstring("4 "));
  CHECK_THROWS_WITH(spec_of(3), ContainsSubstring("3 elements"));
  const std::unique_ptr<Workload> sent = make_workload(workload->definition());
  CHECK(filled(*sent, spec_of(4), 0) == numbers);
}

TEST_CASE("sorted inputs ascend in steps that nobody can guess, in every slice and for every seed") {
  const auto [type, fill, low, high] = GENERATE(
      table<std::string, std::string, double, double>({{"f32", "\"sorted\"", -1, 1},
                                                       {"f64", "{ sorted = [\"-n\", 0] }", -1000, 0},
                                                       {"i32", "\"sorted\"", 0, 255},
                                                       {"i32", "{ sorted = [10, 1000000] }", 10, 1000000},
                                                       {"u64", "{ sorted = [3, 3] }", 3, 3}}));
  CAPTURE(type, fill);
  const std::vector<double> first = filled_as(type, fill, 1000, 3);
  CHECK(std::ranges::is_sorted(first));
  CHECK(first.front() >= low);
  CHECK(first.back() <= high);
  const std::vector<double> other = filled_as(type, fill, 1000, 4);
  if (low < high) {
    CHECK(first.front() < low + 0.1 * (high - low));
    CHECK(first.back() > high - 0.1 * (high - low));
    // The middle is anywhere in a quarter of the range.
    CHECK(std::abs(first[500] - other[500]) > 1e-3 * (high - low));
  }
}

TEST_CASE("row pointers ascend from 0 to the number that they end at, in rows of different lengths") {
  const auto [type, end] = GENERATE(
      table<std::string, double>({{"i32", 100000}, {"u64", 100000}, {"i32", 0}, {"u32", 7}, {"f64", 500}}));
  CAPTURE(type, end);
  const std::string fill = "{ row_pointers = " + std::to_string(static_cast<int>(end)) + " }";
  const std::vector<double> rows = filled_as(type, fill, 1001, 3);
  CHECK(std::ranges::is_sorted(rows));
  CHECK(rows.front() == 0);
  CHECK(rows.back() == end);
  if (end < 1000) return;
  std::set<double> lengths;
  for (std::size_t i = 1; i < rows.size(); ++i) lengths.insert(rows[i] - rows[i - 1]);
  CHECK(lengths.size() > 50);
  CHECK(filled_as(type, fill, 1001, 4) != rows);
}

TEST_CASE("a permutation has every number once, in another order for each seed") {
  const auto [type, n] =
      GENERATE(table<std::string, std::int64_t>({{"u8", 256}, {"i32", 1000}, {"u64", 51}, {"f32", 4099}}));
  CAPTURE(type, n);
  std::vector<double> numbers = filled_as(type, "\"permutation\"", n, 3);
  CHECK(filled_as(type, "\"permutation\"", n, 4) != numbers);
  CHECK_FALSE(std::ranges::is_sorted(numbers));
  std::ranges::sort(numbers);
  for (std::int64_t i = 0; i < n; ++i)
    CHECK(numbers[static_cast<std::size_t>(i)] == static_cast<double>(i));
}

TEST_CASE("an input may have the numbers of another one in its own layout") {
  const TemporaryDirectory folder;
  const auto [fill, layout] =
      GENERATE(table<std::string, std::string>({{"\"uniform\"", "i % 2 * 3 + i // 2"},
                                                {"{ values = [1, 2, 3, 4, 5, 6] }", "if(i < 5, i, -1)"},
                                                {"\"permutation\"", ""},
                                                {"\"sorted\"", "5 - i"}}));
  CAPTURE(fill, layout);
  std::string text = scale +
                     "[[workload.own_scale.buffer]]\nname = \"z\"\ntype = \"dtype\"\ncount = 6\n"
                     "role = \"in\"\nfill = { like = \"x\"" +
                     (layout.empty() ? "" : ", layout = \"" + layout + "\"") + " }\n";
  text.replace(text.find("\"index\""), 7, fill);
  const Config config = read(folder, text + by_kernel);
  const Workload* workload = config.workloads.find("own_scale");
  const ProblemSpec spec = workload->problem(complete_parameters(*workload, {{"n", std::int64_t{6}}}), "");
  const std::vector<float> x = filled(*workload, spec, 0);
  const std::vector<float> z = filled(*workload, spec, 2);
  if (layout.starts_with("i %")) CHECK(z == std::vector{x[0], x[3], x[1], x[4], x[2], x[5]});
  if (layout.starts_with("if")) CHECK(z == std::vector<float>{1, 2, 3, 4, 5, 0});
  if (layout.empty()) CHECK(z == x);
  if (layout.starts_with("5")) CHECK(z == std::vector<float>(x.rbegin(), x.rend()));
  if (!layout.empty()) return;
  const ProblemSpec less = workload->problem(complete_parameters(*workload, {{"n", std::int64_t{5}}}), "");
  CHECK_THROWS_WITH(filled(*workload, less, 2), ContainsSubstring("is 5 for i = 5: x has elements 0 to 4"));
}

TEST_CASE("sizes may name tunables, which each kernel of the workload has") {
  std::string text = scale + by_kernel;
  text.replace(text.rfind("count = \"n\""), 11, "count = \"n * COPIES\"");
  CHECK_THAT(errors(text), ContainsSubstring("[workload.own_scale]: nothing is called 'COPIES' here"));
  const std::string tunables = "tunables = { COPIES = 2 }\n";
  std::string two = tail.substr(tail.find("[[kernel]]")) + tunables;
  two.replace(two.find("plain"), 5, "two");
  CHECK_THAT(errors(text + two), ContainsSubstring("kernel 'plain' has no tunable 'COPIES', which a count "
                                                   "of [workload.own_scale] names"));
  const TemporaryDirectory folder;
  static_cast<void>(folder.write("s.cu", "kernel\n"));
  const Config config = parse_config(text + tail + tunables + two, "x.toml", {folder.path(), false});
  const auto workload = make_workload(config.workloads.find("own_scale")->definition());
  Point point;
  point.problem = complete_parameters(*workload, {});
  CHECK_THROWS_WITH(problem_of(*workload, point), ContainsSubstring("count of buffer y"));
  point.tunables = {{"COPIES", std::int64_t{3}}, {"TILE", std::int64_t{4}}};
  CHECK(problem_of(*workload, point).buffers.at(1).count == 24);
  CHECK(problem_values(*workload, point).size() == 3);  // n, dtype, COPIES
  CHECK(workload->cost(problem_values(*workload, point)).bytes_written == 96);
}

TEST_CASE("an npy file of another type or order is refused") {
  const TemporaryDirectory folder;
  const std::string dictionary =
      GENERATE(as<std::string>{}, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
               "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", "{'descr': '<f8'}", "rubbish");
  std::string npy = "\x93NUMPY\x01";
  npy += '\0';
  npy += static_cast<char>(dictionary.size());
  npy += '\0';
  npy += dictionary + std::string(8, '\0');
  const ArrayFile file{"y", folder.write("y.npy", npy).string(), ""};
  CHECK_THROWS_AS(read_array(file, DType::f32, 1, 0, {}), ProblemError);
}

TEST_CASE("what is wrong with a declared workload is told") {
  struct Case {
    std::string text;
    std::string message;
  };
  const auto replaced = [](const std::string& what, const std::string& by) {
    std::string text = scale + by_kernel;
    return text.replace(text.find(what), what.size(), by);
  };
  const Case wrong = GENERATE_COPY(values<Case>({
      {replaced("kernel = \"plain\"", "kernel = \"plian\""), "did you mean 'plain'?"},
      {replaced("role = \"out\"", "role = \"in\""), "has no output"},
      {replaced("role = \"out\"", "role = \"outt\""), "did you mean 'out'?"},
      {replaced("\"index\"", "\"indexx\""), "did you mean 'index'?"},
      {replaced("\"index\"", "\"values\""), "{ values = [0.25, 0.5] }"},
      {replaced("\"index\"", "\"row_pointers\""), "{ row_pointers = \"nnz\" }"},
      {replaced("\"index\"", "{ row_pointers = [0, 8] }"), "expected an expression in quotes, or a number"},
      {replaced("\"index\"", "{ permutation = 3 }"), "'permutation' does not take these numbers"},
      {replaced("\"index\"", "{ like = \"z\" }"), "buffer 'x' is filled like 'z', which must be an input"},
      {replaced("\"index\"", "{ like = \"y\" }"), "buffer 'x' is filled like 'y'"},
      {replaced("\"index\"", "{ like = \"x\" }"), "buffer 'x' is filled like 'x'"},
      {replaced("\"index\"", "{ like = \"x\", layout = \"j\" }"), "nothing is called 'j' here"},
      {replaced("\"index\"", "{ like = \"x\", layot = \"i\" }"), "did you mean 'layout'?"},
      {replaced("\"index\"", "{ values = [] }"), "a list of 1 to 4096"},
      {replaced("\"index\"", "{ file = \"../x.npy\" }"), "lies outside the config's folder"},
      {replaced("\"index\"", "{ file = 3 }"), "'file' in 'fill'"},
      {replaced("flops = \"n\"", "flops = \"m\""), "nothing is called 'm' here"},
      {replaced("2 * roundoff", "2 * epsilon"), "nothing is called 'epsilon' here"},
      {replaced("kernel = \"plain\"", ""), "has neither 'kernel' nor 'files'"},
      {replaced("kernel = \"plain\"", "files = { y = \"../y.bin\" }"), "lies outside the config's folder"},
      {replaced("kernel = \"plain\"", "files = { x = \"s.cu\" }"), "unknown output 'x'"},
      {replaced("kernel = \"plain\"", "kernel = \"plain\"\nany_order = [\"x\"]"), "unknown output 'x'"},
      {replaced("[\"f32\", \"f64\"]", "[\"f61\"]"),
       "parameter 'dtype' of [workload.own_scale] cannot be 'f61'"},
      {replaced("[\"f32\", \"f64\"]", "[0, 1]"),
       "an element of parameter 'dtype' of [workload.own_scale] is an integer"},
      {replaced("name = \"y\"", "name = \"x\""), "two things called 'x'"},
      {replaced("n = 8", "n = { default = 8, minimum = 9, maximum = 3 }"), "no number lies from 9 to 3"},
  }));
  CAPTURE(wrong.text);
  const std::string told = errors(wrong.text);
  CHECK_THAT(told, ContainsSubstring(wrong.message));
  // Its kernels name a workload that is declared, if badly.
  CHECK_THAT(told, !ContainsSubstring("unknown workload"));
}

TEST_CASE("a workload of the program cannot be declared again") {
  std::string text = scale + by_kernel;
  for (std::size_t at = text.find("own_scale"); at != std::string::npos; at = text.find("own_scale")) {
    text.replace(at, 9, "matmul");
  }
  CHECK_THAT(errors(text), ContainsSubstring("a workload 'matmul' exists already"));
}

TEST_CASE("a problem that its expressions make impossible is refused with the place") {
  const TemporaryDirectory folder;
  std::string text = scale + by_kernel;
  text.replace(text.find("count = \"n\""), 11, "count = \"n - 8\"");
  const Config config = read(folder, text);
  const Workload* workload = config.workloads.find("own_scale");
  CHECK_THROWS_WITH(workload->problem(complete_parameters(*workload, {}), ""),
                    ContainsSubstring("no elements"));
  CHECK_THROWS_WITH(workload->problem(complete_parameters(*workload, {{"n", std::int64_t{4}}}), ""),
                    ContainsSubstring("count of buffer x"));
}

TEST_CASE("tolerances, costs and fills that cannot be rule a problem out before anything is measured") {
  struct Case {
    std::string what;
    std::string by;
    std::string place;
    std::string reason;
  };
  const Case wrong = GENERATE(values<Case>({
      {"2 * roundoff", "roundoff - 1", "check: relative", "is negative"},
      {"relative = \"2 * roundoff\"", "share = \"0.5 - n\"", "check: share", "is negative"},
      {"relative = \"2 * roundoff\"", "max_abs = -1", "check: max_abs", "is negative"},
      {"relative = \"2 * roundoff\"", "rel_l2 = \"1 / (n - 8)\"", "check: rel_l2", "division by zero"},
      {"flops = \"n\"", "flops = \"n * n * n * 100000000000000\"", "cost: flops", "beyond 2^53"},
      {"flops = \"n\"", "flops = \"n - 9\"", "cost: flops", "is negative"},
      {"flops = \"n\"", "bytes_read = \"n / (n - 8)\"", "cost: bytes_read", "division by zero"},
      {"flops = \"n\"", "bytes_written = \"1e308 * n\"", "cost: bytes_written", "not a finite number"},
      {"\"index\"", "{ constant = \"n / (n - 8)\" }", "fill of buffer x", "division by zero"},
      {"\"index\"", "{ sorted = [\"n\", 7] }", "fill of buffer x", "ascends from 8 to 7, which is less"},
      {"\"index\"", "{ row_pointers = 0.5 }", "fill of buffer x", "a whole number from 0 on"},
      {"\"index\"", "{ row_pointers = \"n - 9\" }", "fill of buffer x", "a whole number from 0 on"},
      {"\"index\"", "{ row_pointers = 20000000 }", "fill of buffer x", "which f32 does not hold"},
  }));
  const TemporaryDirectory folder;
  std::string text = scale + by_kernel;
  text.replace(text.find(wrong.what), wrong.what.size(), wrong.by);
  const Config config = read(folder, text);
  const Workload* workload = config.workloads.find("own_scale");
  CHECK_THROWS_WITH(workload->problem(complete_parameters(*workload, {}), ""),
                    ContainsSubstring(wrong.place) && ContainsSubstring(wrong.reason));
}
