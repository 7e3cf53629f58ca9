#include "plugins/plugin_table.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <fmt/format.h>

#include <cstdlib>

using namespace benchctl;
namespace fs = std::filesystem;

namespace {

std::string reason_for(const PluginHost& host, const std::string& name) {
  for (const RefusedPlugin& plugin : host.refused()) {
    if (plugin.name == name) return plugin.reason;
  }
  return "not refused";
}

fs::path bad_plugins() { return test::test_plugin_directory().parent_path() / "bad_plugins"; }

}  // namespace

TEST_CASE("libraries are found folder by folder, each by name") {
  const test::TemporaryDirectory first;
  const test::TemporaryDirectory second;
  for (const char* name : {"libbenchctl_b.so", "libbenchctl_a.so", "libother.so", "notes.txt"})
    first.write(name, "");
  second.write("libbenchctl_0.so", "");
  const std::vector<fs::path> expected{first.path() / "libbenchctl_a.so", first.path() / "libbenchctl_b.so",
                                       second.path() / "libbenchctl_0.so"};
  CHECK(plugin_libraries({first.path(), "/no/such/folder", second.path()}) == expected);
}

TEST_CASE("each faulty library is refused for its own reason and the others still work") {
  const PluginHost host = PluginHost::load({bad_plugins(), test::test_plugin_directory()});
  CHECK_THAT(reason_for(host, "bad_magic"), ContainsSubstring("not a benchctl plugin"));
  CHECK_THAT(reason_for(host, "bad_newer"),
             ContainsSubstring(fmt::format("SDK {}.{}", BENCHCTL_SDK_MAJOR, BENCHCTL_SDK_MINOR + 1)) &&
                 ContainsSubstring(fmt::format("{}.{}", BENCHCTL_SDK_MAJOR, BENCHCTL_SDK_MINOR)));
  CHECK_THAT(reason_for(host, "bad_sizes"), ContainsSubstring("type 2 of the interface"));
  CHECK_THAT(reason_for(host, "bad_no_factory"), ContainsSubstring("benchctl_create_plugin"));
  CHECK_THAT(reason_for(host, "bad_throws"), ContainsSubstring("never starts"));
  CHECK_THAT(reason_for(host, "bad_empty"), ContainsSubstring("neither a backend nor an observer"));
  CHECK(host.refused().size() == 6);
  CHECK(host.find("fake") != nullptr);
}

TEST_CASE("a plugin may not put everybody's environment variables on record") {
  const auto problem = [](std::string name, std::vector<std::string> variables) {
    return info_problem({std::move(name), "Title", "1.0", "test", std::move(variables)});
  };
  CHECK(problem("mine", {}).empty());
  CHECK(problem("mine", {"VK_", "HIP_", "GOTO_NUM_THREADS"}).empty());
  CHECK_THAT(problem("mine", {"HIP_", ""}), ContainsSubstring("environment variables ''"));
  CHECK_THAT(problem("mine", {"A_"}), ContainsSubstring("at least three"));
  CHECK_THAT(problem("mine", {"hip"}), ContainsSubstring("'hip'"));
  CHECK_THAT(problem("Mine", {}), ContainsSubstring("'Mine'"));
}

TEST_CASE("of two plugins with one name the first on the path is taken") {
  const test::TemporaryDirectory folder;
  fs::copy(test::test_plugin_directory() / "libbenchctl_fake.so", folder.path());
  const PluginHost host = PluginHost::load({folder.path(), test::test_plugin_directory()});
  REQUIRE(host.find("fake") != nullptr);
  CHECK(host.find("fake")->library.parent_path() == folder.path());
  CHECK_THAT(reason_for(host, "fake"), ContainsSubstring("loaded already"));
}

TEST_CASE("the stamps of host and plugin are compared field by field") {
  const AbiStamp host = make_abi_stamp();
  CHECK(abi_mismatch(host, host).empty());
  const std::vector<std::pair<void (*)(AbiStamp&), const char*>> changes{
      {[](AbiStamp& stamp) { stamp.sdk_major += 1; }, "SDK"},
      {[](AbiStamp& stamp) { stamp.cxx_abi += 1; }, "C++ ABI"},
      {[](AbiStamp& stamp) { stamp.string_abi = 1 - stamp.string_abi; }, "C++ ABI"},
      {[](AbiStamp& stamp) { stamp.standard_library[3] = 'x'; }, "libxtdc++"},
      {[](AbiStamp& stamp) { stamp.stamp_bytes += 4; }, "stamp has"},
      {[](AbiStamp& stamp) { stamp.sizes[7] += 8; }, "type 7"},
  };
  for (const auto& [change, words] : changes) {
    AbiStamp other = host;
    change(other);
    CHECK_THAT(abi_mismatch(host, other), ContainsSubstring(words));
  }
  AbiStamp newer = host;
  newer.sdk_minor += 1;
  CHECK(abi_mismatch(newer, host).empty());
  CHECK_THAT(abi_mismatch(host, newer), ContainsSubstring("rebuild"));
}

TEST_CASE("the search path has the current directory only where it is named") {
  const test::TemporaryDirectory folder;
  const fs::path relative = fs::relative(folder.path());
  const std::string variable = fmt::format(":{}:{}::/:", relative.string(), folder.path().string());
  setenv("BENCHCTL_PLUGIN_PATH", variable.c_str(), 1);
  const std::vector<fs::path> path = plugin_search_path({"extra"});
  setenv("BENCHCTL_PLUGIN_PATH", "/:/no/such/folder", 1);
  CHECK_THROWS_MATCHES(
      plugin_search_path({}), std::runtime_error,
      Catch::Matchers::Message("BENCHCTL_PLUGIN_PATH: there is no folder '/no/such/folder'"));
  unsetenv("BENCHCTL_PLUGIN_PATH");
  REQUIRE(path.size() == 6);
  CHECK(path[0] == fs::absolute("extra"));
  CHECK(path[1] == fs::absolute(relative));
  CHECK(path[2] == folder.path());
  CHECK(path[3] == "/");
  CHECK(path[4].filename() == "plugins");
  CHECK(path[5].is_absolute());
  CHECK_THAT(path[5].string(), ContainsSubstring("lib/benchctl/plugins"));
}

TEST_CASE("what is not there is known with the reason, whether the build noted it or not") {
  const std::vector<std::string> of_tree = backends_of_tree();
  REQUIRE(of_tree.size() >= 2);
  const test::TemporaryDirectory folder;
  folder.write("left_out.txt", "other|a|b\nnot a row\n" + of_tree[0] + "|left out of this build\n" +
                                   "here|was left out of another build\n");
  PluginTable table;
  PluginEntry here;
  here.info.name = "here";
  table.add(here);
  table.refuse("libbenchctl_" + of_tree[1] + ".so", "it is damaged");
  table.note_left_out({});
  CHECK(table.left_out().empty());  // nothing was searched
  table.note_left_out({folder.path(), folder.path() / "missing"});
  REQUIRE(table.left_out().size() == of_tree.size());  // two noted ones, and all but the first two
  CHECK(table.left_out()[0].name == "other");
  CHECK(table.left_out()[0].reason == "a|b");
  CHECK(table.left_out()[1].name == of_tree[0]);
  CHECK(table.left_out()[1].reason == "left out of this build");
  for (std::size_t i = 2; i < of_tree.size(); ++i) {
    CHECK(table.left_out()[i].name == of_tree[i]);
    CHECK_THAT(table.left_out()[i].reason,
               StartsWith("libbenchctl_" + of_tree[i] + ".so is in no plugin folder (" +
                          folder.path().string() + "): build or install it"));
  }
}
