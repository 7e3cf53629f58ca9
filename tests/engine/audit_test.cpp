// What an audit says of times: pure functions on scripted answers.
#include "engine/audit.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

using enum AuditKind;
using enum Status;
using Executions = std::vector<AuditedExecution>;

constexpr AuditBounds bounds{.factor = 3, .slack_ns = 1000, .host_factor = 1.5, .host_slack_ns = 1000};

AuditReply executed(Executions executions) {
  return {.verification = {}, .executions = std::move(executions), .host = {}};
}
AuditReply executions(double on_known, double on_fresh, double on_again = 1) {
  return executed({{known, on_known}, {fresh, on_fresh}, {again, on_again}});
}

/// Of a plugin that says 10 µs.
AuditReply on_host(double further_ns, double waited_ns = 0, double unwaited_ns = 0) {
  AuditReply answer;
  answer.host = HostTimes{10'000, further_ns - 10'000, waited_ns, unwaited_ns, 0};
  return answer;
}
/// Of a plugin that says 100 ns where a further execution takes 1 ms.
AuditReply read_for(double ns) {
  AuditReply answer;
  answer.host = HostTimes{100, 1e6 - 100, 0, 0, ns};
  return answer;
}
/// One execution in a sample, which the plugin says took 100 µs.
AuditReply alone(double host_ns, double waited_ns = 0) {
  return executed({{fresh, 100'000, false, host_ns - 100'000, waited_ns}});
}

/// What audits say of a reported time: `ok` if nothing.
struct Case {
  std::vector<AuditReply> answers;
  Status status = implausible;
  const char* words = "";
  double reported_ns = 10'000;
};

void check_all(const std::vector<Case>& cases, const AuditBounds& used = bounds) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    CAPTURE(i, one.words);
    Auditor judge(used);
    for (const AuditReply& answer : one.answers) judge.add(answer);
    const auto found = judge.contradiction(one.reported_ns);
    CHECK((found ? found->status : ok) == one.status);
    if (found) CHECK_THAT(found->reason, ContainsSubstring(one.words));
  }
}

DeviceInfo device(DeviceType type, double timer_step_ns) {
  DeviceInfo info;
  info.type = type;
  info.timer_step_ns = timer_step_ns;
  return info;
}

}  // namespace

TEST_CASE(
    "executions on poisoned outputs and on new inputs may take three times the usual time and the slack") {
  const AuditedExecution held_up{known, 90'000, true};
  check_all({
      {{executions(31'000, 31'000)}, ok},
      {{executions(31'010, 31'010)},
       implausible,
       "on poisoned outputs took 31.01 µs, 3.1 times the reported 10.00 µs"},
      // On new inputs: three times one on known inputs, which may be slower than reported.
      {{executions(20'000, 61'000)}, ok},
      {{executions(20'000, 61'010)}, implausible, "keeps results"},
      // Known inputs in less than the reported time: that counts.
      {{executions(5'000, 31'000)}, ok},
      {{executions(5'000, 31'010)}},
      // Without known inputs the reported time stands for them.
      {{executed({{fresh, 31'000}})}, ok},
      {{executed({{fresh, 31'010}})}},
      // The shortest of several audits counts, of each kind for itself.
      {{executions(90'000, 10'000), executions(10'000, 90'000)}, ok},
      {{executions(90'000, 10'000), executions(80'000, 10'000)}},
      {{executions(10'000, 90'000), executions(10'000, 80'000)}},
      // Scratch memory may have helped again: no evidence.
      {{executions(90'000, 90'000, 10'000)}},
      // Where every execution waited for a processor, a long time is no verdict.
      {{executed({held_up})}, unstable, "other processes are using the CPU"},
      {{executed({held_up})}, unstable, "9 times"},
      {{executed({held_up, {known, 95'000, false}})}},
      {{executions(90'000, 10'000), executed({{known, 31'000, true}})}, ok},
  });
}

TEST_CASE(
    "a time may depend on inputs, or on a cache that has just written ones, or be paid once for all") {
  const AuditedExecution usual{known, 10'000};
  const AuditedExecution on_fresh{fresh, 90'000};
  const auto once = [](double kept_ns) {
    return executed({{known, 90'000}, {fresh, 91'000}, {again, 1}, {kept, kept_ns}});
  };
  check_all({
      {{executed({usual, on_fresh, {repeated, 11'000}})}, implausible, "keeps results"},
      {{executed({usual, on_fresh, {repeated, 80'000}})},
       unstable,
       "depends on its inputs: 10.00 µs on those of its samples, 80.00 µs"},
      {{executed({usual, on_fresh, {repeated, 11'000}, {rewritten, 12'000}})},
       implausible,
       "keeps results"},
      {{executed({usual, on_fresh, {repeated, 11'000}, {rewritten, 85'000}})},
       unstable,
       "on the same inputs just written 85.00 µs"},
      // What is made once in scratch memory, for whatever inputs, is no result.
      {{executions(90'000, 91'000)}, implausible, "scratch memory"},
      {{once(88'000)}},
      {{once(11'000)}, ok},
  });
  Auditor auditor(bounds);
  auditor.add(once(11'000));
  CHECK(auditor.prepares_ns(10'000) == 79'000);
  CHECK(Auditor(bounds).prepares_ns(10'000) == 0);
}

TEST_CASE("the host's clock sees what a timer leaves out, but for waits for a processor") {
  const char* const further = "each further execution in a sample took 16.01 µs";
  check_all({
      {{on_host(16'000)}, ok},
      {{on_host(16'010)},
       implausible,
       "each further execution in a sample took 16.01 µs, the plugin says 10.00 µs"},
      {{on_host(16'010)}, implausible, "leaves out 37.5 % of the time"},
      {{on_host(90'000), on_host(10'000)}, ok},
      {{AuditReply{}}, ok},
      {{on_host(40'000, 23'990)}},
      {{on_host(40'000, 24'010)},
       unstable,
       "using the CPU, and by the host's clock each further execution"},
      {{on_host(40'000, 24'010)}, unstable, "on an idle machine"},
      // Waits in samples of few executions do not hide what a timer leaves out.
      {{on_host(10'000, 0, 5'990)}, ok},
      {{on_host(10'000, 0, 6'010)}, unstable, further},
      // An audit in which more may be hidden does not count beside one in which less is.
      {{on_host(16'020), on_host(10'000, 0, 6'010)}, unstable, further},
      {{on_host(16'000), on_host(10'000, 0, 6'010)}, ok},
      // Work that passes in reading a result was not waited for.
      {{read_for(0.9e6)}, implausible, "before the kernel has finished", 100},
      {{read_for(0.1e6)}, implausible, "its timer leaves out", 100},
  });
}

TEST_CASE("one execution is held against the host's clock where there is no time for more") {
  AuditBounds slack = bounds;
  slack.alone_slack_ns = 50'000;
  check_all({{{alone(200'000)}, ok, "", 100'000},
             {{alone(200'010)},
              implausible,
              "an execution took 200.0 µs, the plugin says 100.0 µs: its timer leaves out 50 %",
              100'000},
             {{alone(900'000, 700'010)},
              unstable,
              "using the CPU, and by the host's clock an execution",
              100'000},
             {{alone(900'000), alone(200'000)}, ok, "", 100'000},
             {{alone(900'000), on_host(10'000)}, ok, "", 100'000}},
            slack);
  AuditBounds needs = bounds;
  needs.needs_host = true;
  check_all({{{executions(10'000, 10'000)}, unstable, "no time to hold its timer against"},
             {{executions(10'000, 10'000), on_host(10'000)}, ok}},
            needs);
}

TEST_CASE("the metrics are the ratios that are judged") {
  Auditor judge(bounds);
  AuditReply answer = executions(20'000, 30'000);
  answer.host = on_host(15'000).host;
  judge.add(answer);
  const Resources metrics = judge.metrics(10'000);
  CHECK(metrics.at("audit_known") == Approx(2));
  CHECK(metrics.at("audit_fresh") == Approx(1.5));
  CHECK(metrics.at("audit_host") == Approx(1.5));
  CHECK(Auditor(bounds).metrics(10'000).empty());
}

TEST_CASE("the execution that verified a kernel is its audit where the host's clock can tell") {
  const Auditor judge(bounds);
  CHECK(judge.agrees(2.9e6, 1e6));
  CHECK(judge.agrees(0.5e6, 1e6));
  CHECK_FALSE(judge.agrees(3.1e6, 1e6));   // it may have been loading, or it keeps results since
  CHECK_FALSE(judge.agrees(0.49e6, 1e6));  // it had not ended when it said so
  CHECK_FALSE(judge.agrees(0.9e6, 0.9e6));
}

TEST_CASE("the slack is what waking up costs, or ten steps of the timer") {
  const std::vector<double> three{30'000, 40'000, 50'000};
  CHECK(AuditBounds::of(device(DeviceType::gpu, 1), three, 1).slack_ns == 10'000);
  CHECK(AuditBounds::of(device(DeviceType::cpu, 1), three, 1).slack_ns == 100'000);
  CHECK(AuditBounds::of(device(DeviceType::gpu, 5'000), three, 1).slack_ns == 50'000);
  CHECK(AuditBounds::of(device(DeviceType::cpu, 1), std::span(three).first(2), 1).slack_ns == 1'000'000);
}

TEST_CASE("what waking many threads can take is undecided, what is longer is not") {
  DeviceInfo processor = device(DeviceType::cpu, 1);
  const std::vector<double> samples{30'000, 30'000, 30'000};
  const auto took = [](double ns) { return std::vector{executed({{known, ns}})}; };
  processor.compute_units = 16;
  check_all({{took(189'000), ok, "", 30'000},
             {took(800'000), unstable, "waking the processor's threads may take up to 800.0 µs", 30'000},
             {took(900'000), implausible, "", 30'000}},
            AuditBounds::of(processor, samples, 1));
  processor.compute_units = 2;
  check_all({{took(200'000), implausible, "", 30'000}}, AuditBounds::of(processor, samples, 1));
}

TEST_CASE("every launch of an execution has to be queued") {
  const std::vector<double> samples(6, 22'000);
  const DeviceInfo gpu = device(DeviceType::gpu, 1);
  CHECK(AuditBounds::of(gpu, samples, 1).host_slack_ns == 100'000);
  CHECK(AuditBounds::of(gpu, samples, 1, 11).host_slack_ns == 300'000);
}

TEST_CASE("samples that lie nearer to each other than the timer's steps refute these") {
  const std::vector<double> samples{50'000, 30'000, 30'000.000'001, 32'500};
  CHECK(finest_step(1e7, samples, 1) == Approx(2'500));
  CHECK(finest_step(1e7, samples, 4) == Approx(10'000));
  CHECK(finest_step(100, samples, 1) == 100);
  CHECK(finest_step(1e7, std::vector<double>{1e7, 1e7, 2e7}, 1) == 1e7);
  CHECK(AuditBounds::of(device(DeviceType::gpu, 1e7), samples, 1).slack_ns == Approx(25'000));
}

TEST_CASE("nothing is faster than the datasheet, of which only memory depends on the cache") {
  DeviceInfo card;
  card.last_level_cache_bytes = 50'000'000;
  constexpr std::uint64_t large = 200'000'001;
  CHECK(beyond_datasheet(1e15, 1e15, large, 1, card).empty());  // nothing is known
  card.properties = {{"peak_any_per_s", "1000000000000"}, {"peak_dram_per_s", "1000000000"}};
  CHECK(beyond_datasheet(1000, 0, 0, 1, card).empty());
  CHECK_THAT(beyond_datasheet(2000, 0, 0, 1, card), ContainsSubstring("operations per second are 2 times"));
  CHECK(beyond_datasheet(0, 1, large, 1, card).empty());
  CHECK_THAT(beyond_datasheet(0, 2, large, 1, card),
             ContainsSubstring("bytes of memory per second are 2 times"));
  CHECK(beyond_datasheet(0, 2, large - 1, 1, card).empty());
}
