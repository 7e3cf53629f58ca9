// Tables of kernels beside a plugin: what they become, and where their errors are.
#include "config/kernel_tables.hpp"
#include "config/errors.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

/// kernels/mine with a source, and kernels/shared.
class Tables {
 public:
  Tables() {
    fs::create_directories(files_.path() / "mine");
    fs::create_directories(files_.path() / "shared");
    write("mine/copy_plain.x", "");
    write("mine/copy_wide.x", "");
  }
  void write(const std::string& name, const std::string& text) const { files_.write(name, text); }
  [[nodiscard]] KernelTables read() const { return read_kernel_tables(files_.path() / "mine", "mine"); }
  [[nodiscard]] std::string errors() const {
    return refusal([&] { return read(); });
  }

 private:
  TemporaryDirectory files_;
};

const std::string shared_table =
    "[common]\nworkload = 'copy'\ndtypes = ['f32', 'f64']\nblock = 'block'\ngrid = 'ceil_div(n, block)'\n"
    "[tunable]\nblock = { default = 8, values = [4, 8], doc = 'Threads.' }\n"
    "[[kernel]]\nname = 'plain'\nsource = 'copy_plain'\ntunables = { block = {} }\n"
    "defines = ['REAL = ctype(dtype)', 'ODD = n % 2']\n"
    "access = [{ read = 'in', write = 'out', element = 'i', of = 'n' }]\n"
    "[[kernel]]\nname = 'wide'\nlike = 'plain'\nsource = 'copy_wide'\nderived = { width = 4 }\n"
    "tunables.block.default = 16\ndefines = { ODD = 1, WIDTH = 'width' }\n";

const VariantInfo& named(const KernelTables& tables, const std::string& name) {
  const auto found = std::ranges::find(tables.variants, name, &VariantInfo::name);
  REQUIRE(found != tables.variants.end());
  return *found;
}

using Defines = std::map<std::string, std::string, std::less<>>;

}  // namespace

TEST_CASE("a table has the kernels of tables that it includes, with what it says otherwise") {
  const Tables tables;
  tables.write("shared/copy.toml", shared_table);
  tables.write(
      "mine/common.toml",
      "[common]\nsuffix = '.x'\narchitectures = ['a1']\n[tunable]\nblock.doc = 'Threads of mine.'\n");
  tables.write("mine/copy.toml",
               "include = ['../shared/copy.toml']\n[common]\nworkload = 'copy'\nundefine = ['REAL']\n"
               "[[kernel]]\nname = 'wide'\nderived = { width = 8 }\ndtypes = ['f32']\n");
  const KernelTables read = tables.read();
  REQUIRE(read.variants.size() == 2);
  CHECK(read.files.size() == 3);
  const VariantInfo& plain = named(read, "plain");
  CHECK(plain.workload == "copy");
  CHECK(plain.architectures == std::vector<std::string>{"a1"});
  CHECK(plain.dtypes == std::vector{DType::f32, DType::f64});
  const LaunchSpec& launch = plain.kernel->launches.at(0);
  CHECK(launch.source == "copy_plain.x");
  CHECK(launch.entry == "copy_plain");
  CHECK(launch.defines == Defines{{"ODD", "n % 2"}});
  REQUIRE(plain.tunables.size() == 1);
  CHECK(plain.tunables[0].default_value == Value(std::int64_t{8}));
  CHECK(plain.tunables[0].doc == "Threads of mine.");
  CHECK(plain.tunables[0].values.size() == 2);
  const VariantInfo& wide = named(read, "wide");
  CHECK(wide.dtypes == std::vector{DType::f32});
  CHECK(wide.kernel->derived == std::vector<std::pair<std::string, std::string>>{{"width", "8"}});
  CHECK(wide.kernel->launches.at(0).defines == Defines{{"ODD", "1"}, {"WIDTH", "width"}});
  CHECK(wide.tunables.at(0).default_value == Value(std::int64_t{16}));
  CHECK(wide.access.size() == 2);
}

TEST_CASE("accesses in elements and in bytes") {
  const Tables tables;
  tables.write(
      "mine/copy.toml",
      "[[kernel]]\nname = 'plain'\nworkload = 'copy'\nsource = 'copy_plain.x'\nblock = 8\ngrid = 1\n"
      "access = [\n"
      "  { read = ['a', 'b'], element = 'i + 1', elements = 4, of = 'n', active = 't > 0', times = 2 },\n"
      "  { write = 'c', space = 'shared', offset = '4 * t', bytes = 8, launch = 0, threads = 'n' },\n"
      "]\n");
  const KernelTables read = tables.read();
  const std::vector<AccessSpec>& all = read.variants.at(0).access;
  REQUIRE(all.size() == 3);
  CHECK(all[0].operand == "a");
  CHECK(all[1].operand == "b");
  CHECK(all[1].kind == AccessKind::read);
  CHECK(all[1].offset == "(i + 1) * sizeof(dtype)");
  CHECK(all[1].bytes == "min((4), n - (i + 1)) * sizeof(dtype)");
  CHECK(all[1].active == "(i + 1) < n and (t > 0)");
  CHECK(all[1].times == "2");
  CHECK(all[2].kind == AccessKind::write);
  CHECK(all[2].space == AccessSpace::shared);
  CHECK(all[2].offset == "4 * t");
  CHECK(all[2].threads == "n");
}

TEST_CASE("an abstract kernel is only for others, and words of a tunable are all that it can be") {
  const Tables tables;
  tables.write(
      "mine/copy.toml",
      "[[kernel]]\nname = 'base'\nabstract = true\nworkload = 'copy'\nblock = 8\ngrid = 1\n"
      "[[kernel]]\nname = 'plain'\nlike = 'base'\nsource = 'copy_plain.x'\n"
      "tunables = { way = { default = 'a', values = ['a', 'b'] } }\nextras = { early = 'n > 1' }\n");
  const KernelTables read = tables.read();
  REQUIRE(read.variants.size() == 1);
  const VariantInfo& plain = read.variants.front();
  CHECK(plain.tunables.at(0).require == std::vector<std::string>{"way in ['a', 'b']"});
  CHECK(plain.kernel->launches.at(0).extras == Defines{{"early", "n > 1"}});
}

TEST_CASE("scratch buffers are laid over each other by name, and an access may be a list") {
  const Tables tables;
  const auto read_with = [&](const std::string& text) {
    tables.write(
        "mine/copy.toml",
        "[common]\nworkload = 'copy'\nsource = 'copy_plain.x'\nblock = 8\ngrid = 1\n"
        "[[kernel]]\nname = 'plain'\nderived = { part = 4, first = 'bx * part + i', next = 'first + 1' }\n"
        "access = [{ read = 'in', element = ['first', 'next'] }, { write = 'out', offset = 'i' }]\n"
        "scratch = [{ name = 'a', count = 'n' }, { name = 'b', count = 1 }]\n" +
            text);
  };
  read_with(
      "[[kernel]]\nname = 'like'\nlike = 'plain'\n"
      "scratch = [{ name = 'c', count = 2 }, { name = 'a', dtype = 'f64' }]\n");
  const std::vector<VariantInfo> variants = tables.read().variants;
  REQUIRE(variants.size() == 2);
  const std::vector<AccessSpec>& access = variants[0].access;
  REQUIRE(access.size() == 3);
  CHECK(access[0].offset == "((bx * part + i)) * sizeof(dtype)");
  CHECK(access[1].offset == "(((bx * part + i) + 1)) * sizeof(dtype)");
  CHECK(access[2].offset == "i");
  CHECK(variants[0].kernel->derived == std::vector<std::pair<std::string, std::string>>{{"part", "4"}});
  const std::vector<ScratchSpec>& scratch = variants[1].kernel->scratch;
  REQUIRE(scratch.size() == 3);
  CHECK(scratch[0].name == "a");
  CHECK(scratch[0].type == DType::f64);
  CHECK(scratch[0].count == "n");
  CHECK(scratch[1].name == "b");
  CHECK(scratch[2].name == "c");

  // What names a thread's place has no value outside of `access`.
  read_with("grid = 'first'\n");
  CHECK_THAT(tables.errors(), ContainsSubstring("nothing is called 'first' here"));
  // Names that double each other come to an end.
  std::string doubled =
      "[[kernel]]\nname = 'long'\naccess = [{ read = 'in', element = 'd40' }]\n[kernel.derived]\nd0 = "
      "'i'\n";
  for (int i = 1; i <= 40; ++i) doubled += fmt::format("d{0} = 'd{1} + d{1}'\n", i, i - 1);
  read_with(doubled);
  CHECK_THAT(tables.errors(), ContainsSubstring("bytes together"));
}

TEST_CASE("errors of tables name file and line") {
  const Tables tables;
  const std::string head = "[common]\nworkload = 'copy'\nsource = 'copy_plain.x'\nblock = 8\ngrid = 1\n";
  const auto errors_with = [&](const std::string& text) {
    tables.write("mine/copy.toml", head + text);
    return tables.errors();
  };
  CHECK_THAT(errors_with("[[kernel]]\nname = 'plain'\ngrid = 'ceil_div(n, blok)'\n"),
             ContainsSubstring("mine/copy.toml:8:") && ContainsSubstring("'blok'"));
  CHECK_THAT(errors_with("[[kernel]]\nname = 'plain'\nsource = 'nowhere.x'\n"),
             ContainsSubstring("copy.toml:8:") && ContainsSubstring("there is no file"));
  CHECK_THAT(errors_with("[[kernel]]\nname = 'plain'\nlike = 'pain'\n"),
             ContainsSubstring("no kernel above is called 'pain'"));
  CHECK_THAT(errors_with("[[kernel]]\nname = 'plain'\ntunables = { wide = {} }\n"),
             ContainsSubstring("'wide' has no default") && ContainsSubstring("[tunable.wide]"));
  CHECK_THAT(errors_with("[[kernel]]\nname = 'plain'\nbackend = 'other'\n"),
             ContainsSubstring("read for backend 'mine'"));
  CHECK_THAT(errors_with("[[kernel]]\nname = 'plain'\n[[kernal]]\n"),
             ContainsSubstring("unknown key 'kernal'") && ContainsSubstring("did you mean 'kernel'"));
  for (const char* access :
       {"{ element = 'i' }", "{ read = 'in' }", "{ read = 'in', element = 'i', offset = 0 }",
        "{ read = 'in', element = 'j' }", "{ read = 'in', element = [] }",
        "{ read = 'in', element = 'i', launch = -1 }"}) {
    INFO(access);
    CHECK_THAT(errors_with(std::string("[[kernel]]\nname = 'plain'\naccess = [") + access + "]\n"),
               ContainsSubstring("copy.toml:8:"));
  }
  tables.write("mine/copy.toml", "include = ['copy.toml']\n");
  CHECK_THAT(tables.errors(), ContainsSubstring("in a circle"));
  tables.write("mine/copy.toml", "include = ['../shared/none.toml']\n");
  CHECK_THAT(tables.errors(), ContainsSubstring("copy.toml:1:12") && ContainsSubstring("none.toml"));
  tables.write("mine/copy.toml", "include = ['../shared/bad.toml']\n");
  tables.write("shared/bad.toml", "[common]\n\nblock = {\n");
  CHECK_THAT(tables.errors(), ContainsSubstring("shared/bad.toml:") && ContainsSubstring("TOML syntax"));
}

TEST_CASE("two tables may not have the same kernel") {
  const Tables tables;
  const std::string kernel =
      "[[kernel]]\nname = 'plain'\nworkload = 'copy'\nsource = 'copy_plain.x'\nblock = 8\ngrid = 1\n";
  tables.write("mine/a.toml", kernel);
  tables.write("mine/b.toml", kernel);
  CHECK_THAT(tables.errors(), ContainsSubstring("b.toml:2:8") && ContainsSubstring("another table"));
}

TEST_CASE("a folder that is not there has no tables") {
  CHECK(read_kernel_tables("/nowhere/at/all", "mine").variants.empty());
}
