// What `benchctl doctor` says: of made-up points for each verdict, and of a device of clockwork.
#include "selftest/doctor.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl;
using namespace benchctl::selftest;
using nlohmann::json;
using test::Sandbox;

namespace {

Lane a_card(DeviceType type = DeviceType::gpu) {
  Lane lane;
  lane.backend = "some";
  lane.device.id = "0";
  lane.device.name = "Some card";
  lane.device.type = type;
  return lane;
}

/// A point of `peaks` whose work was done at `per_second`.
Result probe(const std::string& name, double per_second) {
  Result stored;
  stored.row.point.workload = "peaks";
  stored.row.point.device = "some:0";
  stored.row.point.problem = {{"probe", name}};
  stored.row.point.status = Status::ok;
  (name.starts_with("fma") ? stored.row.cost.flops : stored.row.cost.bytes_read) = 1e9;
  if (name == "launch") stored.row.cost = {.accesses = 1};
  Measurement m;
  m.n_samples = 100;
  m.median_ns = (name == "launch" ? 1 : 1e9) / per_second * 1e9;
  m.p5_ns = 0.999 * m.median_ns;
  m.p95_ns = 1.001 * m.median_ns;
  stored.measurement = m;
  return stored;
}

const DatasheetPeaks peaks{{"dram", 1e12}, {"fma_f32", 10e12}};

Diagnosis find(const std::vector<Diagnosis>& all, const std::string& what) {
  const auto found = std::ranges::find(all, what, &Diagnosis::what);
  REQUIRE(found != all.end());
  return *found;
}

bool is_absent(const std::vector<Diagnosis>& all, const std::string& what) {
  return std::ranges::find(all, what, &Diagnosis::what) == all.end();
}

/// Of a read at that rate, beside a fast multiply-add, with readings.
Diagnosis of_read(double per_second, const Resources& readings = {}, double spread = 0.002,
                  const std::vector<KnownCards>& known = {}) {
  std::vector<Result> points{probe("fma_f32", 9e12), probe("dram_read", per_second)};
  points[0].resources = readings;
  points[0].measurement->p95_ns = points[0].measurement->p5_ns + spread * points[0].measurement->median_ns;
  return find(diagnose_lane(a_card(), points, peaks, known), "dram_read");
}

}  // namespace

TEST_CASE("a rate beside the datasheet: normal, or low with its likely cause") {
  CHECK(of_read(0.71e12).verdict == Verdict::normal);
  CHECK_THAT(of_read(0.71e12).expected, ContainsSubstring("71 % of the datasheet's 1000 GB/s"));
  CHECK(of_read(0.71e12).cause.empty());
  const Diagnosis low = of_read(0.69e12);
  CHECK(low.verdict == Verdict::low);
  CHECK_THAT(low.cause, ContainsSubstring("less memory bandwidth"));
  CHECK_FALSE(low.advice.empty());
  CHECK_THAT(of_read(0.5e12, {{"throttled_samples", 3}}).cause, ContainsSubstring("heat"));
  CHECK_THAT(of_read(0.5e12, {{"throttled_samples", 0}, {"power_capped_samples", 60}}).cause,
             ContainsSubstring("power limit"));
  // Few samples at the limit explain nothing.
  CHECK_THAT(of_read(0.5e12, {{"throttled_samples", 0}, {"power_capped_samples", 10}}).cause,
             ContainsSubstring("less memory bandwidth"));
  CHECK_THAT(of_read(0.5e12, {}, 0.2).cause, ContainsSubstring("something else uses the device"));
}

TEST_CASE("arithmetic has its own peak, and a launch has none") {
  std::vector<Result> points{probe("fma_f32", 7.9e12), probe("launch", 1e5), probe("fma_f32", 6e12)};
  const auto all = diagnose_lane(a_card(), points, peaks, {});
  const Diagnosis fma = find(all, "fma_f32");
  CHECK(fma.verdict == Verdict::low);
  CHECK(fma.figures.at("per_second") == Approx(7.9e12));  // the best of its points
  CHECK_THAT(fma.cause, ContainsSubstring("less arithmetic"));
  const Diagnosis launch = find(all, "launch");
  CHECK(launch.found == "10.00 µs");
  CHECK(launch.verdict == Verdict::unknown);
  CHECK_THAT(launch.advice, ContainsSubstring("--db"));
}

TEST_CASE("cards of the same kind count more than the datasheet") {
  const std::vector<KnownCards> known = parse_known_cards(
      R"({"known": [{"backend": "some", "device": "Some card", "cards": 2,
                     "per_second": {"dram_read": [900e9, 950e9]}},
                    {"backend": "some", "device": "Some card", "cards": 1,
                     "per_second": {"fma_f32": [5e12, 5e12]}},
                    {"backend": "other", "device": "Some card", "cards": 9,
                     "per_second": {"dram_read": [1, 2]}}]})");
  CHECK(of_read(0.88e12, {}, 0.002, known).verdict == Verdict::normal);
  const Diagnosis low = of_read(0.87e12, {}, 0.002, known);
  CHECK(low.verdict == Verdict::low);
  CHECK_THAT(low.expected, ContainsSubstring("2 of its kind: 900.0 GB/s to 950.0 GB/s"));
  CHECK(low.figures.at("known_low_per_second") == 900e9);
  const std::vector<Result> points{probe("fma_f32", 9e12)};
  CHECK(find(diagnose_lane(a_card(), points, {}, known), "fma_f32").expected ==
        "1 of its kind: 5000 GFLOP/s");
  CHECK_THROWS_WITH(parse_known_cards("{"), ContainsSubstring("known cards cannot be read"));
  CHECK_THROWS_WITH(parse_known_cards(R"({"known": [{"backend": 3}]})"),
                    ContainsSubstring("known cards cannot be read"));
}

TEST_CASE("a clock below the highest that the device has explains a low rate") {
  Lane card = a_card();
  const auto cause = [&](double mhz) {
    std::vector<Result> points{probe("fma_f32", 7e12)};
    points[0].resources = {{"sm_clock", mhz}};
    return find(diagnose_lane(card, points, peaks, {}), "fma_f32").cause;
  };
  CHECK_THAT(cause(500), ContainsSubstring("less arithmetic"));  // nothing to hold it against
  card.device.properties["max_clock_mhz"] = "2000";
  CHECK_THAT(cause(1810), ContainsSubstring("less arithmetic"));
  CHECK_THAT(cause(1790), ContainsSubstring("highest clock"));
}

TEST_CASE("throttling is told where an observer looks") {
  const auto heat = [](const Resources& readings) {
    std::vector<Result> points{probe("fma_f32", 9e12)};
    points[0].resources = readings;
    return diagnose_lane(a_card(), points, peaks, {});
  };
  CHECK(find(heat({{"throttled_samples", 0}}), "throttling").verdict == Verdict::normal);
  const Diagnosis hot = find(heat({{"throttled_samples", 7}}), "throttling");
  CHECK(hot.verdict == Verdict::low);
  CHECK(hot.found == "7 of 100 samples");
  CHECK_THAT(hot.advice, ContainsSubstring("air"));
  CHECK(is_absent(heat({}), "throttling"));
}

TEST_CASE("noise: of processors more is usual, and its cause is named where a reading tells") {
  const auto noise = [](double spread, DeviceType type, const Resources& readings = {}) {
    std::vector<Result> points{probe("dram_read", 8e11), probe("fma_f32", 9e12)};
    points[0].measurement->p95_ns = 2 * points[0].measurement->median_ns;  // memory scatters anyway
    points[1].measurement->p95_ns =
        points[1].measurement->p5_ns + spread * points[1].measurement->median_ns;
    points[1].resources = readings;
    return find(diagnose_lane(a_card(type), points, peaks, {}), "noise");
  };
  CHECK(noise(0.019, DeviceType::gpu).verdict == Verdict::normal);
  CHECK(noise(0.021, DeviceType::gpu).verdict == Verdict::noisy);
  CHECK(noise(0.021, DeviceType::cpu).verdict == Verdict::normal);
  const Diagnosis stolen = noise(0.1, DeviceType::cpu, {{"steal_ns", 2e9}, {"context_switches", 5}});
  CHECK(stolen.verdict == Verdict::noisy);
  CHECK_THAT(stolen.cause, ContainsSubstring("the hypervisor took 2.000 s of the processors' time"));
  CHECK_THAT(noise(0.1, DeviceType::cpu, {{"context_switches", 5}}).cause,
             ContainsSubstring("interrupted it 5 times"));
}

TEST_CASE("a probe that fails is a line, one that is ruled out is none") {
  Result failed = probe("dram_copy", 1);
  failed.measurement.reset();
  failed.row.point.status = Status::launch_error;
  failed.row.point.reason = "sampling: scripted\nmore";
  Result skipped = probe("shared", 1);
  skipped.measurement.reset();
  skipped.row.point.status = Status::skipped;
  const auto all = diagnose_lane(a_card(), std::vector{failed, skipped}, peaks, {});
  const Diagnosis copy = find(all, "dram_copy");
  CHECK(copy.verdict == Verdict::failed);
  CHECK_THAT(copy.cause, ContainsSubstring("sampling: scripted"));
  CHECK(is_absent(all, "shared"));
}

TEST_CASE("the machine: load, governor, quota") {
  const auto machine = [](const std::string& load, const std::string& governor) {
    return diagnose_machine({{{"cpu.usable", "4"}, {"system.load", load}, {"cpu.governor", governor}}});
  };
  CHECK(find(machine("0.90 0.5 0.2", "performance"), "load").verdict == Verdict::normal);
  const Diagnosis busy = find(machine("1.10 0.5 0.2", "performance"), "load");
  CHECK(busy.verdict == Verdict::noisy);
  CHECK_THAT(busy.advice, ContainsSubstring("stop other programs (top)"));
  CHECK(find(machine("0", "performance"), "governor").verdict == Verdict::normal);
  CHECK(find(machine("0", "powersave"), "governor").verdict == Verdict::low);
  CHECK(machine("unknown", "unknown").empty());
  Environment limited;
  limited.entries = {{"cpu.quota", "none"}};
  CHECK(diagnose_machine(limited).empty());
  limited.entries = {{"cpu.quota", "0.5 processors"}};
  const Diagnosis quota = find(diagnose_machine(limited), "quota");
  CHECK(quota.verdict == Verdict::low);
  CHECK_THAT(quota.cause, ContainsSubstring("control group"));
}

namespace {

using Settings = std::map<std::string, std::string>;

/// A sandbox in which the clockwork is the only plugin of the tests, and what its doctor says.
class Examined : public Sandbox {
 public:
  explicit Examined(const Settings& settings) {
    set("BENCHCTL_PLUGIN_PATH", (test::tree_root() / "libexec/benchctl/tests/selftest_plugins").string());
    for (const auto& [name, value] : settings) set(name, value);
    static_cast<void>(write("small.toml",
                            "[experiment]\nname = 'small'\nroofs = 'none'\n[measure]\nmax_seconds = 0.5\n"
                            "[[sweep]]\nworkload = 'peaks'\nvariants = ['copy']\n"
                            "parameters = { probe = 'dram_copy', bytes = 65536 }\n"));
    const test::Outcome outcome =
        call({"doctor", "--backend", "clockwork", "--config", "./small.toml", "--format", "json"});
    INFO(outcome.err);
    exit_code = outcome.exit_code;
    const json document = json::parse(outcome.out);
    for (const json& diagnosis : document.at("diagnoses")) {
      if (diagnosis.at("device") == "clockwork:0" || diagnosis.at("device") == "clockwork")
        lines[diagnosis.at("what")] = diagnosis;
    }
  }

  int exit_code = 0;
  std::map<std::string, json> lines;
};

}  // namespace

TEST_CASE("the doctor finds the clockwork well") {
  const Examined well(Settings{{"CLOCKWORK_GBS", "80"}});
  CHECK(well.exit_code == 0);
  CHECK(well.lines.at("dram_copy").at("verdict") == "normal");
  CHECK_THAT(well.lines.at("dram_copy").at("expected").get<std::string>(),
             ContainsSubstring("of the datasheet's 100.0 GB/s"));
  CHECK(well.lines.at("noise").at("verdict") == "normal");
  CHECK_FALSE(std::filesystem::exists(well.path() / "store.db"));
}

TEST_CASE("the doctor's words for people: a verdict, what is not normal, and the rest in one line") {
  const std::vector<std::string> doctor{"doctor", "--backend", "clockwork", "--config", "./small.toml"};
  const Examined slow(Settings{{"CLOCKWORK_GBS", "50"}});
  const std::string text = slow.call(doctor).out;
  // The machine may be busy.
  CHECK((text.starts_with("Fit to measure.\n") || text.starts_with("Not fit to measure: load ")));
  CHECK_THAT(text, ContainsSubstring("\nclockwork:0: dram_copy ") &&
                       ContainsSubstring("): less memory bandwidth than expected") &&
                       ContainsSubstring(". Check whether the device is shared"));
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  CHECK_THAT(last, ContainsSubstring(" normal"));
  // What has nothing to be compared with is named there, and has no line of its own.
  for (const auto& [what, line] : slow.lines) {
    if (line.at("verdict") != "unknown") continue;
    CHECK_THAT(last, ContainsSubstring("nothing to be compared with: ") && ContainsSubstring(what));
    CHECK_THAT(text, !ContainsSubstring("clockwork:0: " + what));
  }
  CHECK_THAT(Examined(Settings{{"CLOCKWORK_GBS", "80"}, {"CLOCKWORK_NOISE", "0.2"}}).call(doctor).out,
             ContainsSubstring("Not fit to measure: ") && ContainsSubstring("clockwork:0: noise "));
  const test::Outcome failing = Examined(Settings{{"CLOCKWORK_GBS", "0"}}).call(doctor);
  CHECK(failing.exit_code == 1);
  CHECK_THAT(failing.out,
             ContainsSubstring("Not fit to measure: ") && ContainsSubstring("clockwork:0: dram_copy "));
  CHECK_THAT(Examined(Settings{{"CLOCKWORK_ABSENT", "1"}}).call(doctor).out,
             ContainsSubstring("Not fit to measure: ") &&
                 ContainsSubstring("\nclockwork: the clockwork is not wound up. Install or start"));
  const Sandbox sandbox;
  CHECK_THAT(sandbox.call({"doctor", "--known-cards", "none.json"}).err,
             ContainsSubstring("there is no file none.json"));
  CHECK_THAT(sandbox.call({"doctor", "--backend", "fkae"}).err, ContainsSubstring("did you mean 'fake'?"));
}
