#include <benchctl/includes.hpp>

#include "support/catch.hpp"
#include "support/paths.hpp"

using namespace benchctl;
namespace fs = std::filesystem;

TEST_CASE("a kernel's include files are followed wherever they lie, each once", "[sdk]") {
  const test::TemporaryDirectory folder;
  const fs::path kernel = folder.write("kernel.cu",
                                       "#include \"sub/a.h\"\n#if 0\n#include <missing.h>\n#endif\n"
                                       "// #include \"commented.h\"\n#include MACRO\n");
  folder.write("sub/a.h", "#include \"b.h\"\n#include \"kernel_wide.h\"\n");
  folder.write("sub/b.h", "#include \"a.h\"\nb\n");
  folder.write("kernel_wide.h", "wide\n");
  std::map<std::string, std::optional<std::string>> texts;
  std::map<std::string, std::string> names;
  std::size_t visits = 0;
  visit_sources(kernel, [&](const fs::path& path, const std::optional<std::string>& text,
                            std::string_view included_as) {
    const std::string name = path.lexically_relative(folder.path()).string();
    texts[name] = text;
    names[name] = included_as;
    ++visits;
  });
  CHECK(visits == 5);
  REQUIRE(texts.size() == 5);
  CHECK(texts.at("kernel.cu")->starts_with("#include \"sub/a.h\""));
  CHECK(texts.at("sub/b.h") == "#include \"a.h\"\nb\n");
  CHECK(texts.at("kernel_wide.h") == "wide\n");
  CHECK_FALSE(texts.at("missing.h").has_value());
  CHECK(names.at("kernel.cu").empty());
  CHECK(names.at("missing.h") == "<missing.h>");
}
