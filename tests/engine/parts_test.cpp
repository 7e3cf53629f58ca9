// The smaller parts of the engine: frames, the machine's lock, source hashes, reference files, its
// clock.
#include "engine/content_key.hpp"
#include "engine/interrupt.hpp"
#include "engine/machine_lock.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "worker/frames.hpp"
#include "worker/messages.hpp"
#include "worker/reference_file.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

using namespace benchctl;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct SocketPair {
  SocketPair() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0); }
  ~SocketPair() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  void close_first() {
    close(ends[0]);
    ends[0] = -1;
  }
  int ends[2] = {-1, -1};
};

std::optional<json> receive(int socket, std::chrono::duration<double> limit = std::chrono::minutes(1)) {
  Deadline deadline(limit);
  return read_frame(socket, deadline);
}

bool post(int socket, const json& message, std::chrono::duration<double> limit = std::chrono::minutes(1)) {
  Deadline deadline(limit);
  return write_frame(socket, message, deadline);
}

constexpr std::chrono::milliseconds soon(30);

void send_bytes(int socket, const std::string& bytes) {
  REQUIRE(send(socket, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
}

/// The length in front of a message.
std::string head_of(std::uint32_t length) {
  return {reinterpret_cast<const char*>(&length), sizeof length};
}

std::size_t peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss);
}

}  // namespace

TEST_CASE("frames arrive whole, in order, with every number intact") {
  const SocketPair pair;
  const json first = {{"text", "naïve \n \"quoted\""},
                      {"numbers", {0.1, 1e308, -0.0, std::int64_t{1} << 60}},
                      {"inf", std::numeric_limits<double>::infinity()}};
  const json large = std::string(3'000'000, 'x');
  std::jthread writer([&] {
    CHECK(post(pair.ends[0], first));
    CHECK(post(pair.ends[0], large));
  });
  CHECK(receive(pair.ends[1]) == first);
  CHECK(receive(pair.ends[1]) == large);
}

TEST_CASE("a missing or half a frame runs into the deadline") {
  const SocketPair pair;
  CHECK_FALSE(receive(pair.ends[1], soon).has_value());
  const std::uint32_t promised = 100;
  REQUIRE(send(pair.ends[0], &promised, sizeof promised, 0) == sizeof promised);
  CHECK_FALSE(receive(pair.ends[1], soon).has_value());
}

TEST_CASE("a closed connection is told apart from silence") {
  SocketPair pair;
  pair.close_first();
  CHECK_THROWS_AS(receive(pair.ends[1], soon), ConnectionLost);
  CHECK_THROWS_AS(post(pair.ends[1], json(1)), ConnectionLost);
}

TEST_CASE("a message that nobody reads runs into the deadline") {
  const SocketPair pair;
  CHECK_FALSE(post(pair.ends[0], std::string(30'000'000, 'x'), soon));
}

TEST_CASE("time in which this process was stopped is not the other side's") {
  const SocketPair pair;
  const pid_t child = fork();
  if (child == 0) {
    Deadline deadline(std::chrono::seconds(2));
    _exit(deadline.wait(pair.ends[1], POLLIN) ? 0 : 1);
  }
  kill(child, SIGSTOP);
  usleep(2'200'000);
  kill(child, SIGCONT);
  usleep(20'000);
  send_bytes(pair.ends[0], "x");
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a message takes no memory before it arrives") {
  const SocketPair pair;
  const std::size_t before = peak_kilobytes();
  send_bytes(pair.ends[0], head_of(200U << 20));
  CHECK_FALSE(receive(pair.ends[1], soon).has_value());
  CHECK(peak_kilobytes() - before < 100'000);
}

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

TEST_CASE("references survive the trip through a file; damaged files are refused") {
  const test::TemporaryDirectory folder;
  const fs::path file = folder.path() / "reference";
  Reference reference;
  reference.reals["c"] = {1.5, -0.0, 1e-300, std::numeric_limits<double>::max()};
  reference.reals["empty"] = {};
  reference.indices["rows"] = {0, 7, std::numeric_limits<std::uint64_t>::max()};
  save_reference(reference, file);
  const Reference loaded = load_reference(file);
  CHECK(loaded.reals == reference.reals);
  CHECK(loaded.indices == reference.indices);
  // NumPy reads the first array.
  std::string start(64, '\0');
  std::ifstream(file).read(start.data(), 64);
  CHECK(start == std::string("\x93NUMPY\x01\0\x76\0", 10) +
                     "{'descr': [('c', '<f8')], 'fortran_order': False, 'sha");

  const auto size = fs::file_size(file);
  for (const std::uintmax_t cut : {size - 1, size - 8, size / 2, std::uintmax_t{7}}) {
    save_reference(reference, file);
    fs::resize_file(file, cut);
    CHECK_THROWS_AS(load_reference(file), std::runtime_error);
  }
  folder.write("other", "no array");
  CHECK_THROWS_WITH(load_reference(folder.path() / "other"), ContainsSubstring("damaged"));
  CHECK_THROWS_WITH(load_reference(folder.path() / "absent"), ContainsSubstring("absent"));
  CHECK_THROWS_WITH(save_reference(reference, folder.path() / "no/file"), ContainsSubstring("no/file"));
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

TEST_CASE("what is free at the moment is not kept of a device") {
  DeviceInfo device;
  device.id = "0";
  device.properties = {{"memory_free", "17"},
                       {"global_free_memory_amd", "3"},
                       {"uuid", "u"},
                       {"lock_free_atomics", "all"},
                       {"memory_freedom", "2"}};
  const BackendLanes lanes = lanes_of("some", {{device}, ""});
  REQUIRE(lanes.lanes.size() == 1);
  CHECK(lanes.lanes.front().device.properties ==
        std::map<std::string, std::string, std::less<>>{
            {"lock_free_atomics", "all"}, {"memory_freedom", "2"}, {"uuid", "u"}});
}
