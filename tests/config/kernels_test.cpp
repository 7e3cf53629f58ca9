// The sources of `[[kernel]]` tables: which files they are, and which are refused.
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

TEST_CASE("a source that is too large is refused, one that lacks a header is not") {
  const Folder folder;
  folder.write("here/large.cu", std::string(max_source_bytes + 1, ' '));
  CHECK_THAT(folder.errors(with_source("large.cu")), ContainsSubstring("larger than 4 MiB"));
  // A header that is not there is the compiler's business, and a line of comment is nobody's.
  folder.write("here/fine.cu",
               "#include \"missing.cuh\"\n// #include <x>\n/* #include <y> */ kernel \"\\\"\" // \"\n"
               "a # include <z>\n#define INCLUDE # include <x>\n");
  CHECK(folder.errors(with_source("fine.cu")).empty());
}
