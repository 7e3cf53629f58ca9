// The conformance kit finds each kind of fault, by the name of its check, and passes what is right.
#include "conformance/cases.hpp"
#include "conformance/checks.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl;
using nlohmann::json;

namespace {

std::string faulty_library() {
  return (test::tree_root() / "libexec/benchctl/tests/faulty_plugins/libbenchctl_faulty.so").string();
}

/// One fault, and how the kit speaks of it.
struct Planted {
  const char* fault;
  const char* check;
  const char* words;
};

/// Every fault that tests/conformance/faulty.cpp knows.
const std::vector<Planted> planted{
    {"name", "loading", "info().name is 'other'"},
    {"title", "loading", "info().title is empty"},
    {"unload", "refusal", "signal 6"},
    {"workload", "variants", "no workload 'vector_subtract'"},
    {"no_doc", "variants", "no doc"},
    {"duplicate", "variants", "two variants are called vector_add/plain"},
    {"expression", "variants", "is not a valid expression"},
    {"unknown_name", "variants", "names 'block'"},
    {"no_file", "variants", "vector_sub.txt"},
    {"argument", "variants", "argument 'm'"},
    {"derived", "variants", "derived value 'n' has a name that already has another meaning"},
    {"among_nobody", "variants", "'flat' is not a variant of its workload"},
    {"among_itself", "variants", "'choice' is a choice itself"},
    {"other_precision", "variants", "'file' has another precision"},
    {"no_reason", "devices", "`unavailable` must say why"},
    {"same_id", "devices", "two devices have the id '0'"},
    {"new_id", "devices", "other ids than the first"},
    {"no_physical", "devices", "no physical identity"},
    {"reading_doc", "observer", "an id and a doc"},
    {"watches_all", "observer", "must return null"},
    {"unlisted", "observer", "'other', which is not in its table"},
    {"never_cached", "compiler", "did not come from the cache"},
    {"takes_garbage", "compiler", "invalid source was compiled"},
    {"wrong", "results", "c["},
    {"nan_is_zero", "results", "c["},
    {"absolute", "results", "c["},
    {"reads_past", "results", "c["},
    {"crash", "results", "signal 11"},
    {"sticky", "results", "the device fell off"},
    {"write_offset", "canaries", "do not agree on sets, buffers or offsets"},
    {"wrong_set", "canaries", "set 1"},
    {"overrun", "canaries", "past the end of a buffer"},
    {"looks_behind", "pages", "an access at byte"},
    {"looks_before", "pages", "before the begin of a buffer"},
    {"accumulates", "repeats", "after three executions"},
    {"race", "repeats", "of the same"},
    {"witness", "repeats", "after its inputs were drawn anew"},
    {"count", "sampling", "3 samples were asked for, 2 came"},
    {"batch", "sampling", "a batch of 2 was asked for"},
    {"negative", "sampling", "a sample is -"},
    {"hook", "sampling", "the hook was called for 1"},
    {"refuses_untyped", "sampling", "not a benchctl::Failure: cold"},
    {"foreign", "errors", "not a benchctl::Failure: no device"},
    {"accepts_all", "errors", "a native variant that the plugin does not have was accepted"},
    {"takes_garbage", "errors", "a kernel with invalid source was accepted"},
#ifdef BENCHCTL_SANITIZED
    {"odd_tunable", "errors", "FPE"},  // told by the sanitizer, which has a handler for it
#else
    {"odd_tunable", "errors", "signal 8"},
#endif
    {"memory_late", "memory", "allocate when the problem is made"},
    {"memory_foreign", "memory", "not a benchctl::Failure: no memory"},
    {"shared_state", "together", "executed in turn with others"},
    {"instant", "timing", "must take longer"},
    {"instant_but_noisy", "timing", "must take longer"},
    {"too_long", "timing", "times what passed on the clock"},
    {"milliseconds", "timing", "are these nanoseconds?"},
    {"undivided", "timing", "divided by the batch"},
    {"does_not_wait", "timing", "Wait for the device before the second time stamp"},
    {"slow_launch", "timing", "what else is in the sample?"},
    {"wrong_clock", "timing", "by its own clock"},
    {"leak_memory", "leaks", "bytes from malloc"},
    {"leak_descriptor", "leaks", "1 file descriptors"},
    {"leak_device", "leaks", "bytes of the device's memory"},
};

json checked(test::Sandbox& sandbox, const std::vector<std::string>& arguments, int exit_code) {
  std::vector<std::string> all{"plugin", "check", "--format", "json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const test::Outcome outcome = sandbox.call(all);
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.exit_code == exit_code);
  return json::parse(outcome.out).at("checks");
}

bool needs_own_allocator(const std::string& check) {
  return check == "leaks" || check == "memory" || check == "pages";
}

}  // namespace

TEST_CASE("a plugin that keeps the contract passes every check") {
  test::Sandbox sandbox;
  const json checks = checked(sandbox, {faulty_library()}, 0);
  std::vector<std::string> made;
  for (const json& check : checks) {
    INFO(check.dump());
#ifdef BENCHCTL_SANITIZED
    if (needs_own_allocator(check.at("check"))) continue;
#endif
    CHECK(check.at("outcome") == "passed");
    made.push_back(check.at("check"));
  }
  for (const conformance::Check& check : conformance::all_checks()) {
    if (needs_own_allocator(std::string(check.id))) continue;
    INFO(check.id);
    // Those of devices once for each of two.
    CHECK(std::ranges::count(made, check.id) == (check.per_device ? 2 : 1));
  }
}

TEST_CASE("a planted fault fails its check by name, with words that tell what is wrong") {
  const Planted& one = GENERATE(from_range(planted.begin(), planted.end()));
#ifdef BENCHCTL_SANITIZED
  if (needs_own_allocator(one.check)) return;
#endif
  INFO(one.fault);
  test::Sandbox sandbox;
  sandbox.set("BENCHCTL_FAULT", one.fault);
  std::vector<std::string> arguments{faulty_library(), "--only", one.check};
  if (conformance::find_check(one.check)->per_device)
    arguments.insert(arguments.end(), {"--device", "faulty:0"});
  const json checks = checked(sandbox, arguments, 1);
  std::string reasons;
  for (const json& check : checks) {
    CHECK(check.at("check") == one.check);
    for (const json& remark : check.at("remarks")) {
      if (remark.at("outcome") == "failed") reasons += remark.at("reason").get<std::string>() + '\n';
    }
  }
  CHECK_THAT(reasons, ContainsSubstring(one.words));
}

TEST_CASE("a plain check names every bug that was planted in a stranger's plugin", "[serial]") {
  test::Sandbox sandbox;
  const auto library = test::tree_root() / "libexec/benchctl/tests/faulty_plugins/libbenchctl_planted.so";
  std::set<std::string> named;
  for (const json& check : checked(sandbox, {library.string()}, 1)) {
    for (const json& remark : check.at("remarks")) {
      const std::string trial = remark.at("trial");
      if (remark.at("outcome") == "failed") named.insert(trial.substr(0, trial.find_first_of(" ,")));
    }
  }
  for (const char* bug : {"absolute", "nan_to_zero", "nan_skipped", "packs_past_end", "one_past_end",
                          "one_short", "lost_update", "does_not_wait", "witness", "accumulates",
                          "keeps_first", "starts_at_zero", "loses_infinity"}) {
    INFO(bug);
    CHECK(named.contains(std::string("reduce/") + bug));
  }
  CHECK_FALSE(named.contains("reduce/right"));
}

TEST_CASE("every check has a planted fault") {
  for (const conformance::Check& check : conformance::all_checks()) {
    INFO(check.id);
    CHECK(std::ranges::any_of(planted, [&](const Planted& one) { return one.check == check.id; }));
  }
}

TEST_CASE("a hang costs one trial, and the others are made") {
  test::Sandbox sandbox;
  sandbox.set("BENCHCTL_FAULT", "hang");
  const json checks = checked(
      sandbox, {faulty_library(), "--only", "results", "--device", "faulty:0", "--timeout", "3"}, 1);
  REQUIRE(checks.size() == 1);
  std::size_t hangs = 0;
  for (const json& remark : checks[0].at("remarks")) {
    if (remark.at("outcome") != "failed") continue;
    ++hangs;
    CHECK_THAT(remark.at("reason").get<std::string>(), ContainsSubstring("did not end within 3 s"));
    CHECK_THAT(remark.at("trial").get<std::string>(), ContainsSubstring("n=3"));
  }
  CHECK(hangs >= 1);
  CHECK(checks[0].at("passed").get<int>() >= 4);
}

TEST_CASE("a library that no program may load fails its first check and skips the others") {
  test::Sandbox sandbox;
  const auto library = test::tree_root() / "libexec/benchctl/tests/bad_plugins/libbenchctl_bad_newer.so";
  const json checks = checked(sandbox, {library.string()}, 1);
  for (const json& check : checks) {
    INFO(check.dump());
    CHECK(check.at("outcome") == (check.at("check") == "loading" ? "failed" : "skipped"));
  }
  CHECK_THAT(checks[0].dump(), ContainsSubstring("rebuild the plugin"));
}

TEST_CASE("without a device the checks of devices are skipped with the plugin's own reason") {
  test::Sandbox sandbox;
  sandbox.set("BENCHCTL_NO_DEVICE", "1");
  const json checks = checked(sandbox, {faulty_library(), "--only", "results,variants"}, 0);
  REQUIRE(checks.size() == 2);
  CHECK(checks[0].at("outcome") == "passed");
  CHECK(checks[1].at("outcome") == "skipped");
  CHECK_THAT(checks[1].dump(), ContainsSubstring("none was ordered"));
}

TEST_CASE("wrong use of plugin check is told apart from a plugin that fails") {
  const test::Sandbox sandbox;
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    std::vector<std::string> all{"plugin", "check"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const test::Outcome outcome = sandbox.call(all);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(words));
  };
  refused({"no_such_plugin"}, "libbenchctl_no_such_plugin.so");
  refused({"./libbenchctl_nothing.so"}, "there is no file");
  refused({faulty_library(), "--only", "beauty"}, "beauty");
  refused({faulty_library(), "--device", "faulty:9"}, "faulty:0, faulty:1");
}

TEST_CASE("every workload has problems to try, more of them in full") {
  const auto folder = test::tree_root() / "share/benchctl/conformance";
  for (const Workload* workload : Workloads::built_in().all()) {
    INFO(workload->name());
    const auto few = conformance::problems_of(*workload, false, folder);
    const auto all = conformance::problems_of(*workload, true, folder);
    CHECK_FALSE(few.empty());
    CHECK(all.size() >= few.size());
    // Every value of every parameter comes in the few, too.
    for (const ParameterInfo& parameter : workload->parameters()) {
      for (const ProblemSpec& problem : all) {
        const Value& value = problem.parameters.at(parameter.name);
        CHECK(std::ranges::any_of(
            few, [&](const ProblemSpec& one) { return one.parameters.at(parameter.name) == value; }));
      }
    }
  }
}
