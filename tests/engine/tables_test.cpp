// Tables of kernels beside a plugin's library: its variants, or the reason why it is refused.
#include "engine/host.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <filesystem>

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
