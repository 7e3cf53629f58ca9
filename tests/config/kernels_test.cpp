// `[[kernel]]` tables: what they become, and what is refused.
#include "config/errors.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <filesystem>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

const std::string head = "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n";
const std::string whole =
    "[[kernel]]\nname = \"mine\"\nworkload = \"matmul\"\nbackend = \"gpu\"\nsource = \"mine.cu\"\n"
    "entry = \"go\"\nblock = [\"TILE\", \"TILE\"]\ngrid = [\"ceil_div(n, TILE)\"]\ndefines = [\"TILE\"]\n";

class Folder {
 public:
  Folder() {
    fs::create_directory(files_.path() / "here");
    write("here/mine.cu", "#include \"sub/part.cuh\"\nkernel\n");
    fs::create_directory(files_.path() / "here/sub");
    write("here/sub/part.cuh", "// part\n");
    write("outside.cu", "secret\n");
  }
  void write(const std::string& name, const std::string& text) const { files_.write(name, text); }
  [[nodiscard]] fs::path path() const { return files_.path() / "here"; }
  [[nodiscard]] Config read(const std::string& text, bool allow_outside = false) const {
    return parse_config(head + text, "x.toml", {path(), allow_outside});
  }
  /// All messages, one a line; empty if there is none.
  [[nodiscard]] std::string errors(const std::string& text, bool allow_outside = false) const {
    return refusal([&] { return read(text, allow_outside); });
  }

 private:
  TemporaryDirectory files_;
};

std::string with_source(const std::string& source) {
  std::string text = whole;
  return text.replace(text.find("mine.cu"), 7, source);
}

}  // namespace

TEST_CASE("a kernel table becomes a variant with its sources") {
  const Folder folder;
  const Config config =
      folder.read(whole +
                  "shared_bytes = \"2 * TILE * sizeof(dtype)\"\ndtypes = [\"f32\"]\n"
                  "device_types = [\"gpu\"]\nprecision = \"tf32\"\ncompute_path = \"mma_tf32\"\n"
                  "require = [\"n % TILE == 0\"]\n[kernel.tunables]\nUNROLL = 4\n"
                  "WAY = { default = \"a\", values = [\"a\", \"b\"], doc = \"how\" }\n");
  REQUIRE(config.kernels.size() == 1);
  const KernelEntry& kernel = config.kernels.front();
  CHECK(kernel.backend == "gpu");
  CHECK(kernel.variant.name == "mine");
  CHECK(kernel.variant.precision == "tf32");
  CHECK(kernel.variant.dtypes == std::vector{DType::f32});
  REQUIRE(kernel.variant.kernel);
  const LaunchSpec& launch = kernel.variant.kernel->launches.at(0);
  CHECK(launch.source == "mine.cu");
  CHECK(launch.entry == "go");
  CHECK(launch.block == std::array<std::string, 3>{"TILE", "TILE", "1"});
  CHECK(launch.arguments == std::vector<ArgumentSpec>{all_arguments});
  CHECK(launch.defines.at("TILE") == "TILE");
  std::vector<std::string> tunables;
  for (const TunableInfo& tunable : kernel.variant.tunables) tunables.push_back(tunable.name);
  CHECK(tunables == std::vector<std::string>{"UNROLL", "WAY", "TILE"});
  REQUIRE(kernel.open_tunables.size() == 1);
  CHECK(kernel.open_tunables.front().name == "TILE");
  REQUIRE(kernel.files.size() == 2);
  CHECK(kernel.files[0].name == "mine.cu");
  CHECK(kernel.files[1] == SourceFile{"sub/part.cuh", "// part\n"});
}

TEST_CASE("several launches take from the kernel what they leave open") {
  const Folder folder;
  const Config config =
      folder.read(whole +
                  "[[kernel.scratch]]\nname = \"partial\"\ndtype = \"f64\"\ncount = \"n\"\nzeroed = true\n"
                  "[[kernel.launch]]\narguments = [\"A\", \"partial\"]\n"
                  "[[kernel.launch]]\nentry = \"finish\"\nblock = 32\ngrid = 1\ndefines = { LAST = 1 }\n");
  const KernelSpec& spec = *config.kernels.at(0).variant.kernel;
  REQUIRE(spec.launches.size() == 2);
  CHECK(spec.launches[0].entry == "go");
  CHECK(spec.launches[0].arguments == std::vector<ArgumentSpec>{"A", "partial"});
  CHECK(spec.launches[1].entry == "finish");
  CHECK(spec.launches[1].source == "mine.cu");
  CHECK(spec.launches[1].block[0] == "32");
  CHECK(spec.launches[1].defines.size() == 2);
  REQUIRE(spec.scratch.size() == 1);
  CHECK(spec.scratch[0].type == DType::f64);
  CHECK(spec.scratch[0].zeroed);
}

TEST_CASE("derived values keep the order of the text, and launches may have a condition") {
  const Folder folder;
  const Config config =
      folder.read(whole +
                  "when = \"blocks > 1\"\narguments = [\"if(blocks > 1, 'A', 'B')\"]\n"
                  "[kernel.derived]\nrows = \"ceil_div(m, TILE)\"\nblocks = \"rows * 2\"\n");
  const KernelSpec& spec = *config.kernels.at(0).variant.kernel;
  CHECK(spec.derived == std::vector<std::pair<std::string, std::string>>{{"rows", "ceil_div(m, TILE)"},
                                                                         {"blocks", "rows * 2"}});
  // A macro that is called like a derived value has that value.
  CHECK(folder.read(whole + "derived = { TILE = 16 }\n").kernels.at(0).open_tunables.empty());
  CHECK(spec.launches.at(0).when == "blocks > 1");
  CHECK(spec.launches.at(0).arguments == std::vector<ArgumentSpec>{"if(blocks > 1, 'A', 'B')"});
}

TEST_CASE("arguments, repetitions and preparing launches are read as written") {
  const Folder folder;
  const Config config = folder.read(whole +
                                    "repeat = \"k\"\n[[kernel.scratch]]\nname = \"p\"\ncount = "
                                    "8\n[[kernel.scratch]]\nname = \"q\"\ncount = 8\n"
                                    "[[kernel.launch]]\narguments = [\"p\", { i32 = \"n / TILE\" }, "
                                    "\"1.0\", 2.0, -1, \"TILE\", { local_bytes = 4 }]\n"
                                    "prepare = true\n"
                                    "[[kernel.launch]]\nrepeat = \"step + 1\"\nswap = [\"p\", "
                                    "\"q\"]\narguments = [\"C\", \"step * substep\"]\n");
  const KernelSpec& spec = *config.kernels.at(0).variant.kernel;
  CHECK(spec.repeat == "k");
  CHECK(spec.launches.at(0).arguments ==
        std::vector<ArgumentSpec>{
            "p", {"n / TILE", "i32"}, "1.0", "2.0", "(-1)", "TILE", {"4", "local_bytes"}});
  CHECK(spec.launches[0].prepare);
  CHECK(spec.launches[0].repeat.empty());
  CHECK(spec.launches.at(1).repeat == "step + 1");
  CHECK(spec.launches[1].swap == std::vector<std::string>{"p", "q"});
}

TEST_CASE("in a launch with shared memory a name of the source alone is the pointer to it") {
  const Folder folder;
  folder.write("mine.cu", "kernel(local float* part, local int* rest, float* A)\n");
  const auto launch_of = [&](const std::string& arguments) {
    return folder.read(whole + "shared_bytes = \"4 * TILE\"\narguments = " + arguments + "\n")
        .kernels.at(0)
        .variant.kernel->launches.at(0);
  };
  const LaunchSpec launch = launch_of("[\"A\", \"part\"]");
  CHECK(launch.arguments == std::vector<ArgumentSpec>{"A", {"4 * TILE", "local_bytes"}});
  CHECK(launch.shared_bytes == "0");
  CHECK(launch_of("[\"A\"]").shared_bytes == "4 * TILE");
  CHECK_THROWS(launch_of("[\"A\", \"par\"]"));             // a part of a word
  CHECK_THROWS(launch_of("[\"A\", \"part\", \"rest\"]"));  // which has how much?
}

TEST_CASE("templates, options and constant memory are read as written") {
  const Folder folder;
  std::string text = whole;
  text.replace(text.find("\"go\""), 4, "\"space::go<float, TILE>\"");
  const LaunchSpec launch =
      folder.read(text + "options = [\"-O2\", \"-r={TILE * 2}\"]\nconstants = { FILTER = \"A\" }\n")
          .kernels.at(0)
          .variant.kernel->launches.at(0);
  CHECK(launch.entry == "space::go<float, TILE>");
  CHECK(launch.options == std::vector<std::string>{"-O2", "-r={TILE * 2}"});
  CHECK(launch.constants.at("FILTER") == "A");
}

TEST_CASE("what a tunable requires of a derived value is required of the kernel") {
  const Folder folder;
  const VariantInfo variant =
      folder
          .read(whole +
                "require = [\"n > 1\"]\n[kernel.derived]\nrows = \"TILE // 8\"\n"
                "[kernel.tunables]\nTILE = { default = 16, require = [\"TILE > 0\", \"is_pow2(rows)\"] }\n")
          .kernels.at(0)
          .variant;
  CHECK(variant.tunables.at(0).require == std::vector<std::string>{"TILE > 0"});
  CHECK(variant.require == std::vector<std::string>{"n > 1", "is_pow2(rows)"});
}

TEST_CASE("a choice has the variants that it is among, and no kernel") {
  const Folder folder;
  const std::string choice =
      "[[kernel]]\nname = \"tuned\"\nworkload = \"matmul\"\nbackend = \"gpu\"\namong = [\"mine\"]\n";
  const Config config = folder.read(whole + choice);
  REQUIRE(config.kernels.size() == 2);
  const VariantInfo& variant = config.kernels[1].variant;
  CHECK(variant.among == std::vector<std::string>{"mine"});
  CHECK_FALSE(variant.kernel);
  REQUIRE(variant.tunables.size() == 1);
  CHECK(variant.tunables[0].name == "trial");
  CHECK_THAT(folder.errors(whole + choice + "source = \"mine.cu\"\n"),
             ContainsSubstring("kernel 'tuned' has both 'among' and 'source': a choice has no kernel"));
  CHECK_THAT(folder.errors(whole + choice + "tunables = { T = 1 }\n"),
             ContainsSubstring("both 'among' and 'tunables'"));
}

TEST_CASE("what is wrong with a kernel table is told with its place and the nearest name") {
  struct Case {
    std::string text;
    std::string message;
  };
  const auto replaced = [](const std::string& what, const std::string& by) {
    std::string text = whole;
    return text.replace(text.find(what), what.size(), by);
  };
  const Case wrong = GENERATE_COPY(values<Case>({
      {replaced("entry", "entri"), "unknown key 'entri' in [[kernel]]"},
      {replaced("source = \"mine.cu\"\nentry = \"go\"\n", "text = \"x\"\n"),
       "kernel 'mine' has no 'entry'"},
      {replaced("\"matmul\"", "\"matmull\""), "did you mean 'matmul'?"},
      {replaced("ceil_div(n, TILE)", "ceil_div(nn, TILE)"),
       "x.toml:12:19: error: kernel 'mine': nothing is called 'nn' here"},
      {replaced("ceil_div(n, TILE)", "ceil_div(n, TILE"), "expected ',' or ')', but the expression ends"},
      {replaced("ceil_div(n, TILE)", std::string(2000, '(')), "at most 1000 characters"},
      {replaced("ceil_div(n, TILE)", std::string(90, '(') + "1" + std::string(90, ')')),
       "nested deeper than 64 levels"},
      {replaced("\"go\"", "\"go(\""), "letters, digits and '_'"},
      {replaced("\"go\"", "\"go<1>; int x\""), "that of a template with its arguments"},
      {replaced("\"go\"", "'go<\"x\">'"), "that of a template with its arguments"},
      {replaced("\"go\"", "\"::go\""), "that of a template with its arguments"},
      {whole + "options = [\"-r={TIEL}\"]\n", "nothing is called 'TIEL' here"},
      {whole + "options = [\"-r={TILE\"]\n", "the '{' has no partner"},
      {whole + "constants = { F = \"AA\" }\n", "argument 'AA' is not"},
      {replaced("[\"TILE\"]", "[\"TILE=1 -include x\"]"), "letters, digits and '_'"},
      {replaced("[\"TILE\", \"TILE\"]", "[1, 2, 3, 4]"), "one, two or three: x, y, z"},
      {whole + "precision = \"fp32\"\n", "'precision' in [[kernel]] is 'fp32'"},
      {whole + "dtypes = [\"f23\"]\n", "did you mean 'f32'?"},
      {whole + "layouts = [\"soa\"]\n", "workload 'matmul' has one layout only"},
      {whole + "[kernel.tunables]\nREGISTERS = \"64 -I/x\"\n",
       "tunable 'REGISTERS' of kernel 'mine' cannot be"},
      {whole + "[kernel.tunables]\nWAY = { default = \"-x\" }\n", "does not begin with '-'"},
      {whole + "[kernel.tunables]\nWAY = { default = \"a\", values = [\"a\", \"a b\"] }\n",
       "cannot be 'a b'"},
      {whole +
           "derived = { rows = 2 }\ntunables = { WAY = { default = \"a\", values = [\"a\", \"x'y\"] } }\n",
       "cannot be 'x'y'"},
      {whole + "[kernel.tunables]\nn = 3\n",
       "tunable 'n' has the name of a parameter of workload 'matmul'"},
      {whole + "[kernel.derived]\nn = \"2\"\n", "'n' already has another meaning"},
      {whole + "[kernel.derived]\nrows = \"nn + 1\"\n", "nothing is called 'nn' here"},
      {whole + "[kernel.derived]\nrows = \"2 * blocks\"\nblocks = \"n // 8\"\n",
       "x.toml:15:13: error: 'derived' of kernel 'mine': 'rows' uses 'blocks', which does not stand above "
       "it"},
      {whole + "[kernel.derived]\nrows = \"2 * parts\"\nblocks = \"rows + 1\"\nparts = \"blocks\"\n",
       "x.toml:15:13: error: 'derived' of kernel 'mine': 'rows' uses 'parts', which does not stand above "
       "it"},
      {whole + "[kernel.derived]\nrows = \"n + rows\"\n",
       "'rows' uses 'rows', which does not stand above it"},
      {whole + "derived = [\"n\"]\n", "a table such as"},
      {whole + "arguments = [\"A\", \"CC\"]\n",
       "x.toml:14:19: error: kernel 'mine': argument 'CC' is not a buffer, scratch buffer, scalar or "
       "value"},
      {whole + "arguments = [\"A|D\"]\n", "argument 'D' is not"},
      {whole + "arguments = [\"A\", \"tile\"]\nshared_bytes = 64\n", "a second one is { local_bytes = … }"},
      {whole + "arguments = [{ i24 = 1 }]\n", "has the type 'i24'"},
      {whole + "arguments = [{ i32 = 1, f32 = 1 }]\n", "has 2 types"},
      {whole + "arguments = [{ i32 = \"nn\" }]\n", "nothing is called 'nn' here"},
      {whole + "arguments = [\"step + 1\"]\n", "nothing is called 'step' here"},
      {whole + "derived = { step = 1 }\nrepeat = 3\n", "its counter is 'step', which already has another"},
      {whole + "repeat = 2\nswap = [\"C\"]\n", "names come in pairs"},
      {whole + "swap = [\"C\", \"A\"]\n", "without 'repeat'"},
      {whole + "[[kernel.launch]]\nprepare = true\n", "it cannot take all buffers of the workload ('*')"},
      {whole + "[[kernel.launch]]\nprepare = true\narguments = [\"A\"]\n",
       "a launch with 'prepare' is not timed, so it cannot take buffer 'A' of the workload"},
      {whole + whole,
       "two kernels of backend 'gpu' and workload 'matmul' are called 'mine', the first at line 5"},
  }));
  CAPTURE(wrong.text);
  const Folder folder;
  CHECK_THAT(folder.errors(wrong.text), ContainsSubstring(wrong.message));
}

TEST_CASE("a source may stand in the config itself, and includes files of its folder") {
  const Folder folder;
  const auto with_text = [](const std::string& text) {
    std::string kernel = whole;
    return kernel.replace(kernel.find("source = \"mine.cu\""), 18, "text = " + text);
  };
  const Config config = folder.read(with_text("'''#include \"sub/part.cuh\"\nkernel\n'''"));
  const KernelEntry& kernel = config.kernels.at(0);
  CHECK(kernel.has_text);
  REQUIRE(kernel.files.size() == 2);
  CHECK(kernel.files[0].text == "#include \"sub/part.cuh\"\nkernel\n");
  CHECK(kernel.files[1].text == "// part\n");
  const LaunchSpec& launch = kernel.variant.kernel->launches.at(0);
  CHECK(launch.source == kernel.files[0].name);
  CHECK_THAT(launch.source, ContainsSubstring("mine-"));
  // Another text is another file.
  CHECK(folder.read(with_text("'kernel'")).kernels.at(0).files.at(0).name != launch.source);
  CHECK(folder.errors(with_text("'#include <x>'")).empty());  // a header of the compiler
  CHECK_THAT(folder.errors(with_text("'#include <../x>'")), ContainsSubstring("could be any file"));
  CHECK_THAT(folder.errors(with_text("'#include \"/no/x\"'")), ContainsSubstring("could be any file"));
  CHECK_THAT(folder.errors(with_text("'x'") + "source = 'mine.cu'\n"),
             ContainsSubstring("has both 'source' and 'text'"));
  CHECK_THAT(folder.errors(with_text("3")), ContainsSubstring("'text' of kernel 'mine'"));
}

TEST_CASE("sources outside the config's folder are refused unless they are allowed") {
  const Folder folder;
  folder.write("here/leak.cu", "#include \"../outside.cu\"\n");
  folder.write("here/split.cu", "#incl\\\nude \"../outside.cu\"\n");
  folder.write("here/comment.cu", "# /* */ include /* */ \"../outside.cu\"\n");
  folder.write("here/any.cu", "#include </etc/passwd>\n");
  folder.write("here/digraph.cu", "%:include \"../outside.cu\"\n");
  // What hides from whoever looks for the ends of lines, comments and strings in another way than a
  // compiler.
  folder.write("here/trigraph.cu", "?\?=include \"../outside.cu\"\n");
  folder.write("here/trisplit.cu", "#incl?\?/\nude \"../outside.cu\"\n");
  folder.write("here/no_trigraph.cu", "// why?\?/\n#include \"../outside.cu\"\n");
  folder.write("here/return.cu", "// x\r#include \"../outside.cu\"\n");
  folder.write("here/raw.cu", "auto s = R\"(\n/*\n)\";\n#include \"../outside.cu\"\n// */\n");
  folder.write("here/digits.cu", "int a = 1'0; auto s = \"'/*\";\n#include \"../outside.cu\"\n// */\n");
  folder.write("here/after.cu", "/*\n*/ # /*\n*/ include \"../outside.cu\"\n");
  fs::create_symlink(fs::path("..") / "outside.cu", folder.path() / "link.cu");
  fs::create_directory_symlink("..", folder.path() / "up");
  const std::string source =
      GENERATE(as<std::string>{}, "../outside.cu", "sub/../../outside.cu", "/etc/passwd", "link.cu",
               "up/outside.cu", "leak.cu", "split.cu", "comment.cu", "any.cu", "digraph.cu", "trigraph.cu",
               "trisplit.cu", "no_trigraph.cu", "return.cu", "raw.cu", "digits.cu", "after.cu");
  CAPTURE(source);
  const std::string refused = folder.errors(with_source(source));
  CHECK_THAT(refused, ContainsSubstring("--allow-outside"));
  CHECK_THAT(refused, ContainsSubstring("x.toml:9:10: error"));
  CHECK(folder.errors(with_source(source), true).empty());
}

TEST_CASE("a run keeps what <> may mean, and a macro could be any file") {
  const Folder folder;
  folder.write("here/any.cu", "#include <near.cuh>\n#include \"sub/more.cuh\"\n#include <stdint.h>\n");
  folder.write("here/near.cuh", "near\n");
  folder.write("here/sub/more.cuh", "#include <near.cuh>\n");
  folder.write("here/sub/near.cuh", "nearer\n");
  const Config config = folder.read(with_source("any.cu"), true);
  std::vector<std::string> names;
  for (const SourceFile& file : config.kernels.at(0).files) names.push_back(file.name);
  CHECK(names == std::vector<std::string>{"any.cu", "near.cuh", "sub/more.cuh", "sub/near.cuh"});

  folder.write("here/macro.cu", "#define FILE \"near.cuh\"\n#include FILE\n");
  for (const bool allow_outside : {false, true}) {
    CHECK_THAT(folder.errors(with_source("macro.cu"), allow_outside),
               ContainsSubstring("includes FILE, which cannot be resolved"));
  }
}

TEST_CASE("a source that is no file or is missing is told so") {
  const Folder folder;
  CHECK_THAT(folder.errors(with_source("sub")), ContainsSubstring("is not a file"));
  CHECK_THAT(folder.errors(with_source("other.cu")), ContainsSubstring("there is no file"));
  folder.write("here/large.cu", std::string(max_source_bytes + 1, ' '));
  CHECK_THAT(folder.errors(with_source("large.cu")), ContainsSubstring("larger than 4 MiB"));
  // A header that is not there is the compiler's business, and a line of comment is nobody's.
  folder.write("here/fine.cu",
               "#include \"missing.cuh\"\n// #include <x>\n/* #include <y> */ kernel \"\\\"\" // \"\n"
               "a # include <z>\n#define INCLUDE # include <x>\n");
  CHECK(folder.errors(with_source("fine.cu")).empty());
}
