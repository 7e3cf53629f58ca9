// Rows with a value of its own in every field, so that a column left out or swapped shows.
#pragma once

#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/contents_of.hpp"
#include "support/paths.hpp"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace benchctl::test {

inline const std::string awkward = "quote ' \" back \\ \n\r\t ü µ 漢 \U0001F600 -- ; DROP";

/// Runs SQL behind the store's back; the first column of the last row that comes back.
inline std::string execute(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  std::string first;
  const auto take = [](void* out, int, char** values, char**) {
    *static_cast<std::string*>(out) = values[0] == nullptr ? "NULL" : values[0];
    return 0;
  };
  CHECK(sqlite3_exec(database, sql.c_str(), take, &first, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  return first;
}

/// Starts `work` in a child, whose exit status is its answer. Nothing of the parent is torn down.
template <class Work>
pid_t start_child(const Work& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  int status = 98;
  try {
    status = work();
  } catch (...) {
    status = 99;
  }
  _exit(status);
}

/// Waits for the end of a child; -1 if a signal ended it.
inline int exit_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

template <class Work>
int in_child(const Work& work) {
  return exit_status(start_child(work));
}

/// Files of this process cannot grow beyond that.
inline void limit_file_size(rlim_t bytes) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

/// Whether `act`, done by a user without rights, ends in a StoreError with all of these parts.
template <class Act>
bool refuses_nobody(const Act& act, std::initializer_list<std::string> parts) {
  return in_child([&] {
           if (geteuid() == 0 && setuid(65534) != 0) return 50;
           try {
             act();
           } catch (const StoreError& error) {
             return HasAll(parts).match(error.what()) ? 0 : 1;
           }
           return 2;
         }) == 0;
}

/// Neither a writer nor a reader gets the file, for a reason with all of these parts.
inline void check_refused(const std::filesystem::path& file, std::initializer_list<std::string> parts) {
  for (const auto access : {Store::Access::read_write, Store::Access::read_only})
    CHECK_THROWS_MATCHES(Store::open(file, access), StoreError, MessageMatches(HasAll(parts)));
}

/// An empty store in a folder of its own.
struct OneFile {
  TemporaryDirectory folder;
  std::filesystem::path file = folder.path() / "store.db";
  Store store = Store::open(file);
};

inline Lane a_lane(const std::string& backend, const std::string& id) {
  Lane lane;
  lane.backend = backend;
  DeviceInfo& d = lane.device;
  d.id = id;
  d.name = "Device " + id;
  d.vendor = "Maker";
  d.type = DeviceType::accelerator;
  d.driver = "driver 1.2";
  d.architecture = "arch_9";
  d.physical = "pci:" + id;
  d.compute_units = 12;
  d.last_level_cache_bytes = 1U << 25;
  d.timer_step_ns = 0.5;
  d.max_batch = 30;
  d.fp64 = true;
  d.limits.memory_bytes = 1ULL << 40;
  d.limits.max_block = {1, 2, 3};
  d.limits.max_grid = {4, 5, 6};
  d.features = {"f1", awkward};
  d.properties = {{"uuid", awkward}, {"ecc", "on"}};
  return lane;
}

inline NewRun a_run(const std::string& hash = "hash") {
  NewRun run;
  run.name = "tile_sweep";
  run.title = awkward;
  run.question = "which? " + awkward;
  run.config_text = "[experiment]\nname = \"tile_sweep\"\n# " + awkward;
  run.config_hash = hash;
  run.command = "benchctl run 'a b.toml'";
  run.version = "9.8.7";
  run.seed = std::numeric_limits<std::uint64_t>::max() - 1;
  run.environment = R"([{"key":"kernel","value":"6.1","class":"should_match"}])";
  run.lanes = {a_lane("fake", "0"), a_lane("fake", "1")};
  return run;
}

inline PointRow a_point(std::uint64_t ordinal) {
  PointRow row;
  row.ordinal = ordinal;
  Point& p = row.point;
  p.sweep = 3;
  p.workload = "matmul";
  p.variant = "tiled";
  p.backend = "fake";
  p.device = "fake:0";
  p.problem = {{"n", std::int64_t{512}}, {"dtype", std::string("f32")}, {"scale", 0.1}, {"whole", 3.0}};
  p.layout = "soa";
  p.tunables = {{"tile", std::int64_t{-16}}, {"text", awkward}, {"flag", true}};
  p.measure.cache = CacheMode::cold;
  p.measure.launch = LaunchMode::graph;
  p.measure.basis = Basis::end_to_end;
  p.measure.target = 0.025;
  p.measure.min_samples = 31;
  p.measure.max_samples = 32;
  p.measure.max_seconds = 3.5;
  p.measure.fixed_samples = 33;
  p.measure.min_sample_ns = 34.5;
  p.measure.min_timer_steps = 35.5;
  p.measure.observe = {"energy", "cycles"};
  p.measure.warmup_seconds = 0.36;
  p.measure.mode = RoundMode::paired;
  p.measure.replicates = 37;
  p.measure.seed = std::numeric_limits<std::uint64_t>::max();
  p.apart = "samples=33 " + awkward;
  p.expect = Expect::wrong;
  row.content_key = "key" + std::to_string(ordinal);
  row.vendor = true;
  row.cost = {1e9, 2e6, 3e6};
  return row;
}

inline Measurement a_measurement() {
  Measurement m;
  m.n_samples = 41;
  m.batch = 42;
  m.gated = true;
  m.median_ns = 43.5;
  m.ci_low_ns = 43.25;
  m.ci_high_ns = 43.75;
  m.min_ns = 40.1;
  m.max_ns = 50.2;
  m.mean_ns = 44.3;
  m.mad_ns = 0.4;
  m.p5_ns = 41.5;
  m.p25_ns = 42.6;
  m.p75_ns = 45.7;
  m.p95_ns = 49.8;
  m.warmup_ns = 1e6;
  m.processes = 46;
  m.stop = StopReason::max_seconds;
  m.note = awkward;
  return m;
}

inline Verification a_verification(double error) {
  Verification v;
  v.ok = true;
  v.reason = awkward;
  v.error_norm = error;
  v.tolerance_norm = 1e-6;
  v.worst_error = 2e-5;
  v.worst_tolerance = 3e-5;
  v.worst_element = "C[3, 7]";
  v.checked = 1ULL << 33;
  v.not_a_number = 5;
  v.guard_bytes_changed = 6;
  return v;
}

inline Result a_result() {
  Result result;
  result.row.point.status = Status::ok;
  result.row.point.reason = awkward;
  result.measurement = a_measurement();
  result.verifications = {{VerificationPhase::before, a_verification(1e-7)},
                          {VerificationPhase::after, a_verification(2e-7)}};
  result.resources = {{"registers", 40}, {"occupancy", 0.5}};
  result.notes = {{"kernel", awkward}, {"isa", "none"}};
  return result;
}

inline SampleBlock a_block(double first) {
  SampleBlock block;
  block.ns = {first, first + 0.1, first + 1e-9};
  block.batch = 7;
  block.gated = true;
  block.readings = {{"steal_ns", {1, std::nan(""), 0.1}}, {awkward, {}}};
  block.note = awkward;
  return block;
}

}  // namespace benchctl::test
