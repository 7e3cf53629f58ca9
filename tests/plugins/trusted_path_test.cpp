// Other users are imitated by giving files to user and group 65534, which takes root.
#include "plugins/trusted_path.hpp"
#include "support/catch.hpp"

#include "plugins/plugin_host.hpp"
#include "support/paths.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdint>

using namespace benchctl;
namespace fs = std::filesystem;

namespace {

constexpr uid_t other = 65534;

void set_mode(const fs::path& path, mode_t mode) { REQUIRE(chmod(path.c_str(), mode) == 0); }

void give_away(const fs::path& path, uid_t user, gid_t group) {
  REQUIRE(lchown(path.c_str(), user, group) == 0);
}

/// `outer/inner/file.so` in a folder of this user.
struct Tree {
  test::TemporaryDirectory folder;
  fs::path outer = folder.path() / "outer";
  fs::path inner = outer / "inner";
  fs::path file = folder.write("outer/inner/file.so", "code");

  Tree() {
    for (const fs::path& path : {outer, inner}) set_mode(path, 0755);
    set_mode(file, 0644);
  }
};

}  // namespace

TEST_CASE("files of this user in folders of this user are trusted") {
  const Tree tree;
  CHECK(distrust_of(tree.file).empty());
  CHECK(distrust_of(tree.inner / ".." / "." / "inner" / "file.so").empty());
  CHECK(distrust_of(tree.inner / "no_such.so").empty());
  CHECK(distrust_of("/usr").empty());
}

TEST_CASE("nothing on the way may be written by everybody") {
  const Tree tree;
  for (const fs::path& path : {tree.file, tree.inner, tree.outer}) {
    const mode_t mode = path == tree.file ? 0644 : 0755;
    set_mode(path, mode | S_IWOTH);
    CHECK_THAT(distrust_of(tree.file), ContainsSubstring(path.string() + " may be written by every user") &&
                                           ContainsSubstring("chmod o-w"));
    set_mode(path, mode);
  }
}

TEST_CASE("a plugin in a folder that stands in an open one is refused") {
  const Tree tree;
  const fs::path library = tree.inner / "libbenchctl_fake.so";
  fs::copy_file(test::test_plugin_directory() / "libbenchctl_fake.so", library);
  CHECK(PluginHost::load({tree.inner}).find("fake") != nullptr);
  set_mode(tree.outer, 0777);
  const PluginHost host = PluginHost::load({tree.inner});
  CHECK(host.find("fake") == nullptr);
  REQUIRE(host.refused().size() == 1);
  CHECK_THAT(host.refused()[0].reason, ContainsSubstring(tree.outer.string() + " may be written"));
}

TEST_CASE("links are followed: their folders and those that they lead to count") {
  const Tree tree;
  const fs::path links = tree.folder.path() / "links";
  fs::create_directory(links);
  set_mode(links, 0755);
  const fs::path link = links / "link.so";
  fs::create_symlink("../outer/inner/file.so", link);
  CHECK(distrust_of(link).empty());
  const fs::path folder_link = links / "folder";
  fs::create_symlink(tree.inner, folder_link);
  CHECK(distrust_of(folder_link / "file.so").empty());

  set_mode(tree.outer, 0777);
  CHECK_THAT(distrust_of(link), ContainsSubstring(tree.outer.string() + " may be written"));
  CHECK_THAT(distrust_of(folder_link / "file.so"), ContainsSubstring(tree.outer.string()));
  set_mode(tree.outer, 0755);
  set_mode(links, 0777);
  CHECK_THAT(distrust_of(link), ContainsSubstring(links.string() + " may be written"));
  CHECK_THAT(distrust_of(folder_link / "file.so"), ContainsSubstring(links.string() + " may be written"));
  set_mode(links, 0755);

  fs::create_symlink("loop.so", links / "loop.so");
  CHECK_THAT(distrust_of(links / "loop.so"), ContainsSubstring("too many symbolic links"));
  fs::create_symlink("nowhere", links / "dangling.so");
  CHECK(distrust_of(links / "dangling.so").empty());
}

TEST_CASE("owners are root and this user alone") {
  if (geteuid() != 0) SKIP("only root can give files away");
  const Tree tree;
  for (const fs::path& path : {tree.file, tree.inner, tree.outer}) {
    give_away(path, other, 0);
    CHECK_THAT(distrust_of(tree.file),
               ContainsSubstring(path.string() + " belongs to user") && ContainsSubstring("chown"));
    give_away(path, 0, 0);
  }
  const fs::path link = tree.outer / "link.so";
  fs::create_symlink(tree.file, link);
  CHECK(distrust_of(link).empty());
  give_away(link, other, 0);
  CHECK_THAT(distrust_of(link), ContainsSubstring(link.string() + " belongs to user"));
}

TEST_CASE("a group that may write is somebody else, but for the user's own") {
  if (geteuid() != 0) SKIP("only root can give files away");
  const Tree tree;
  set_mode(tree.inner, 0775);
  give_away(tree.inner, 0, other);
  CHECK_THAT(distrust_of(tree.file), ContainsSubstring(tree.inner.string() + " may be written by group") &&
                                         ContainsSubstring("chmod g-w"));
  give_away(tree.inner, 0, 0);
  CHECK(distrust_of(tree.file).empty());
}

TEST_CASE("in a sticky folder of root there may be folders, no plugins") {
  if (geteuid() != 0) SKIP("only root can make a folder of root");
  const Tree tree;
  set_mode(tree.outer, 01777);
  CHECK(distrust_of(tree.file).empty());
  const fs::path direct = tree.folder.write("outer/direct.so", "code");
  set_mode(direct, 0644);
  CHECK_THAT(distrust_of(direct), ContainsSubstring("where every user may put files"));
  fs::create_symlink(tree.file, tree.outer / "link.so");
  CHECK_THAT(distrust_of(tree.outer / "link.so"), ContainsSubstring("where every user may put files"));
  fs::create_symlink(direct, tree.folder.path() / "to_direct.so");
  CHECK_THAT(distrust_of(tree.folder.path() / "to_direct.so"), ContainsSubstring(direct.string()));
  give_away(tree.inner, other, other);
  CHECK_THAT(distrust_of(tree.file), ContainsSubstring(tree.inner.string() + " belongs to user"));
  give_away(tree.inner, 0, 0);
  // Its owner may rename what is in it.
  give_away(tree.outer, other, other);
  CHECK_THAT(distrust_of(tree.file), ContainsSubstring(tree.outer.string() + " belongs to user"));
}

TEST_CASE("an access list that lets somebody else write counts") {
  const Tree tree;
  // Of struct posix_acl_xattr_entry: the owner, another user, the owner's group, the mask, all others.
  struct Entry {
    std::uint16_t tag;
    std::uint16_t permissions;
    std::uint32_t id;
  };
  constexpr std::uint32_t nobody_named = 0xFFFFFFFF;
  struct {
    std::uint32_t version = 2;
    std::array<Entry, 5> entries{{{0x01, 7, nobody_named},
                                  {0x02, 7, other},
                                  {0x04, 5, nobody_named},
                                  {0x10, 7, nobody_named},
                                  {0x20, 5, nobody_named}}};
  } list;
  if (setxattr(tree.inner.c_str(), "system.posix_acl_access", &list, sizeof list, 0) != 0) {
    SKIP("this file system has no access lists");
  }
  CHECK_THAT(distrust_of(tree.file), ContainsSubstring(tree.inner.string() + " may be written by others") &&
                                         ContainsSubstring("setfacl -b"));
}

TEST_CASE("everything in a folder is held to the rule, also what links lead to") {
  const Tree tree;
  fs::create_directory_symlink(tree.outer, tree.inner / "circle");
  CHECK(distrust_of_all(tree.outer).empty());
  CHECK(distrust_of_all(tree.outer / "no_such").empty());
  CHECK(distrust_of_all({}).empty());
  set_mode(tree.file, 0666);
  CHECK_THAT(distrust_of_all(tree.outer),
             ContainsSubstring(tree.file.string() + " may be written by every user"));
  set_mode(tree.file, 0644);
  const fs::path outside = tree.folder.write("outside.cl", "code");
  set_mode(outside, 0666);
  fs::create_symlink(outside, tree.inner / "link.cl");
  CHECK_THAT(distrust_of_all(tree.outer), ContainsSubstring(outside.string() + " may be written"));
}

TEST_CASE("everything in a folder belongs to this user or root") {
  if (geteuid() != 0) SKIP("only root can give files away");
  const Tree tree;
  CHECK(foreign_owner_of(tree.file).empty());
  give_away(tree.file, other, other);
  CHECK_THAT(distrust_of_all(tree.outer), ContainsSubstring(tree.file.string() + " belongs to user"));
  CHECK_THAT(foreign_owner_of(tree.file), ContainsSubstring("neither root nor you"));
}
