// Workers that die from outside cost nothing: another one does their work. Those that die of the work cost
// that piece of work alone.
#include "engine/compile_pool.hpp"
#include "engine/host.hpp"
#include "engine/references.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/scripted_channel.hpp"
#include "workloads/blas.hpp"
#include "workloads/workload.hpp"

#include <atomic>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace benchctl;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Workers without processes, of which the first `deaths` die in a verb.
class MortalFactory : public test::ScriptedFactory {
 public:
  MortalFactory(const PluginHost& plugins, Verb verb, int deaths)
      : ScriptedFactory(plugins,
                        [this, verb] {
                          return [this, verb](Verb asked, const json& /*arguments*/, const auto& pass) {
                            if (asked != verb) return pass();
                            if (deaths_-- > 0) throw WorkerLost(ending, "signal 9 (Killed)");
                            return answer ? *answer : pass();
                          };
                        }),
        deaths_(deaths) {}
  [[nodiscard]] std::unique_ptr<Channel> start(const std::vector<fs::path>& libraries) override {
    loaded.push_back(libraries);
    return ScriptedFactory::start(libraries);
  }

  std::vector<std::vector<fs::path>> loaded;  ///< by each worker that was started
  Status ending = Status::crashed;
  std::optional<json> answer;  ///< answer to the verb, in place of the right one

 private:
  std::atomic<int> deaths_;
};

struct Fake {
  PluginHost host = PluginHost::load({test::test_plugin_directory()});
  PluginTable table = loaded_plugins(host);
  fs::path library = test::test_plugin_directory() / "libbenchctl_fake.so";
};

json compiled_in(double ns) { return encode(CompileReply{{}, "", ns}); }

Point reduction() {
  Point point;
  point.workload = "reduce";
  point.problem =
      Workloads::built_in()
          .find("reduce")
          ->problem({{"n", std::int64_t{1000}}, {"dtype", std::string("f32")}, {"op", std::string("sum")}},
                    "")
          .parameters;
  return point;
}

}  // namespace

TEST_CASE("a probe whose worker is killed is asked again, and in the end failed: never a missing device") {
  const Fake fake;
  MortalFactory factory(fake.host, verbs::Probe::verb, most_starts - 1);
  const LaneTable found = probe_lanes(fake.table, factory, {"fake"}, 10);
  REQUIRE(found.size() == 1);
  CHECK(found[0].lanes.size() == 1);
  CHECK_FALSE(are_lanes_unknown(found));
  CHECK(factory.loaded == std::vector(most_starts, std::vector{fake.library}));

  MortalFactory deadly(fake.host, verbs::Probe::verb, 1000);
  const LaneTable lost = probe_lanes(fake.table, deadly, {"fake"}, 10);
  CHECK(deadly.loaded.size() == most_starts);
  CHECK(lost[0].lanes.empty());
  CHECK(lost[0].status == Status::crashed);
  CHECK(are_lanes_unknown(lost));
  CHECK_THAT(remarks_of(lost).at(0), ContainsSubstring("'fake'") && ContainsSubstring("Killed"));

  MortalFactory hanging(fake.host, verbs::Probe::verb, 1000);
  hanging.ending = Status::timeout;
  CHECK(probe_lanes(fake.table, hanging, {"fake"}, 10)[0].status == Status::timeout);
  CHECK(hanging.loaded.size() == 1);  // waited for once is enough
}

TEST_CASE(
    "a library that hangs while it is described is asked once and refused; a killed worker is replaced") {
  const Fake fake;
  const auto read = [&](Status ending, int deaths) {
    MortalFactory factory(fake.host, verbs::Describe::verb, deaths);
    factory.ending = ending;
    const PluginTable table = read_plugins({test::test_plugin_directory()}, factory, {});
    const auto asked = std::ranges::count(factory.loaded, std::vector{fake.library});
    for (const RefusedPlugin& refused : table.refused()) CHECK(refused.library == fake.library);
    return std::pair(asked, table.refused().size());
  };
  CHECK(read(Status::timeout, 1) == std::pair<std::ptrdiff_t, std::size_t>(1, 1));
  CHECK(read(Status::crashed, most_starts - 1) == std::pair<std::ptrdiff_t, std::size_t>(most_starts, 0));
  CHECK(read(Status::crashed, most_starts) == std::pair<std::ptrdiff_t, std::size_t>(most_starts, 1));
}

TEST_CASE("an answer of another shape is the worker's failure") {
  const Fake fake;
  for (const json& answer :
       {json::object(), json::array({1, 2}), json("text"), json(nullptr),
        json{{"devices", 7}, {"unavailable", ""}}, json{{"devices", {{{"id", 1}}}}, {"unavailable", ""}}}) {
    MortalFactory factory(fake.host, verbs::Probe::verb, 0);
    factory.answer = answer;
    CAPTURE(answer.dump());
    CHECK(probe_lanes(fake.table, factory, {"fake"}, 10)[0].status == Status::crashed);
  }
}

TEST_CASE("a worker tells which library computes references; that is unknown if none does") {
  const Fake fake;
  const auto told = [&](Status ending, int deaths, const json& answer) {
    MortalFactory factory(fake.host, verbs::Blas::verb, deaths);
    factory.ending = ending;
    if (!answer.is_null()) factory.answer = answer;
    const std::string text = blas_of_workers(factory);
    for (const auto& libraries : factory.loaded) CHECK(libraries.empty());  // it needs no plugin
    return std::pair(text, factory.loaded.size());
  };
  const std::string build = blas_build();
  const std::string unknown = "unknown";
  CHECK(told(Status::crashed, 0, {}) == std::pair(build, std::size_t{1}));
  CHECK(told(Status::crashed, most_starts - 1, {}) == std::pair(build, std::size_t{most_starts}));
  CHECK(told(Status::crashed, most_starts, {}) == std::pair(unknown, std::size_t{most_starts}));
  CHECK(told(Status::timeout, 1, {}) == std::pair(unknown, std::size_t{1}));
  CHECK(told(Status::crashed, 0, json{{"build", 7}}).first == "unknown");
  CHECK(told(Status::crashed, 0, json("text")).first == "unknown");
}

TEST_CASE("a reference worker that is killed at its start is replaced") {
  const Fake fake;
  const test::TemporaryDirectory folder;
  const Point point = reduction();
  const auto compute = [&](int deaths) {
    MortalFactory factory(fake.host, verbs::Reference::verb, deaths);
    ReferenceWorker worker(factory, Workloads::built_in(), 10, [] { return false; });
    worker.compute(point, 1, folder.path() / "reference");
    for (const auto& libraries : factory.loaded) CHECK(libraries.empty());  // it needs no plugin
    return factory.loaded.size();
  };
  CHECK(compute(0) == 1);
  CHECK(compute(most_starts - 1) == most_starts);
  CHECK_THROWS_AS(compute(most_starts), WorkerLost);
}

TEST_CASE("a reference that was begun beside other work is taken from there") {
  const Fake fake;
  const test::TemporaryDirectory folder;
  const Point point = reduction();
  const auto read = [](const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  MortalFactory factory(fake.host, verbs::Reference::verb, 0);
  ReferenceWorker worker(factory, Workloads::built_in(), 10, [] { return false; });
  worker.begin(point, 2, folder.path() / "ahead");
  worker.begin(point, 3, folder.path() / "never wanted");
  worker.compute(point, 1, folder.path() / "first");
  worker.compute(point, 2, folder.path() / "second");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "ahead"));
  worker.compute(point, 2, folder.path() / "again");
  CHECK(factory.loaded.size() == 1);
  CHECK(read(folder.path() / "second") == read(folder.path() / "again"));
  CHECK(read(folder.path() / "second") != read(folder.path() / "first"));
  // It dies while nobody waits: whoever asks is told.
  MortalFactory mortal(fake.host, verbs::Reference::verb, most_starts);
  ReferenceWorker dying(mortal, Workloads::built_in(), 10, [] { return false; });
  dying.begin(point, 1, folder.path() / "ahead");
  CHECK_THROWS_AS(dying.compute(point, 1, folder.path() / "lost"), WorkerLost);
}

TEST_CASE("a compile worker's time is taken if it is one") {
  const Fake fake;
  const auto told = [&](const json& answer) {
    MortalFactory factory(fake.host, verbs::Compile::verb, 0);
    factory.answer = answer;
    CompilePool pool(factory, 1, {}, 10);
    const std::vector<CompileJob> jobs(1, CompileJob{"fake", {fake.library}, "fake", {}});
    return pool.compile(jobs, [] { return false; }).at(0).value();
  };
  CHECK(told(compiled_in(2.5e8)).compile_ns == 2.5e8);
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity()})
    CHECK(told(compiled_in(bad)).compile_ns == 0);
  for (const json& other : {json::object(), json::array(), json{{"compile_ns", "long"}}})
    CHECK(told(other).status == Status::crashed);
}

TEST_CASE("what a compiler says of the code is told, as far as it is figures; its log if it is kept") {
  const Fake fake;
  const auto told = [&](bool keeps_logs) {
    MortalFactory factory(fake.host, verbs::Compile::verb, 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    factory.answer = encode(CompileReply{{{"registers", 8}, {"spills", nan}}, "warning", 0});
    CompilePool pool(factory, 1, {}, 10);
    if (keeps_logs) pool.keep_logs();
    const std::vector<CompileJob> jobs(1, CompileJob{"fake", {fake.library}, "fake", {}});
    return pool.compile(jobs, [] { return false; }).at(0).value();
  };
  CHECK(told(false).resources == Resources{{"registers", 8}});
  CHECK(told(false).log.empty());
  CHECK(told(true).log == "warning");
}

TEST_CASE("a compile worker that is killed costs no point; code that kills each of them costs its own") {
  const Fake fake;
  const auto compile = [&](int deaths) {
    MortalFactory factory(fake.host, verbs::Compile::verb, deaths);
    factory.answer = compiled_in(1);
    CompilePool pool(factory, 1, {}, 10);
    std::vector<CompileJob> jobs(2, CompileJob{"fake", {fake.library}, "fake", {}});
    jobs[1].plan.launches.emplace_back().source = "other.cu";
    const auto outcomes = pool.compile(jobs, [] { return false; });
    for (const auto& libraries : factory.loaded) CHECK(libraries == std::vector{fake.library});
    std::vector<Status> statuses;
    for (const auto& outcome : outcomes) statuses.push_back(outcome.value().status);
    return statuses;
  };
  using enum Status;
  CHECK(compile(most_starts - 1) == std::vector{ok, ok});
  CHECK(compile(1000) == std::vector{crashed, crashed});
}

TEST_CASE("a compile worker that is killed while the run is stopped leaves its code without an outcome") {
  const Fake fake;
  MortalFactory factory(fake.host, verbs::Compile::verb, 1);
  CompilePool pool(factory, 1, {}, 10);
  int asked = 0;  // before the first job, and before another worker is started for it
  const std::vector<CompileJob> jobs(1, CompileJob{"fake", {fake.library}, "fake", {}});
  CHECK_FALSE(pool.compile(jobs, [&] { return asked++ > 0; }).at(0).has_value());
  CHECK(asked == 2);
  CHECK(factory.loaded.size() == 1);
}
