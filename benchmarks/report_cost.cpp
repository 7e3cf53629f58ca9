// What a report of many points costs, seen from outside: time and memory of `benchctl report`, `show`,
// `compare` and `history` on a store of 100,000 points that this program makes.
//
//   report_cost [POINTS] [REPETITIONS] [STORE]
//   report_cost merge [STORES] [POINTS]
//
// The second form merges stores of so many points each, a quarter of them, half, and all, and all again.
// A STORE is kept, and used again where it is there already. Prints the median and the extremes of each
// figure beside its target. A figure, not a test: it never fails.
#include "stats/summary.hpp"
#include "store/store.hpp"
#include "support/program.hpp"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace {

using namespace benchctl;
using Clock = std::chrono::steady_clock;

constexpr std::size_t samples_each = 30;

Lane a_lane() {
  Lane lane;
  lane.backend = "made";
  lane.device.id = "0";
  lane.device.name = "A device";
  return lane;
}

PointRow a_point(std::size_t number) {
  PointRow row;
  row.ordinal = number;
  Point& point = row.point;
  point.workload = number % 2 == 0 ? "matmul" : "copy";
  point.variant = number % 3 == 0 ? "tiled" : number % 3 == 1 ? "naive" : "vendor";
  point.backend = "made";
  point.device = a_lane().name();
  point.problem = {{"n", static_cast<std::int64_t>(number / 60)}, {"dtype", std::string("f32")}};
  point.tunables = {{"tile", static_cast<std::int64_t>(number % 60)}};
  row.content_key = fmt::format("{:032x}", number);
  row.cost = {1e9, 1e6, 1e6};
  return row;
}

Result a_result(const std::vector<double>& samples) {
  const stats::Summary summary = stats::summarize(samples);
  Result result;
  Measurement m;
  m.n_samples = summary.n;
  m.median_ns = summary.median;
  const stats::Interval interval = stats::block_interval(samples);
  m.ci_low_ns = interval.low;
  m.ci_high_ns = interval.high;
  m.min_ns = summary.minimum;
  m.max_ns = summary.maximum;
  m.mean_ns = summary.mean;
  m.mad_ns = summary.mad;
  m.p25_ns = summary.p25;
  m.p75_ns = summary.p75;
  result.measurement = m;
  result.resources = {
      {"registers", 40}, {"occupancy", 0.5}, {"roof_fraction", 0.25}, {"predicted_ns", 900}};
  return result;
}

/// A complete run of that many points with samples around 1 to 2 µs.
void add_run(Store& store, std::size_t points) {
  NewRun fresh;
  fresh.name = fresh.title = "made";
  fresh.config_text = "[experiment]\nname = \"made\"\n";
  fresh.environment = "[]";
  fresh.lanes = {a_lane()};
  const RunId run = store.create_run(fresh);
  std::vector<PointRow> rows;
  for (std::size_t i = 0; i < points; ++i) rows.push_back(a_point(i));
  const std::vector<PointId> ids = store.add_points(run, rows);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    SampleBlock block;
    for (std::size_t k = 0; k < samples_each; ++k) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      block.ns.push_back(1000 + static_cast<double>(i % 1000) + static_cast<double>(state >> 58));
    }
    store.append_samples(ids[i], 0, 0, block);
    store.finish_point(ids[i], a_result(block.ns));
  }
  store.finish_run(run, RunState::complete);
}

struct Cost {
  double seconds = 0;    // of a processor, in the program and in the system
  double elapsed = 0;    // of a clock: more than that where others use the machine or the disk is slow
  double megabytes = 0;  // largest resident size
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Cost cost_of(const test::Sandbox& sandbox, const std::vector<std::string>& arguments) {
  const auto begin = Clock::now();
  const pid_t process = sandbox.start(arguments);
  int status = 0;
  rusage usage{};
  if (wait4(process, &status, 0, &usage) < 0 || status != 0) {
    throw std::runtime_error(fmt::format("benchctl {} failed", fmt::join(arguments, " ")));
  }
  return {seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          std::chrono::duration<double>(Clock::now() - begin).count(),
          static_cast<double>(usage.ru_maxrss) / 1024};
}

void measure(const test::Sandbox& sandbox, const std::string& what,
             const std::vector<std::string>& arguments, int repetitions, double target = 5) {
  std::vector<double> seconds;
  std::vector<double> elapsed;
  std::vector<double> megabytes;
  for (int i = 0; i < repetitions; ++i) {
    const Cost cost = cost_of(sandbox, arguments);
    seconds.push_back(cost.seconds);
    elapsed.push_back(cost.elapsed);
    megabytes.push_back(cost.megabytes);
  }
  const auto [least, most] = std::ranges::minmax(seconds);
  fmt::print(
      "{:<30} {:>6.2f} s of a processor ({:.2f} to {:.2f}; target < {} s), {:>6.2f} s in all, {:>4.0f} MB "
      "(target < 500 MB)\n",
      what, stats::median(seconds), least, most, target, stats::median(elapsed), stats::median(megabytes));
  std::fflush(stdout);
}

std::size_t points_in(const std::filesystem::path& database) {
  const Store store = Store::open(database, Store::Access::read_only);
  std::size_t points = 0;
  for (const RunRow& run : store.runs()) points += store.point_count(run.id);
  return points;
}

void measure_merge(std::size_t stores, std::size_t points) {
  const test::Sandbox sandbox;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < stores; ++i) {
    files.push_back((sandbox.path() / fmt::format("{}.db", i)).string());
    Store store = Store::open(files.back());
    add_run(store, points);
  }
  const auto merge = [&](const std::string& name, std::size_t count) {
    const std::filesystem::path into = sandbox.path() / name;
    std::vector<std::string> command{"runs", "--db", into.string(), "merge"};
    command.insert(command.end(), files.begin(), files.begin() + static_cast<std::ptrdiff_t>(count));
    const Cost cost = cost_of(sandbox, command);
    fmt::print(
        "merge of {:>4} stores of {} points: {:>6.2f} s of a processor, {:>6.2f} s in all (target < 60 s "
        "for 100 of 1000), {:.0f} MB, {} points\n",
        count, points, cost.seconds, cost.elapsed, cost.megabytes, points_in(into));
    std::fflush(stdout);
  };
  for (const std::size_t share : {4U, 2U, 1U}) merge(fmt::format("all{}.db", share), stores / share);
  merge("all1.db", stores);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "merge") {
    measure_merge(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100,
                  argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1000);
    return 0;
  }
  const std::size_t points = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 3;
  const test::Sandbox sandbox;
  const std::filesystem::path database =
      argc > 3 ? std::filesystem::absolute(argv[3]) : sandbox.path() / "store.db";
  if (!std::filesystem::exists(database)) {
    Store store = Store::open(database);
    add_run(store, points);
  }
  fmt::print("{} points, {} samples each\n", points, samples_each);
  const auto file = [&](const std::string& name) { return (sandbox.path() / name).string(); };
  for (const char* form : {"html", "md", "csv", "json"}) {
    const std::string command =
        form == std::string("csv") || form == std::string("json") ? "export" : "report";
    measure(sandbox, fmt::format("{} --format {}", command, form),
            {command, "1", "--db", database, "--format", form, "-o", file(form)}, repetitions);
  }
  measure(sandbox, "show", {"show", "1", "--db", database}, repetitions, 0.2);
  measure(sandbox, "compare, the run with itself",
          {"compare", "1", "1", "--db", database, "-o", file("compare")}, repetitions);
  measure(sandbox, "history of one run", {"history", "--db", database, "-o", file("history")}, repetitions);
  return 0;
}
