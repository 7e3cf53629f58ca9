// What a config may cost: texts that once took minutes, gigabytes or the stack are refused or read in a
// moment. Tests of what grew with the square of a size have a size that took minutes then.
#include "config/document.hpp"
#include "errors.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// `element(0), element(1), …` with commas between.
template <class Element>
std::string listed(std::size_t count, Element element) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + element(i);
  return all;
}

const Lines too_deep{
    "1:34: error: nested deeper than 16 levels; expected fewer brackets, or fewer dots in the key"};

}  // namespace

TEST_CASE("keys and values that are nested without end are refused where they become too deep") {
  CHECK(error_lines(repeated("a.", 30'000) + "a = 1") == too_deep);
  CHECK(error_lines("[" + repeated("a.", 30'000) + "a]")[0].starts_with("1:35: error: nested deeper"));
  CHECK(error_lines("x = " + repeated("[", 30'000))[0].starts_with("1:21: error: nested deeper"));
  CHECK(error_lines("# ä\nä = " + repeated("{a = ", 30'000))[0].starts_with("2:85: error: nested deeper"));
}

TEST_CASE("only brackets and dots of the structure count as nesting") {
  const std::string many = repeated("[", 50) + repeated("a.", 50);
  CHECK(error_lines("[experiment]\nname = \"x\" # " + many + "\ntitle = \"\\\"" + many +
                    "\"\ndescription = '''\n'" + many +
                    "'''\n[[sweep]]\nworkload = 'w'\nwhere = ['n > 1.5']\n") == Lines{});
  // A list's elements are beside each other, and a number's dot is no key's.
  CHECK(sweep_errors("parameters = { n = [" +
                     listed(50, [](std::size_t i) { return fmt::format("{}.5", i); }) + "] }") == Lines{});
  // Where a string is not closed the parser says so.
  CHECK_THAT(sweep_errors("name = \"x\n" + many)[0], ContainsSubstring("5:10: error: TOML syntax"));
}

TEST_CASE("more keys and values than a config can need are refused before they are parsed") {
  const auto lines = sweep_errors("parameters = { n = [" +
                                  listed(max_nodes, [](std::size_t) { return std::string("1"); }) + "] }");
  REQUIRE(lines.size() == 1);
  CHECK_THAT(
      lines[0],
      EndsWith(
          "error: more than 500000 keys and values; expected ranges in place of long lists, or several "
          "configs"));
}

TEST_CASE("a range up to the largest number ends") {
  const auto values = [](const std::string& range) {
    return parse_config(sweep_head + "parameters = { n = " + range + " }", "x.toml")
        .sweeps.at(0)
        .axes.at(0)
        .values;
  };
  const auto doubled = values("{ from = 1, to = 1.7976931348623157e308, times = 2 }");
  CHECK(doubled.size() == 1024);
  CHECK(std::isfinite(std::get<double>(doubled.back())));
  CHECK(values("{ from = 1e300, to = 1.7976931348623157e308, times = 1e300 }").size() == 1);
}

TEST_CASE("ranges of many axes together are refused") {
  const auto axis = [](std::size_t i) {
    return fmt::format("n{} = {{ from = 1, to = 100000, step = 1 }}", i);
  };
  CHECK(sweep_errors("parameters = { " + listed(10, axis) + " }") == Lines{});
  const auto lines = sweep_errors("parameters = { " + listed(12, axis) + " }");
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0],
             EndsWith("error: the axes of this config have more than 1000000 values together; expected "
                      "shorter axes, or several configs"));
}

TEST_CASE("axes, sweeps and expressions beyond their limits are refused") {
  const auto axis = [](std::size_t i) { return fmt::format("n{} = 1", i); };
  CHECK_THAT(sweep_errors("parameters = { " + listed(1001, axis) + " }").at(0),
             StartsWith("5:14: error: a table with 1001 members; expected at most 1000; several configs"));
  CHECK_THAT(
      error_lines("[experiment]\nname = 'x'\n" + repeated("[[sweep]]\nworkload = 'w'\n", 1001)).at(0),
      StartsWith("3:1: error: a list with 1001 members"));
  const std::string condition = "'" + std::string(990, ' ') + "n > 1'";
  const std::string half = "where = [\n" + repeated(condition + ",\n", 527) + "]\n";
  const auto lines = sweep_errors(half + "[[sweep]]\nworkload = 'w'\n" + half);
  CHECK(lines.at(0) ==
        "5:9: error: 'where' in [[sweep]] has 524365 bytes of conditions; expected at most "
        "2000, since each point takes its time for them");
  CHECK(lines.back() ==
        "1063:1: error: the expressions of this config are longer than 1048576 bytes "
        "together; expected fewer conditions, or several configs");
}

TEST_CASE("errors beyond the first hundred are not looked for, and long lines are quoted in part") {
  const auto number = [](std::size_t i) { return std::string(i == 0 ? "1" : "''"); };
  const auto errors = errors_of(sweep_head + "parameters = { n = [" + listed(26'000, number) + "] }");
  REQUIRE(errors.size() == max_diagnostics + 1);
  CHECK(to_text(errors.back()) ==
        "x.toml:5:424: error: more than 100 errors; stopped here. Fix these first");
  CHECK(to_text(errors).size() < 100'000);
}

TEST_CASE("a long value is not repeated whole in a finding") {
  const auto errors =
      errors_of("[experiment]\nname = '" + std::string(1'000'000, '?') + "'\n[[sweep]]\nworkload = 'w'\n");
  REQUIRE(errors.size() == 1);
  CHECK(to_text(errors).size() < 10'000);
}

TEST_CASE("long lists of words and of tied values are read in a moment") {
  const auto word = [](std::size_t i) { return fmt::format("'v{}'", i); };
  CHECK(sweep_errors("devices = [" + listed(max_members, word) + "]") == Lines{});
  CHECK_THAT(sweep_errors("devices = [" + listed(max_members + 1, word) + "]").at(0),
             EndsWith("has 1001 words; expected at most 1000; one pattern may match many devices"));
  const auto number = [](std::size_t i) { return fmt::format("{}", i == 0 ? 1 : i); };
  const auto plain = [](std::size_t i) { return fmt::format("{}", i); };
  CHECK(sweep_errors("parameters = { n = [" + listed(100'000, plain) + "] }").empty());
  CHECK(sweep_errors("parameters = { n = [" + listed(100'001, plain) + "] }").size() == 1);
  const auto same = [](std::size_t) { return std::string("'f32'"); };
  const std::string tied = "zip = [['n', 'dtype']]\nparameters = { n = [" + listed(90'000, number) +
                           "], dtype = [" + listed(90'000, same) + "] }";
  const auto lines = sweep_errors(tied);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], EndsWith("error: zip ties n = 1, dtype = f32 twice"));
}

TEST_CASE("many sweeps are read in a moment") {
  std::string text = "[experiment]\nname = 'x'\n";
  for (std::size_t i = 0; i < max_members; ++i)
    text += fmt::format("[[sweep]]\nname = 's{}'\nworkload = 'w'\n", i);
  CHECK(parse_config(text, "x.toml").sweeps.size() == max_members);
  text += "[[sweep]]\nname = 's7'\nworkload = 'w'\n";
  text.erase(text.find("[[sweep]]"), text.find("[[sweep]]", 40) - text.find("[[sweep]]"));
  CHECK_THAT(error_lines(text).at(0),
             EndsWith("error: two sweeps are called 's7', the first at line 21; expected another name"));
}

namespace {

const std::string kernel_head =
    sweep_head +
    "[[kernel]]\nname = 'k'\nworkload = 'matmul'\nbackend = 'b'\nsource = '0.h'\nentry = "
    "'k'\nblock = 1\ngrid = 1\n";

}  // namespace

TEST_CASE("sources that include each other are read once each and keep no more than their text") {
  const TemporaryDirectory folder;
  constexpr std::size_t count = 60;
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += fmt::format("#include \"{}.h\"\n", i);
  for (std::size_t i = 0; i < count; ++i) folder.write(fmt::format("{}.h", i), all);
  const Config config = parse_config(kernel_head, "x.toml", {folder.path(), false});
  const auto& files = config.kernels.at(0).files;
  CHECK(files.size() == count);
  for (const SourceFile& file : files) CHECK(file.text.capacity() < 2 * all.size());
}

TEST_CASE("a source of nothing but comments is read in a moment") {
  const TemporaryDirectory folder;
  const auto read = [&](const std::string& text) {
    folder.write("0.h", text);
    return parse_config(kernel_head, "x.toml", {folder.path(), false}).kernels.at(0).files.size();
  };
  CHECK(read(repeated("#/*\n", 1'000'000)) == 1);
  CHECK(read("#/*\n" + repeated("#/**/ /*\n", 400'000)) == 1);
  folder.write("1.h", "");
  CHECK(read("#/* a */ /* b\n */ include /**/ \"1.h\"\n") == 2);
  CHECK(read("/**/ # /*/ include \"2.h\" /*/ include \"1.h\"\n") == 2);
}

TEST_CASE("sources that are too large together, or include too much, are refused") {
  const TemporaryDirectory folder;
  const auto refused = [&](const std::string& text) {
    return refusal([&] { return parse_config(text, "x.toml", {folder.path(), false}); });
  };
  folder.write("0.h", std::string(max_source_bytes, 'x'));
  std::string kernels = kernel_head;
  for (int i = 0; i < 8; ++i) {
    kernels += kernel_head.substr(sweep_head.size());
    kernels.replace(kernels.rfind("'k'\nworkload"), 3, fmt::format("'k{}'", i));
  }
  CHECK_THAT(refused(kernels),
             ContainsSubstring("the sources of this config are larger than 32 MiB together"));
  std::string includes;
  for (std::size_t i = 0; i <= max_includes; ++i) includes += fmt::format("#include \"a{}.h\"\n", i);
  folder.write("0.h", includes);
  CHECK_THAT(refused(kernel_head),
             ContainsSubstring("the sources of this config have more than 50000 include lines"));
}
