// A plugin that does harm. Its file's name says which and where: libbenchctl_variants_exit.so calls exit(0)
// in `variants`. All that it does otherwise is what the fake plugin does.
#define FAKE_PLUGIN_IS_INCLUDED
#include "plugin.cpp"

#include <dlfcn.h>
#include <unistd.h>

#include <iostream>
#include <limits>

namespace {

/// `variants_exit`.
std::string behaviour() {
  Dl_info found{};
  static const char here = 0;
  dladdr(&here, &found);
  const std::string file = found.dli_fname;
  const std::size_t begin = file.rfind("libbenchctl_") + 12;
  return file.substr(begin, file.rfind(".so") - begin);
}

/// Does what the file's name says, if it says this place.
void act(const std::string& place) {
  const std::string all = behaviour();
  if (!all.starts_with(place + '_')) return;
  const std::string what = all.substr(place.size() + 1);
  if (what == "crash") {
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (what == "exit") std::exit(0);
  if (what == "throw") throw std::runtime_error("scripted: no such luck");
  if (what == "foreign") throw 7;
  if (what == "hang") {
    for (;;) pause();
  }
  if (what == "talk") {
    for (int line = 0; line < 20'000; ++line) std::cerr << std::string(1000, 'x') << '\n';
    std::cerr << "that was all" << std::endl;
    std::_Exit(9);
  }
}

struct Loaded {
  Loaded() { act("constructor"); }
} const loaded;

class HostilePrepared : public FakePrepared {
 public:
  using FakePrepared::FakePrepared;
  [[nodiscard]] Resources resources() const override {
    act("resources");
    if (behaviour() == "resources_nan") return {{"registers", std::numeric_limits<double>::quiet_NaN()}};
    return FakePrepared::resources();
  }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    if (behaviour() == "notes_latin1") return {{"kernel", "caf\xe9"}, {"caf\xe9", "\x1b[31mred"}};
    return FakePrepared::notes();
  }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    act("sample");
    SampleBlock block = FakePrepared::sample(request);
    const std::string all = behaviour();
    double& last = block.ns.back();  // the first may be thrown away
    if (all == "sample_nan") last = std::numeric_limits<double>::quiet_NaN();
    if (all == "sample_infinite") last = std::numeric_limits<double>::infinity();
    if (all == "sample_negative") last = -1;
    if (all == "sample_zero") last = 0;
    if (all == "sample_denormal") last = std::numeric_limits<double>::denorm_min();
    if (all == "sample_none") block.ns.clear();
    if (all == "sample_many") block.ns.resize(100'000, 1e5);
    if (all == "sample_unbatched") block.batch = 0;
    if (all == "reading_nan") block.readings["power"] = {std::numeric_limits<double>::quiet_NaN()};
    return block;
  }
};

class HostileProblem : public FakeProblem {
 public:
  using FakeProblem::FakeProblem;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    act("prepare");
    return std::make_unique<HostilePrepared>(*this, request);
  }
};

class HostileSession : public FakeSession {
 public:
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    act("problem");
    return std::make_unique<HostileProblem>(request);
  }
};

class HostileBackend : public FakeBackend {
 public:
  [[nodiscard]] std::span<const VariantInfo> variants() const override {
    act("variants");
    return FakeBackend::variants();
  }
  [[nodiscard]] DeviceList devices() override {
    act("devices");
    DeviceList list = FakeBackend::devices();
    const std::string all = behaviour();
    DeviceInfo& first = list.devices.front();
    if (all == "devices_twice") list.devices.push_back(first);
    if (all == "devices_latin1") first.name = "Fake\xae device";
    if (all == "devices_unnamed") first.id.clear();
    if (all == "devices_spaced") first.id = "0 \x1b[31m";
    if (all == "devices_timer") first.timer_step_ns = std::numeric_limits<double>::quiet_NaN();
    return list;
  }
  [[nodiscard]] std::unique_ptr<Session> open(const std::string&, const SessionOptions&) override {
    act("open");
    const std::string all = behaviour();
    if (all.starts_with("leaves_") && fork() == 0) {
      if (all == "leaves_daemon" && (setsid() < 0 || fork() != 0)) _exit(0);
      for (;;) pause();
    }
    return std::make_unique<HostileSession>();
  }
};

using fake::FakeObserver;

class HostileObserver : public FakeObserver {
 public:
  [[nodiscard]] std::span<const ReadingInfo> readings() const override {
    act("readings");
    return FakeObserver::readings();
  }
  [[nodiscard]] std::unique_ptr<Watch> watch(const DeviceInfo& device,
                                             std::span<const std::string> ids) override {
    act("watch");
    return FakeObserver::watch(device, ids);
  }
};

class HostilePlugin : public Plugin {
 public:
  HostilePlugin() { act("factory"); }
  [[nodiscard]] PluginInfo info() const override {
    act("info");
    if (behaviour() == "info_named") return {"Not A Name", "", "", ""};
    if (behaviour() == "info_latin1") return {behaviour(), "Fake\xae", "1\xae", "\xae"};
    return {behaviour(), "Hostile test backend", "1.0", "test"};
  }
  [[nodiscard]] Backend* backend() override {
    act("backend");
    return &backend_;
  }
  [[nodiscard]] Observer* observer() override {
    act("observer");
    return &observer_;
  }

 private:
  HostileBackend backend_;
  HostileObserver observer_;
};

}  // namespace

BENCHCTL_PLUGIN(HostilePlugin)
