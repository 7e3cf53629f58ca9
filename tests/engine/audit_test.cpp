// What an audit says of times: pure functions on scripted answers.
#include "engine/audit.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

constexpr AuditBounds bounds{.factor = 3, .slack_ns = 1000, .host_factor = 1.5, .host_slack_ns = 1000};

AuditReply executions(double known, double fresh, double again = 1) {
  AuditReply answer;
  answer.executions = {{AuditKind::known, known}, {AuditKind::fresh, fresh}, {AuditKind::again, again}};
  return answer;
}

AuditReply on_host(double further_ns, double claimed_ns) {
  AuditReply answer;
  answer.host = HostTimes{.claimed_ns = claimed_ns, .left_out_ns = further_ns - claimed_ns};
  return answer;
}

std::string contradiction(double reported_ns, std::initializer_list<AuditReply> answers) {
  Auditor judge(bounds);
  for (const AuditReply& answer : answers) judge.add(answer);
  return judge.contradiction(reported_ns).value_or(Contradiction{}).reason;
}

DeviceInfo device(DeviceType type, double timer_step_ns) {
  DeviceInfo info;
  info.type = type;
  info.timer_step_ns = timer_step_ns;
  return info;
}

}  // namespace

TEST_CASE("an execution on poisoned outputs may take three times the reported time and the slack") {
  CHECK(contradiction(10'000, {executions(31'000, 31'000)}).empty());
  CHECK_THAT(contradiction(10'000, {executions(31'010, 31'010)}),
             ContainsSubstring("on poisoned outputs took 31.01 µs, 3.1 times the reported 10 µs"));
}

TEST_CASE(
    "an execution on new inputs may take three times one on known inputs, which may be slower than "
    "reported") {
  CHECK(contradiction(10'000, {executions(20'000, 61'000)}).empty());
  CHECK_THAT(contradiction(10'000, {executions(20'000, 61'010)}), ContainsSubstring("keeps results"));
  // Known inputs in less than the reported time: that counts.
  CHECK(contradiction(10'000, {executions(5'000, 31'000)}).empty());
  CHECK_FALSE(contradiction(10'000, {executions(5'000, 31'010)}).empty());
}

TEST_CASE("only the shortest time of several audits counts, of each kind for itself") {
  CHECK(contradiction(10'000, {executions(90'000, 10'000), executions(10'000, 90'000)}).empty());
  CHECK_FALSE(contradiction(10'000, {executions(90'000, 10'000), executions(80'000, 10'000)}).empty());
  CHECK_FALSE(contradiction(10'000, {executions(10'000, 90'000), executions(10'000, 80'000)}).empty());
}

TEST_CASE("where every execution waited for a processor, a long time is no verdict") {
  const auto verdict = [](std::initializer_list<AuditedExecution> known) {
    Auditor judge(bounds);
    judge.add({.verification = {}, .executions = known, .host = {}});
    return judge.contradiction(10'000).value();
  };
  const AuditedExecution held_up{AuditKind::known, 90'000, true};
  CHECK(verdict({held_up}).status == Status::unstable);
  CHECK_THAT(verdict({held_up}).reason,
             ContainsSubstring("other processes are using the CPU") && ContainsSubstring("9 times"));
  CHECK(verdict({held_up, {AuditKind::known, 95'000, false}}).status == Status::implausible);
  CHECK(contradiction(
            10'000,
            {executions(90'000, 10'000),
             AuditReply{.verification = {}, .executions = {{AuditKind::known, 31'000, true}}, .host = {}}})
            .empty());
}

TEST_CASE("what scratch memory may have helped with is no evidence for a time") {
  CHECK_FALSE(contradiction(10'000, {executions(90'000, 90'000, 10'000)}).empty());
}

TEST_CASE("without an execution on known inputs the reported time stands for it") {
  AuditReply answer;
  answer.executions = {{AuditKind::fresh, 31'010}};
  CHECK_FALSE(contradiction(10'000, {answer}).empty());
  answer.executions[0].ns = 31'000;
  CHECK(contradiction(10'000, {answer}).empty());
}

TEST_CASE("the host's clock sees what a timer leaves out") {
  CHECK(contradiction(10'000, {on_host(16'000, 10'000)}).empty());
  CHECK_THAT(contradiction(10'000, {on_host(16'010, 10'000)}),
             ContainsSubstring("each further execution in a sample took 16.01 µs, the plugin says 10 µs") &&
                 ContainsSubstring("leaves out 37.5 % of the time"));
  CHECK(contradiction(10'000, {on_host(90'000, 10'000), on_host(10'000, 10'000)}).empty());
  CHECK(contradiction(10'000, {AuditReply{}}).empty());
}

TEST_CASE("what may be waits for a processor is not held against a timer") {
  AuditReply answer = on_host(40'000, 10'000);
  answer.host->waited_ns = 23'990;
  Auditor short_waits(bounds);
  short_waits.add(answer);
  CHECK(short_waits.contradiction(10'000)->status == Status::implausible);
  answer.host->waited_ns = 24'010;
  Auditor long_waits(bounds);
  long_waits.add(answer);
  const std::optional<Contradiction> held_up = long_waits.contradiction(10'000);
  REQUIRE(held_up);
  CHECK(held_up->status == Status::unstable);
  CHECK_THAT(held_up->reason,
             ContainsSubstring("using the CPU, and by the host's clock each further execution") &&
                 ContainsSubstring("on an idle machine"));
}

TEST_CASE("waits in samples of few executions do not hide what a timer leaves out") {
  AuditReply hidden = on_host(10'000, 10'000);
  hidden.host->unwaited_ns = 5'990;
  CHECK(contradiction(10'000, {hidden}).empty());
  hidden.host->unwaited_ns = 6'010;
  Auditor auditor(bounds);
  auditor.add(hidden);
  const std::optional<Contradiction> undecided = auditor.contradiction(10'000);
  REQUIRE(undecided);
  CHECK(undecided->status == Status::unstable);
  CHECK_THAT(undecided->reason, ContainsSubstring("each further execution in a sample took 16.01 µs"));
  // An audit in which more may be hidden does not count beside one in which less is.
  CHECK_FALSE(contradiction(10'000, {on_host(16'020, 10'000), hidden}).empty());
  CHECK(contradiction(10'000, {on_host(16'000, 10'000), hidden}).empty());
}

TEST_CASE("one execution is held against the host's clock where there is no time for more") {
  const auto alone = [](double ns, double host_ns) {
    AuditReply answer;
    answer.executions = {{AuditKind::fresh, ns, false, host_ns - ns}};
    return answer;
  };
  AuditBounds slack = bounds;
  slack.alone_slack_ns = 50'000;
  const auto reason = [&](std::initializer_list<AuditReply> answers, const AuditBounds& used) {
    Auditor auditor(used);
    for (const AuditReply& answer : answers) auditor.add(answer);
    return auditor.contradiction(100'000).value_or(Contradiction{}).reason;
  };
  CHECK(reason({alone(100'000, 200'000)}, slack).empty());
  CHECK_THAT(
      reason({alone(100'000, 200'010)}, slack),
      ContainsSubstring("an execution took 200 µs, the plugin says 100 µs: its timer leaves out 50 %"));
  AuditReply waited = alone(100'000, 900'000);
  waited.executions[0].waited_ns = 700'010;
  CHECK_THAT(reason({waited}, slack),
             ContainsSubstring("using the CPU, and by the host's clock an execution"));
  CHECK(reason({alone(100'000, 900'000), alone(100'000, 200'000)}, slack).empty());
  CHECK(reason({alone(100'000, 900'000), on_host(10'000, 10'000)}, slack).empty());
}

TEST_CASE("a time of many executions in a sample needs the host's clock") {
  AuditBounds needs = bounds;
  needs.needs_host = true;
  Auditor auditor(needs);
  auditor.add(executions(10'000, 10'000));
  REQUIRE(auditor.contradiction(10'000));
  CHECK(auditor.contradiction(10'000)->status == Status::unstable);
  CHECK_THAT(auditor.contradiction(10'000)->reason, ContainsSubstring("no time to hold its timer against"));
  auditor.add(on_host(10'000, 10'000));
  CHECK_FALSE(auditor.contradiction(10'000));
}

TEST_CASE("the metrics are the ratios that are judged") {
  Auditor judge(bounds);
  AuditReply answer = executions(20'000, 30'000);
  answer.host = on_host(15'000, 10'000).host;
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
  processor.compute_units = 16;
  const std::vector<double> samples{30'000, 30'000, 30'000};
  const auto verdict_of = [&](double known_ns) {
    Auditor auditor(AuditBounds::of(processor, samples, 1));
    auditor.add({{}, {{AuditKind::known, known_ns, false}}, {}});
    return auditor.contradiction(30'000);
  };
  CHECK_FALSE(verdict_of(189'000));
  REQUIRE(verdict_of(800'000));
  CHECK(verdict_of(800'000)->status == Status::unstable);
  CHECK_THAT(verdict_of(800'000)->reason,
             ContainsSubstring("waking the processor's threads may take up to 800 µs"));
  CHECK(verdict_of(900'000)->status == Status::implausible);
  processor.compute_units = 2;
  CHECK(verdict_of(200'000)->status == Status::implausible);
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

TEST_CASE("a time that depends on the inputs is not kept results: it does so again") {
  AuditReply answer = executions(10'000, 90'000);
  answer.executions.push_back({AuditKind::repeated, 11'000});
  CHECK_THAT(contradiction(10'000, {answer}), ContainsSubstring("keeps results"));
  answer.executions.back().ns = 80'000;
  Auditor auditor(bounds);
  auditor.add(answer);
  const auto contradiction = auditor.contradiction(10'000);
  REQUIRE(contradiction);
  CHECK(contradiction->status == Status::unstable);
  CHECK_THAT(contradiction->reason,
             ContainsSubstring("depends on its inputs: 10 µs on those of its samples, 80 µs"));
}

TEST_CASE("inputs that are just written may lie in no cache: known ones take as long then") {
  AuditReply answer = executions(10'000, 90'000);
  answer.executions.push_back({AuditKind::repeated, 11'000});
  answer.executions.push_back({AuditKind::rewritten, 12'000});
  CHECK_THAT(contradiction(10'000, {answer}), ContainsSubstring("keeps results"));
  answer.executions.back().ns = 85'000;
  Auditor auditor(bounds);
  auditor.add(answer);
  const auto contradiction = auditor.contradiction(10'000);
  REQUIRE(contradiction);
  CHECK(contradiction->status == Status::unstable);
  CHECK_THAT(contradiction->reason, ContainsSubstring("on the same inputs just written 85 µs"));
}

TEST_CASE("what is made once in scratch memory, for whatever inputs, is no result") {
  AuditReply answer = executions(90'000, 91'000);
  CHECK_THAT(contradiction(10'000, {answer}), ContainsSubstring("scratch memory"));
  answer.executions.push_back({AuditKind::kept, 88'000});
  CHECK_FALSE(contradiction(10'000, {answer}).empty());
  answer.executions.back().ns = 11'000;
  Auditor auditor(bounds);
  auditor.add(answer);
  CHECK_FALSE(auditor.contradiction(10'000));
  CHECK(auditor.prepares_ns(10'000) == 79'000);
  CHECK(Auditor(bounds).prepares_ns(10'000) == 0);
}

TEST_CASE("work that passes in reading a result was not waited for") {
  AuditReply answer = on_host(1e6, 100);
  answer.host->read_ns = 0.9e6;
  CHECK_THAT(contradiction(100, {answer}), ContainsSubstring("before the kernel has finished"));
  answer.host->read_ns = 0.1e6;
  CHECK_THAT(contradiction(100, {answer}), ContainsSubstring("its timer leaves out"));
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
