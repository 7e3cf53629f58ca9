// Tables of kernels beside a plugin's library, and plugins that are nothing else: their variants, or the
// reason why they are refused.
#include "engine/host.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <filesystem>
#include <fstream>

using namespace benchctl;
using namespace benchctl::test;
namespace fs = std::filesystem;

namespace {

/// The plugin `fake` in a folder of its own, with a table.
class WithTable {
 public:
  explicit WithTable(const std::string& table) {
    fs::copy(test_plugin_directory() / "libbenchctl_fake.so", folder_.path());
    fs::create_directories(folder_.path() / "kernels/fake");
    folder_.write("kernels/fake/mine.x", "");
    folder_.write("kernels/fake/copy.toml", table);
    fs::permissions(folder_.path(), fs::perms::owner_all);
  }
  [[nodiscard]] PluginTable read() const { return loaded_plugins(PluginHost::load({folder_.path()})); }
  [[nodiscard]] fs::path table() const { return folder_.path() / "kernels/fake/copy.toml"; }

 private:
  TemporaryDirectory folder_;
};

const std::string table_text =
    "[[kernel]]\nname = 'mine'\nworkload = 'copy'\nsource = 'mine.x'\nblock = 8\ngrid = 1\n";

}  // namespace

TEST_CASE("kernels of tables are variants of the plugin beside which they are") {
  const PluginTable plugins = WithTable(table_text).read();
  REQUIRE(plugins.find("fake") != nullptr);
  const PluginEntry& fake = *plugins.find("fake");
  CHECK(fake.variants.front().name == "mine");
  CHECK(fake.variants.size() > 1);
  CHECK(fake.tables == std::vector<fs::path>{"kernels/fake/copy.toml"});
}

TEST_CASE("a table with an error is why its plugin is refused") {
  const auto reason = [](const std::string& table) {
    const PluginTable plugins = WithTable(table).read();
    REQUIRE(plugins.refused().size() == 1);
    return plugins.refused().front().reason;
  };
  CHECK_THAT(reason(table_text + "grids = 1\n"),
             ContainsSubstring("copy.toml:7:1: error: unknown key 'grids'") && ContainsSubstring("'grid'"));
  CHECK_THAT(
      reason("[[kernel]]\nname = 'steady'\nworkload = 'matmul'\nsource = 'mine.x'\nblock = 8\ngrid = 1\n"),
      ContainsSubstring("both have a variant matmul/steady"));
}

TEST_CASE("a table that others may write is not trusted") {
  const WithTable plugin(table_text);
  fs::permissions(plugin.table(), fs::perms::others_write, fs::perm_options::add);
  const PluginTable plugins = plugin.read();
  REQUIRE(plugins.refused().size() == 1);
  CHECK_THAT(plugins.refused().front().reason, ContainsSubstring("copy.toml may be written by every user"));
}

namespace {

/// The plugin `fake`, and one of kernels called `more`.
class KernelsAlone {
 public:
  explicit KernelsAlone(const std::string& common, const std::string& table = table_text) {
    fs::copy(test_plugin_directory() / "libbenchctl_fake.so", folder_.path());
    fs::create_directories(directory());
    folder_.write("kernels/more/mine.x", "");
    folder_.write("kernels/more/common.toml", common);
    folder_.write("kernels/more/copy.toml", table);
    fs::permissions(folder_.path(), fs::perms::owner_all);
  }
  [[nodiscard]] PluginTable read() const {
    return loaded_plugins(PluginHost::load({folder_.path()}), {folder_.path()});
  }
  [[nodiscard]] std::string refusal() const {
    const PluginTable plugins = read();
    REQUIRE(plugins.find("more") == nullptr);
    REQUIRE(plugins.refused().size() == 1);
    CHECK(plugins.refused().front().name == "more");
    return plugins.refused().front().reason;
  }
  [[nodiscard]] fs::path directory() const { return folder_.path() / "kernels/more"; }

 private:
  TemporaryDirectory folder_;
};

const std::string for_fake = "[common]\nbackend = 'fake'\n";

}  // namespace

TEST_CASE("a folder of tables without a library adds variants to the backend that it names") {
  const KernelsAlone folder(for_fake);
  const PluginTable plugins = folder.read();
  REQUIRE(plugins.find("more") != nullptr);
  const PluginEntry& more = *plugins.find("more");
  CHECK(more.extends == "fake");
  CHECK_FALSE(more.is_backend);
  CHECK(more.library == folder.directory());
  CHECK(more.tables == std::vector<fs::path>{"more/common.toml", "more/copy.toml"});
  const Catalogue catalogue = make_catalogue(plugins);
  REQUIRE(catalogue.backends.size() == 1);
  const BackendEntry& fake = catalogue.backends.front();
  CHECK(fake.variants.size() == plugins.find("fake")->variants.size() + 1);
  const VariantInfo* mine = fake.find_variant("copy", "mine");
  REQUIRE(mine != nullptr);
  CHECK(fake.folder_of(*mine) / mine->kernel->launches.front().source == folder.directory() / "mine.x");
}

TEST_CASE("a change of a source changes the digest of a plugin of kernels") {
  const KernelsAlone folder(for_fake);
  const std::string before = folder.read().find("more")->digest;
  std::ofstream(folder.directory() / "mine.x") << "changed";
  CHECK(folder.read().find("more")->digest != before);
}

TEST_CASE("a folder whose tables name no backend is left alone") {
  const KernelsAlone folder("[common]\nblock = 8\n");
  CHECK(folder.read().find("more") == nullptr);
  CHECK(folder.read().refused().empty());
}

TEST_CASE("a plugin of kernels is refused with the reason") {
  CHECK_THAT(KernelsAlone("[common]\nbackend = 'nobody'\n").refusal(),
             ContainsSubstring("for backend 'nobody', which is not here"));
  CHECK_THAT(KernelsAlone("[common]\nbackend = 3\n").refusal(), ContainsSubstring("common.toml:2:"));
  CHECK_THAT(KernelsAlone(for_fake, table_text + "grids = 1\n").refusal(),
             ContainsSubstring("copy.toml:7:1: error: unknown key 'grids'"));
  CHECK_THAT(KernelsAlone(for_fake,
                          "[[kernel]]\nname = 'steady'\nworkload = 'matmul'\nsource = 'mine.x'\n"
                          "block = 8\ngrid = 1\n")
                 .refusal(),
             ContainsSubstring("plugin 'fake' has a variant matmul/steady for backend 'fake', too"));
  const KernelsAlone open(for_fake);
  fs::permissions(open.directory() / "mine.x", fs::perms::others_write, fs::perm_options::add);
  CHECK_THAT(open.refusal(), ContainsSubstring("mine.x may be written by every user"));
}
