// Eight scripted cards at once: what is measured together, what stays alone, and when it is not done at
// all. Workers are real processes; what neighbours do to each other is scripted, so that the machine's
// speed plays no part.
#include "engine/parallel.hpp"
#include "engine/host.hpp"
#include "engine/run_record.hpp"
#include "model/json.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/silent_progress.hpp"
#include "sweep/validate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// What goes on in all workers.
struct Traffic {
  double disturbance = 0;  ///< what a card that has neighbours takes longer, as a share
  std::string dies_on;     ///< the device whose worker dies after the comparison
  bool rendezvous = true;  ///< blocks wait a moment for others: so that they meet at all
  std::mutex mutex;
  std::condition_variable changed;
  std::set<bool*> in_flight;        ///< "had company" of each block of samples
  std::size_t met = 0;              ///< blocks that had company
  std::size_t met_later = 0;        ///< after the rendezvous
  int blocks = 0;                   ///< of that device, since then
  std::vector<std::string> broken;  ///< rules that were
  double seconds = 0;               ///< of the scripted clock
};

class CrowdedChannel : public Channel {
 public:
  CrowdedChannel(std::unique_ptr<Channel> channel, Traffic& traffic)
      : channel_(std::move(channel)), traffic_(traffic) {}

  json call(Verb verb, const json& arguments, std::chrono::duration<double> timeout) override {
    if (verb == Verb::open) device_ = arguments.at("device").at("id").get<std::string>();
    if (verb == Verb::sample) return sample(arguments, timeout);
    if (verb == Verb::reference) {
      const std::scoped_lock lock(traffic_.mutex);
      if (!traffic_.in_flight.empty()) traffic_.broken.push_back("a reference beside samples");
    }
    json answer = channel_->call(verb, arguments, timeout);
    const std::scoped_lock lock(traffic_.mutex);
    traffic_.seconds += 0.01;
    return answer;
  }

 private:
  json sample(const json& arguments, std::chrono::duration<double> timeout) {
    bool company = false;
    {
      std::unique_lock lock(traffic_.mutex);
      if (device_ == traffic_.dies_on && !traffic_.rendezvous && ++traffic_.blocks == 5) {
        throw WorkerLost(Status::crashed, "scripted: it fell off the bus");
      }
      company = !traffic_.in_flight.empty();
      for (bool* other : traffic_.in_flight) *other = true;
      traffic_.in_flight.insert(&company);
      traffic_.changed.notify_all();
      if (traffic_.rendezvous) {
        traffic_.changed.wait_for(lock, std::chrono::milliseconds(10), [&] { return company; });
      }
    }
    json answer = channel_->call(Verb::sample, arguments, timeout);
    const std::scoped_lock lock(traffic_.mutex);
    traffic_.in_flight.erase(&company);
    traffic_.seconds += 0.1;
    traffic_.met += company ? 1 : 0;
    traffic_.met_later += company && !traffic_.rendezvous ? 1 : 0;
    if (company && device_ == "0") traffic_.broken.push_back("processors beside a card");
    if (company && device_ == "3") {
      for (json& ns : answer.at("ns")) ns = ns.get<double>() * (1 + traffic_.disturbance);
    }
    return answer;
  }

  std::unique_ptr<Channel> channel_;
  Traffic& traffic_;
  std::string device_;
};

class CrowdedFactory : public ChannelFactory {
 public:
  explicit CrowdedFactory(Traffic& traffic) : processes_(test::program()), traffic_(traffic) {}
  [[nodiscard]] std::unique_ptr<Channel> start(
      const std::vector<std::filesystem::path>& libraries) override {
    return std::make_unique<CrowdedChannel>(processes_.start(libraries), traffic_);
  }

 private:
  ProcessChannelFactory processes_;
  Traffic& traffic_;
};

class Listener : public test::SilentProgress {
 public:
  explicit Listener(Traffic& traffic) : traffic_(traffic) {}
  void message(const std::string& text) override {
    if (!text.starts_with("neighbours compared")) return;
    const std::scoped_lock lock(traffic_.mutex);
    traffic_.rendezvous = false;
  }

 private:
  Traffic& traffic_;
};

struct EightCards {
  EightCards() {
    setenv("BENCHCTL_FAKE_DEVICES", "9", 1);  // the first is a processor
    setenv("BENCHCTL_FAKE_SLOTS", "1", 1);
    setenv("BENCHCTL_LOCK_FILE", (folder.path() / "lock").c_str(), 1);
  }
  EightCards(const EightCards&) = delete;
  EightCards& operator=(const EightCards&) = delete;
  ~EightCards() {
    unsetenv("BENCHCTL_FAKE_DEVICES");
    unsetenv("BENCHCTL_FAKE_SLOTS");
  }

  void run(const std::string& text, const std::vector<std::string>& devices = {},
           std::optional<double> budget = {}) {
    CrowdedFactory factory(traffic);
    const PluginTable plugins = read_plugins({test::test_plugin_directory()}, factory, {});
    const Catalogue catalogue = make_catalogue(plugins);
    LaneTable lanes = probe_lanes(plugins, factory, {"fake"}, 10);
    if (!devices.empty()) {
      std::erase_if(lanes.at(0).lanes, [&](const Lane& lane) {
        return std::ranges::find(devices, lane.device.id) == devices.end();
      });
    }
    const Config config = parse_config(text, "fleet.toml");
    REQUIRE_FALSE(has_errors(validate(config, catalogue)));
    RunOptions options;
    options.store = folder.path() / "store.db";
    options.folder = folder.path();
    options.parallel_devices = true;
    options.budget_seconds = budget;
    options.clock = [this] {
      const std::scoped_lock lock(traffic.mutex);
      return traffic.seconds;
    };
    Listener progress(traffic);
    traffic.rendezvous = true;
    outcome = run_points(config, expand(config, catalogue, lanes), lanes, catalogue, plugins, factory,
                         options, progress);
    const Store store = Store::open(options.store, Store::Access::read_only);
    points = store.results(outcome.run);
    events.clear();
    for (const EventRow& event : store.events(outcome.run)) events += event.text + '\n';
    CHECK(traffic.broken == std::vector<std::string>{});
  }
  [[nodiscard]] std::size_t count(Status status) const {
    return outcome.counts.contains(status) ? outcome.counts.at(status) : 0;
  }
  [[nodiscard]] std::size_t noted() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        points, [](const StoredPoint& point) { return point.notes.contains("parallel"); }));
  }

  test::TemporaryDirectory folder;
  Traffic traffic;
  RunOutcome outcome;
  std::vector<StoredPoint> points;
  std::string events;
};

const std::string two_problems =
    test::fake_config("variants = [\"steady\"]", "n = [8, 16]\nns = [1000000]", "samples = 8\nseed = 1");

}  // namespace

TEST_CASE("cards whose neighbours do not disturb them are measured at once, the processor alone") {
  EightCards machine;
  machine.run(two_problems);
  INFO(machine.events);
  CHECK(machine.count(Status::ok) == 18);
  CHECK(machine.noted() == 16);
  CHECK(machine.traffic.met > 0);
  CHECK_THAT(machine.events, ContainsSubstring("neighbours compared: pci:0000:01:00.0 takes 1.0000") &&
                                 ContainsSubstring("8 cards are measured at once"));
  for (const StoredPoint& point : machine.points) {
    REQUIRE(point.measurement);
    CHECK(point.measurement->n_samples == 8);
    CHECK(point.measurement->median_ns == 1e6);
    CHECK(point.notes.contains("parallel") == (point.row.point.device != "fake:0"));
  }
}

TEST_CASE("cards that disturb each other are measured one at a time, with the figures") {
  EightCards machine;
  machine.traffic.disturbance = 0.05;
  machine.run(two_problems);
  INFO(machine.events);
  CHECK(machine.count(Status::ok) == 18);
  CHECK(machine.noted() == 0);
  CHECK(machine.traffic.met_later == 0);
  CHECK_THAT(machine.events, ContainsSubstring("measured one at a time: pci:0000:03:00.0 takes 1.05") &&
                                 ContainsSubstring("its neighbours disturb it"));
  for (const StoredPoint& point : machine.points) CHECK(point.measurement.value().median_ns == 1e6);
}

TEST_CASE("pairs stay in turns on their card, and a worker that dies costs its card's point alone") {
  EightCards machine;
  machine.traffic.dies_on = "5";
  const std::string parameters = "n = [8]\nns = [1000000]";
  machine.run(test::fake_config("variants = [\"steady\", \"slower\"]", parameters,
                                "samples = 40\nseed = 1\nmode = \"paired\""),
              {"5", "6"});
  INFO(machine.events);
  CHECK_THAT(machine.events, ContainsSubstring("2 cards are measured at once"));
  CHECK(machine.count(Status::crashed) == 1);
  CHECK(machine.count(Status::ok) == 3);
  for (const StoredPoint& point : machine.points) {
    if (point.row.point.device != "fake:6" || !point.comparison) continue;
    CHECK(point.comparison->rounds >= 6);
    CHECK(point.comparison->verdict == "slower");
  }
}

TEST_CASE("a budget ends cards together, and the same command goes on without doing a point twice") {
  EightCards machine;
  const std::string many = test::fake_config(
      "variants = [\"steady\"]", "n = [8]\nns = [1000000]\ntile = [1, 2, 3, 4]", "samples = 8\nseed = 1");
  machine.run(many, {"1", "2", "3"}, 12);
  INFO(machine.events);
  const RunId first = machine.outcome.run;
  REQUIRE(machine.outcome.out_of_budget);
  const std::size_t done = machine.count(Status::ok);
  CHECK(done > 0);
  CHECK(done < 12);
  machine.run(many, {"1", "2", "3"});
  CHECK(machine.outcome.run == first);
  CHECK(machine.count(Status::ok) == 12);
  for (const StoredPoint& point : machine.points) {
    CHECK(point.measurement.value().n_samples == 8);
    std::size_t used = 0;
    for (const SampleRow& row : Store::open(machine.folder.path() / "store.db").samples(point.row.id)) {
      used += row.used ? row.block.ns.size() : 0;
    }
    CHECK(used == 8);
  }
}

TEST_CASE("where there is one card, or none, the reason is an event and the rest is as always") {
  EightCards machine;
  machine.run(two_problems, {"0", "4"});
  CHECK(machine.count(Status::ok) == 4);
  CHECK_THAT(machine.events,
             ContainsSubstring("one at a time: pci:0000:04:00.0 is the only card that is; these "
                               "need quiet processors: fake:0"));
}

TEST_CASE("what is compared in pairs, and what the host's clock times, is not dealt out to cards") {
  LaneTable lanes(1);
  lanes[0].backend = "fake";
  std::vector<RunPoint> points;
  for (int i = 0; i < 3; ++i) {
    Lane lane;
    lane.backend = "fake";
    lane.device.id = std::to_string(i);
    lane.device.type = i == 0 ? DeviceType::cpu : DeviceType::gpu;
    lane.device.physical = "pci:" + lane.device.id;
    lanes[0].lanes.push_back(lane);
    RunPoint entry;
    entry.point.device = lane.name();
    points.push_back(entry);
  }
  const std::vector<Group> groups{{"matmul", {}, "", {0, 1, 2}}};
  DealtGroups dealt = deal_groups(groups, points, lanes, {}, {});
  CHECK(dealt.of_cards.size() == 2);
  CHECK(dealt.of_cards.at("pci:2").at(0).points == std::vector<std::size_t>{2});
  CHECK(dealt.alone.at(0).points == std::vector<std::size_t>{0});
  points[2].point.measure.basis = Basis::host_sync;
  dealt = deal_groups(groups, points, lanes, {}, {});
  CHECK(dealt.of_cards.size() == 1);
  CHECK(dealt.alone.at(0).points == std::vector<std::size_t>{0, 2});
  // Without a baseline in the config each lane's first point is that of the others on it.
  points[2].point.measure.basis = Basis::device;
  for (RunPoint& entry : points) entry.point.measure.mode = RoundMode::paired;
  CHECK(deal_groups(groups, points, lanes, {}, {}).of_cards.size() == 2);
  CompareSettings held_against_one;
  held_against_one.baseline = {{"device", std::string("fake:1")}};
  dealt = deal_groups(groups, points, lanes, {}, held_against_one);
  CHECK(dealt.of_cards.empty());
  CHECK(dealt.alone.at(0).points == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("neighbours that disturb by three per cent are found, those that do not are let through") {
  std::size_t let_through = 0;
  std::size_t caught = 0;
  constexpr std::size_t tries = 100;
  for (std::uint64_t seed = 1; seed <= tries; ++seed) {
    for (const double disturbance : {0.0, 0.03}) {
      std::mt19937_64 random(seed);
      std::lognormal_distribution<double> scatter(0, 0.004);
      const auto alone = [&](std::size_t) { return 1e6 * scatter(random); };
      const auto together = [&] {
        std::vector<double> times;
        for (std::size_t i = 0; i < 8; ++i) times.push_back(alone(i) * (i == 6 ? 1 + disturbance : 1));
        return times;
      };
      const auto found = compare_neighbours(8, 0.01, alone, together, [] { return false; });
      const bool same = std::ranges::all_of(
          found, [](const Neighbourhood& one) { return one.verdict == stats::Verdict::same; });
      let_through += disturbance == 0 && same ? 1 : 0;
      caught += disturbance > 0 && found[6].verdict == stats::Verdict::slower ? 1 : 0;
      CHECK_FALSE((disturbance > 0 && same));
    }
  }
  CHECK(let_through >= 90);
  CHECK(caught >= 90);
}
