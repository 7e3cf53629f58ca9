// The smaller parts of the engine: the machine's lock, source hashes, its clock.
#include "engine/content_key.hpp"
#include "engine/interrupt.hpp"
#include "engine/machine_lock.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>

using namespace benchctl;
namespace fs = std::filesystem;

TEST_CASE("the lock of a machine is the same file whatever the temporary folder is") {
  const char* given = std::getenv("BENCHCTL_LOCK_FILE");
  const std::string kept = given != nullptr ? given : "";
  unsetenv("BENCHCTL_LOCK_FILE");
  const char* temporary = std::getenv("TMPDIR");
  const std::string folder = temporary != nullptr ? temporary : "";
  setenv("TMPDIR", "/somewhere/else", 1);
  const fs::path file = MachineLock::default_file();
  CHECK((file == "/run/lock/benchctl.lock" || file == "/tmp/benchctl.lock"));
  if (temporary != nullptr) setenv("TMPDIR", folder.c_str(), 1);
  if (temporary == nullptr) unsetenv("TMPDIR");
  if (given != nullptr) setenv("BENCHCTL_LOCK_FILE", kept.c_str(), 1);
}

TEST_CASE("a file that is not a lock file stays as it is") {
  const test::TemporaryDirectory folder;
  const fs::path notes = folder.write("notes", "mine: 17\n");
  REQUIRE(chmod(notes.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(
      MachineLock(notes, {.processors = true}, false),
      ContainsSubstring("not a benchctl lock file") && ContainsSubstring("BENCHCTL_LOCK_FILE"));
  CHECK(fs::file_size(notes) == 9);
  struct stat state {};
  REQUIRE(stat(notes.c_str(), &state) == 0);
  CHECK((state.st_mode & 0777) == 0600);
  const fs::path digits = folder.write("digits", std::string(40, '1'));
  CHECK_THROWS_WITH(MachineLock(digits, {.processors = true}, false),
                    ContainsSubstring("not a benchctl lock file"));

  CHECK_THROWS_WITH(MachineLock(folder.path() / "no/such/folder", {.processors = true}, false),
                    ContainsSubstring("BENCHCTL_LOCK_FILE"));
  const fs::path empty = folder.write("empty", "");
  fs::create_symlink(empty, folder.path() / "link");
  CHECK_THROWS_WITH(MachineLock(folder.path() / "link", {.processors = true}, false),
                    ContainsSubstring("cannot open"));
  REQUIRE(mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(MachineLock(folder.path() / "pipe", {.processors = true}, false),
                    ContainsSubstring("not a benchctl lock file"));
}

TEST_CASE("a lock file gets its mode when it is made and keeps it") {
  const test::TemporaryDirectory folder;
  const fs::path file = folder.path() / "lock";
  struct stat state {};
  CHECK_NOTHROW(MachineLock(file, {.processors = true}, false));
  REQUIRE(stat(file.c_str(), &state) == 0);
  CHECK((state.st_mode & 0777) == 0666);
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  CHECK_NOTHROW(MachineLock(file, {.processors = true}, false));
  REQUIRE(stat(file.c_str(), &state) == 0);
  CHECK((state.st_mode & 0777) == 0600);
  // What a killed process left is ours.
  folder.write("lock", "4711");
  CHECK_NOTHROW(MachineLock(file, {.processors = true}, false));
  CHECK(fs::file_size(file) == 0);
}

TEST_CASE("runs on different cards hold locks at once, those on one card or on the processors do not") {
  const test::TemporaryDirectory folder;
  const fs::path file = folder.path() / "lock";
  const auto lane = [](DeviceType type, const std::string& physical) {
    Lane lane;
    lane.backend = "opencl";
    lane.device.type = type;
    lane.device.physical = physical;
    return lane;
  };
  const auto needs = [](const Lane& lane, Basis basis = Basis::device) {
    LockNeeds needs;
    needs.add(lane, basis);
    return needs;
  };
  const LockNeeds first = needs(lane(DeviceType::gpu, "pci:0000:01:00.0"));
  const LockNeeds second = needs(lane(DeviceType::gpu, "pci:0000:02:00.0"));
  const LockNeeds processors = needs(lane(DeviceType::cpu, "cpu:package-0"));
  // What a card does by the host's clock, and one that another backend may call something else.
  const LockNeeds by_host = needs(lane(DeviceType::gpu, "pci:0000:03:00.0"), Basis::host_sync);
  const LockNeeds unknown = needs(lane(DeviceType::gpu, "opencl:nvidia:0"));
  {
    const MachineLock one(file, first, false);
    CHECK_NOTHROW(MachineLock(file, second, false));
    CHECK_THROWS_WITH(MachineLock(file, first, false), ContainsSubstring("on card pci:0000:01:00.0") &&
                                                           ContainsSubstring(std::to_string(getpid())));
    for (const LockNeeds& quiet : {processors, by_host, unknown}) {
      CHECK_THROWS_AS(MachineLock(file, quiet, false), MachineBusy);
    }
    LockNeeds both = second;
    both.cards.insert("pci:0000:01:00.0");
    CHECK_THROWS_AS(MachineLock(file, both, false), MachineBusy);
    CHECK_NOTHROW(MachineLock(file, second, false));  // the refused one has let go of it
  }
  for (const LockNeeds& quiet : {processors, by_host, unknown}) {
    const MachineLock alone(file, quiet, false);
    CHECK_THROWS_WITH(MachineLock(file, second, false), ContainsSubstring("on this machine"));
  }
  CHECK_NOTHROW(MachineLock(file, first, false));
}

TEST_CASE("a source's hash covers what it includes, however deep") {
  const test::TemporaryDirectory folder;
  const fs::path source =
      folder.write("kernel.cu", "#include \"one.cuh\"\n#  include \"sub/two.cuh\"\n#include <x>\n");
  folder.write("one.cuh", "int one;");
  folder.write("sub/two.cuh", "#include \"three.cuh\"\n");
  folder.write("sub/three.cuh", "int three;\n#include \"../one.cuh\"");
  const std::string before = hash_source(source);
  CHECK(hash_source(source) == before);
  CHECK(before.size() == 32);
  folder.write("sub/three.cuh", "int three ;\n#include \"../one.cuh\"");
  const std::string after = hash_source(source);
  CHECK(after != before);
  folder.write("unrelated.cuh", "");
  CHECK(hash_source(source) == after);
  fs::remove(folder.path() / "one.cuh");
  CHECK(hash_source(source) != after);
}

TEST_CASE("a source's hash covers what is found beside the first file, also in <>") {
  const test::TemporaryDirectory folder;
  const fs::path source = folder.write("kernel.cu", "#include \"sub/one.cuh\"\n#include <two.cuh>\n");
  folder.write("sub/one.cuh", "#include \"three.cuh\"\n#include <four.cuh>\n");
  const std::string before = hash_source(source);
  folder.write("two.cuh", "int two;");
  const std::string with_two = hash_source(source);
  CHECK(with_two != before);
  folder.write("three.cuh", "int three;");
  const std::string with_three = hash_source(source);
  CHECK(with_three != with_two);
  // Compilers disagree on which of these two they read.
  folder.write("four.cuh", "int four;");
  folder.write("sub/four.cuh", "int four;");
  const std::string with_four = hash_source(source);
  CHECK(with_four != with_three);
  folder.write("four.cuh", "int five;");
  CHECK(hash_source(source) != with_four);
}

TEST_CASE("a clock goes with time, and stands still while nobody could look at it") {
  std::atomic<double> now = 100;
  RunningClock clock([&] { return now.load(); });
  CHECK(clock.seconds() == 0);
  now = 100.5;
  CHECK_THAT(clock.seconds(), WithinAbs(0.5, 1e-9));
  now = 102;
  CHECK_THAT(clock.seconds(), WithinAbs(2, 1e-9));
  // A stop of 50 s: the 2 s count that a busy machine may take between two looks.
  now = 152;
  CHECK_THAT(clock.seconds(), WithinAbs(4, 1e-9));
  now = 153;
  CHECK_THAT(clock.seconds(), WithinAbs(5, 1e-9));
}
