// A content key covers every file that a variant opens, as seen by the kernel while the variant is made
// ready.
#include "engine/content_key.hpp"
#include "conformance/cases.hpp"
#include "engine/host.hpp"
#include "plugins/plugin_host.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"
#include "worker/buffers.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <fstream>

using namespace benchctl;
namespace fs = std::filesystem;

namespace {

/// The files right in a folder that were opened since the last time that it was asked.
class OpenedFiles {
 public:
  explicit OpenedFiles(const fs::path& folder) : events_(inotify_init1(IN_NONBLOCK)) {
    REQUIRE(events_ >= 0);
    REQUIRE(inotify_add_watch(events_, folder.c_str(), IN_OPEN) >= 0);
  }
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;
  ~OpenedFiles() { close(events_); }

  std::set<std::string> take() {
    std::set<std::string> names;
    alignas(inotify_event) std::array<char, 16384> bytes{};
    for (ssize_t length; (length = ::read(events_, bytes.data(), bytes.size())) > 0;) {
      for (ssize_t at = 0; at < length;) {
        const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
        if (event->len > 0) names.insert(event->name);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return names;
  }

 private:
  int events_;
};

/// Does a key of the variant change with each of these files of the backend's folder?
void check_covered(const BackendEntry& backend, const PluginEntry& plugin, const Lane& lane,
                   const Point& point, const std::set<std::string>& files) {
  const auto key = [&] {
    return ContentKeys(Workloads::built_in(), "").key(point, lane, backend, plugin, false);
  };
  const std::string before = key();
  for (const std::string& name : files) {
    const fs::path file = backend.kernel_directory / name;
    if (!fs::is_regular_file(file)) continue;
    INFO(point.label() << " opens " << name);
    const auto size = fs::file_size(file);
    std::ofstream(file, std::ios::app) << "\n// changed\n";
    CHECK(key() != before);
    fs::resize_file(file, size);
    CHECK(key() == before);
  }
}

}  // namespace

TEST_CASE("whatever file a variant opens while it is made ready is in its content key") {
  const fs::path library = test::plugin_directory() / "libbenchctl_opencl.so";
  if (!fs::exists(library)) SKIP("no plugin opencl in this build");
  const PluginHost host = PluginHost::load_libraries({library});
  REQUIRE(host.plugins().size() == 1);
  Backend& backend = *host.plugins().front().backend;
  const DeviceList list = backend.devices();
  if (list.devices.empty()) SKIP(list.unavailable);
  const Lane lane{"opencl", list.devices.front()};
  const PluginTable plugins = loaded_plugins(host);
  const test::TemporaryDirectory folder;
  BackendEntry entry = make_catalogue(plugins).backends.at(0);
  fs::copy(entry.kernel_directory, folder.path() / "kernels", fs::copy_options::recursive);
  // A copy that nobody else reads meanwhile.
  const fs::path original = fs::canonical(folder.path()) / "original";
  fs::copy(entry.kernel_directory, original, fs::copy_options::recursive);
  entry.kernel_directory = original;
  const auto session = backend.open(lane.device.id, {(folder.path() / "cache").string(), false});

  std::size_t observed = 0;
  std::set<std::string> compiled;  // sources: PoCL takes seconds for a kernel that it has not seen
  const fs::path problems = test::tree_root() / "share/benchctl/conformance";
  const conformance::Cases cases = conformance::cases_of(entry, lane.device, false, problems);
  for (const conformance::Case& one : conformance::typical_cases(cases)) {
    if (one.variant->kernel && !compiled.insert(one.variant->kernel->launches.front().source).second)
      continue;
    Point point;
    point.workload = one.problem.workload;
    point.variant = one.variant->name;
    point.backend = "opencl";
    point.device = lane.name();
    point.problem = one.problem.parameters;
    point.layout = one.problem.layout;
    point.tunables = one.tunables;
    PrepareRequest request;
    request.variant = one.variant;
    request.tunables = one.tunables;
    if (one.variant->kernel) {
      const Parameters values = kernel_values(one.problem.parameters, one.problem.layout, one.tunables,
                                              device_values(lane.device));
      request.kernel = plan_kernel(*one.variant->kernel, values, one.problem, entry.kernel_directory);
    }
    ProblemBuffers buffers(*session, *Workloads::built_in().find(point.workload), one.problem, {1}, 1);
    OpenedFiles opened(original);
    const auto prepared = buffers.device().prepare(request);
    const std::set<std::string> files = opened.take();
    if (!files.empty()) ++observed;
    BackendEntry changed = entry;
    changed.kernel_directory = folder.path() / "kernels";
    check_covered(changed, *plugins.find("opencl"), lane, point, files);
  }
  CHECK(observed > 20);
}

TEST_CASE("a native variant's key covers all kernels of its backend") {
  const test::TemporaryDirectory folder;
  folder.write("kernels/one.cu", "one");
  folder.write("kernels/parts/two.cuh", "two");
  BackendEntry entry;
  entry.name = "gpu";
  entry.kernel_directory = folder.path() / "kernels";
  VariantInfo native;
  native.workload = "matmul";
  native.name = "planned";
  entry.variants = {native};
  Point point;
  point.workload = "matmul";
  point.variant = "planned";
  point.problem = complete_parameters(*Workloads::built_in().find("matmul"), {});
  check_covered(entry, {}, {}, point, {"one.cu", "parts/two.cuh"});
}
