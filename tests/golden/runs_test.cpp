// Three kinds of runs by the scripted plugin and a scripted clock, in every form in which a run is written.
#include "engine/coordinator.hpp"
#include "model/json.hpp"
#include "report/export.hpp"
#include "report/page.hpp"
#include "store/fixtures.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/program.hpp"
#include "support/scripted_channel.hpp"
#include "sweep/validate.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

/// What differs from run to run and from machine to machine, by its place in the store.
constexpr const char* masked =
    "UPDATE runs SET config_hash = 'hash', version = '0.0.0',"
    " created_at = '2026-01-01T00:00:0' || id || 'Z', finished_at = '2026-01-01T00:00:1' || id || 'Z',"
    " environment_json = '[{\"key\":\"cpu.model\",\"value\":\"a processor\",\"class\":\"must_match\"}]';"
    "UPDATE points SET content_key = 'key ' || ordinal;"
    "UPDATE samples SET stored_at = '2026-01-01T00:00:00Z';"
    "UPDATE events SET time = '2026-01-01T00:00:00Z';"
    "UPDATE resources SET value = 1 WHERE metric IN ('prepare_ns');"
    "UPDATE verifications SET error_norm = 1e-7, worst_error = 1e-6;";

struct Script {
  double now = 0;
  std::uint64_t random = 1;
  double twin_factor = 1;

  /// From 0.99 to 1.01, of whole numbers alone: the same on every machine.
  double scatter() {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(99'000 + (random >> 33U) % 2'001) / 1e5;
  }
};

void replace_samples(json& answer, const std::string& variant, Script& script) {
  auto reply = decode<SampleReply>(answer);
  reply.verification.reset();
  reply.observed.absent.clear();
  std::vector<double> ticks;
  for (double& ns : reply.block.ns) {
    ns = std::round(ns * script.scatter() * (variant == "twin" ? script.twin_factor : 1));
    script.now += ns * 1e-9 * reply.block.batch;
    ticks.push_back(static_cast<double>(ticks.size() + 1));
  }
  reply.block.readings = {{"fake_level", {5}}, {"fake_ticks", ticks}};
  answer = encode(reply);
}

/// Whatever the machine's own clock has a say in is replaced.
ChannelScript channel_of(Script& script) {
  return [&script, variants = std::map<std::uint64_t, std::string>()](Verb verb, const json& arguments,
                                                                      const auto& pass) mutable {
    script.now += 0.001;
    if (verb == verbs::Prepare::verb) {
      const std::string variant = arguments.at("candidates").at(0).at("variant");
      if (variant == "crash") throw WorkerLost(Status::crashed, "the worker ended by signal 11");
      if (variant == "hang") throw WorkerLost(Status::timeout, "no answer within 120 s");
      variants[arguments.at("id")] = variant;
    }
    json answer = pass();
    if (verb == verbs::Audit::verb) {
      auto reply = decode<AuditReply>(answer);
      const double ns = arguments.at("execution_ns");
      reply.host = HostTimes{.claimed_ns = ns};
      reply.executions = {{AuditKind::fresh, ns}};
      answer = encode(reply);
    }
    if (verb == verbs::Sample::verb) replace_samples(answer, variants[arguments.at("prepared")], script);
    return answer;
  };
}

/// One store for all.
class Runs {
 public:
  /// Measures what the config says, as a new run.
  void add(const std::string& config_text, double twin_factor = 1) {
    setenv("BENCHCTL_LOCK_FILE", (sandbox.path() / "lock").c_str(), 1);
    const PluginTable plugins = loaded_plugins(host_);
    Script script;
    script.twin_factor = twin_factor;
    ScriptedFactory factory(host_, [&script] { return channel_of(script); });
    Catalogue catalogue = make_catalogue(plugins);
    for (BackendEntry& backend : catalogue.backends) {
      for (VariantInfo& variant : backend.variants) variant.vendor = variant.name == "twin";
    }
    const LaneTable lanes = probe_lanes(plugins, factory, {"fake"}, 10);
    const Config config = parse_config(config_text, "golden.toml");
    REQUIRE(validate(config, catalogue).empty());
    RunOptions options;
    options.store = file;
    options.folder = sandbox.path();
    options.command = "benchctl run golden.toml";
    options.fresh = true;
    options.offline_compile = false;
    options.clock = [&] { return script.now; };
    options.proc = proc_.path();
    Progress progress;
    last = run_points(config, expand(config, catalogue, lanes), lanes, catalogue, plugins, factory, options,
                      progress);
    execute(file, masked);
  }

  /// The same of documents: this program's version, when they were written, and the store's folder.
  void check(const std::string& name, const std::string& text) const {
    static const std::regex field(R"re(("(benchctl|generated)": *)"[^"]*")re");
    const std::regex folder(sandbox.path().string() + "/");
    const std::string same = std::regex_replace(text, field, "$1\"masked\"");
    check_golden(name, std::regex_replace(same, folder, ""));
  }
  /// What the program writes.
  void check_output(const std::string& name, const std::vector<std::string>& arguments) const {
    const Outcome outcome = sandbox.call(arguments);
    INFO(arguments[0] << ": " << outcome.err);
    CHECK(outcome.out != "");
    check(name, outcome.out);
  }

  Sandbox sandbox;
  std::filesystem::path file = sandbox.path() / "store.db";
  RunOutcome last;

 private:
  PluginHost host_ = PluginHost::load({test_plugin_directory()});
  TemporaryDirectory proc_;
};

/// Every form of one run.
void check_forms(const Runs& runs, const std::string& name) {
  const std::string run = fmt::format("{}", static_cast<std::int64_t>(runs.last.run));
  runs.check_output(name + ".show.txt", {"show", run, "--all", "--published"});
  runs.check_output(name + ".export.csv", {"export", run, "--format", "csv"});
  runs.check_output(name + ".export.json", {"export", run, "--format", "json", "--samples"});
  runs.check_output(name + ".report.md", {"report", run, "--format", "md"});
  const Store store = Store::open(runs.file, Store::Access::read_only);
  const ReportSource source{&store, runs.last.run};
  runs.check(name + ".page.json", page_data(make_report(std::span(&source, 1)), {}));
}

const std::string sweep = R"([experiment]
name = "sweep"
title = "Two sizes"
question = "ns"
[measure]
seed = 1
max_samples = 40
min_samples = 20
span_seconds = 0
[[sweep]]
workload = "matmul"
backends = ["fake"]
variants = ["steady", "twin"]
parameters = { n = [8, 16], ns = [100_000, 200_000] }
[[sweep]]
workload = "matmul"
backends = ["fake"]
variants = ["steady"]
parameters = { n = 8, block = 2048 }
[[published]]
source = "an article"
hardware = "old card"
unit = "ms"
match = { workload = "matmul", variant = "steady", n = 8 }
axis = "ns"
values = [[100_000, 0.2], [200_000, 0.3]]
)";

const std::string paired = R"([experiment]
name = "paired"
[measure]
seed = 2
mode = "paired"
replicates = 2
max_samples = 8
min_samples = 4
span_seconds = 0
[[sweep]]
workload = "matmul"
backends = ["fake"]
variants = ["steady", "slower"]
parameters = { n = 8, ns = [100_000, 100_200] }
[compare]
baseline = { variant = "steady", ns = 100_000 }
)";

const std::string failures = R"([experiment]
name = "failures"
[measure]
seed = 3
samples = 3
[[sweep]]
workload = "matmul"
backends = ["fake"]
variants = ["steady", "throws", "wrong", "silent", "clobber", "unsupported", "source", "crash", "hang"]
parameters = { n = 8 }
[[sweep]]
workload = "matmul"
backends = ["fake"]
variants = ["steady"]
parameters = { n = 13 }
)";

}  // namespace

TEST_CASE("a sweep and its repetition with a slower variant, in every form") {
  Runs runs;
  runs.add(sweep);
  check_forms(runs, "sweep");
  runs.add(sweep, 1.05);
  for (const Writer& writer : writers()) {
    if (writer.comparison == nullptr) continue;
    const std::string id(writer.format);
    const std::string name = "compare." + id;
    std::vector<std::string> arguments{"compare", "1", "2", "--process-spread", "0.002"};
    if (writer.for_ci.empty()) {
      arguments.insert(arguments.end(), {"--format", id});
      runs.check_output(name, arguments);
      continue;
    }
    if (id == "summary") continue;  // the same as `md`
    arguments.insert(arguments.end(), {"--" + id, name});
    REQUIRE(runs.sandbox.call(arguments).exit_code == 3);
    runs.check(name, runs.sandbox.read(name));
  }
  for (const std::string format : {"text", "json"})
    runs.check_output("history." + format, {"history", "--format", format});
  runs.check_output("runs.txt", {"runs"});
}

TEST_CASE("a paired run of two processes, in every form") {
  Runs runs;
  runs.add(paired);
  check_forms(runs, "paired");
  const Store store = Store::open(runs.file, Store::Access::read_only);
  std::string lines;
  for (const Result& point : store.results(runs.last.run)) lines += stream_point(store, point.row.id);
  runs.check("paired.stream.jsonl", lines);
}

TEST_CASE("a run with every failure, in every form") {
  Runs runs;
  runs.add(failures);
  check_forms(runs, "failures");
}
