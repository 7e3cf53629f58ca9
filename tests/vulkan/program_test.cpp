// The plugin as a user meets it, on whatever Vulkan device there is: with Debian's packages that is
// lavapipe, which runs on the processor.
#include "support/program.hpp"

#include <benchctl/shared_library.hpp>

#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// The vulkan backend of `devices --format json`; skips where it was left out.
nlohmann::json backend_of(const Sandbox& sandbox) {
  const nlohmann::json all =
      nlohmann::json::parse(sandbox.call({"list", "--devices", "--format", "json"}).out);
  for (const nlohmann::json& backend : all.at("backends")) {
    if (backend.at("backend") == "vulkan") return backend;
  }
  SKIP("the plugin was left out of this build");
  return {};
}

/// A sandbox on a machine that has a device; skips elsewhere.
struct VulkanSandbox : Sandbox {
  nlohmann::json devices;

  VulkanSandbox() : Sandbox(Plugins::all) {
    const nlohmann::json backend = backend_of(*this);
    devices = backend.at("devices");
    if (devices.empty()) SKIP(backend.at("unavailable").get<std::string>());
  }
  /// The rows of a run of a config on this backend.
  [[nodiscard]] nlohmann::json rows_of_run(const std::string& config,
                                           std::vector<std::string> more = {}) const {
    static_cast<void>(write("c.toml", config));
    more.insert(more.begin(), {"run", "c.toml", "--backend", "vulkan"});
    const Outcome outcome = call(more);
    INFO(outcome.err);
    nlohmann::json rows = this->rows();
    REQUIRE_FALSE(rows.empty());
    return rows;
  }
};

std::string config_with(const std::string& kernel) {
  return "[experiment]\nname = 'own'\nroofs = 'none'\n[measure]\nsamples = 3\nmax_seconds = 5.0\n"
         "[[kernel]]\nname = 'own'\nworkload = 'vector_add'\nbackend = 'vulkan'\n" +
         kernel +
         "\n[[sweep]]\nname = 'sums'\nworkload = 'vector_add'\nvariants = ['own']\n"
         "[sweep.parameters]\nn = [1000]\n";
}

constexpr const char* own_source =
    "layout(local_size_x = LOCAL_SIZE_X) in;\n"
    "layout(binding = 0) readonly buffer A { REAL a[]; };\n"
    "layout(binding = 1) readonly buffer B { REAL b[]; };\n"
    "layout(binding = 2) buffer C { REAL c[]; };\n"
    "layout(push_constant) uniform Scalars { int n; };\n"
    "void add() {\n"
    "  const uint i = gl_GlobalInvocationID.x;\n"
    "  if (i < n) c[i] = a[i] + b[i];\n"
    "}\n";

constexpr const char* own_launch =
    "source = 'own.comp'\nentry = 'add'\nblock = ['64']\ngrid = ['ceil_div(n, 64)']\n"
    "arguments = ['a', 'b', 'c', 'n']\ndefines = { REAL = \"ctype(dtype)\" }";

/// Status and reason of the config's only kind of point.
std::pair<std::string, std::string> outcome_of(const std::string& source, const std::string& kernel) {
  const VulkanSandbox sandbox;
  sandbox.write("own.comp", source);
  const nlohmann::json row = sandbox.rows_of_run(config_with(kernel)).at(0);
  return {row.at("status"), row.at("reason")};
}

bool is_right(const std::string& status) { return status == "ok" || status == "unstable"; }

constexpr const char* small_copies =
    "[experiment]\nname = 'copies'\nroofs = 'none'\n[measure]\nsamples = 3\nmax_seconds = 5.0\n"
    "[[sweep]]\nname = 'copies'\nworkload = 'copy'\nbackends = ['vulkan']\nvariants = ['plain', 'vendor']\n"
    "[sweep.parameters]\nn = [1000, 2000]\n";

/// The Vulkan loader that this program finds, as the plugin does.
std::string loader_path() {
  const SharedLibrary loader("the Vulkan loader", {"libvulkan.so.1"});
  void (*function)() = nullptr;
  loader.bind(function, "vkGetInstanceProcAddr");
  Dl_info info{};
  REQUIRE(dladdr(reinterpret_cast<const void*>(function), &info) != 0);
  return info.dli_fname;
}

/// Runs copies where a function of the driver fails, and gives back their rows: the run has to end, with an
/// error.
nlohmann::json rows_with_fault(const std::string& fault) {
  VulkanSandbox sandbox;
  sandbox.set("LD_LIBRARY_PATH", (tree_root() / "libexec/benchctl/tests/faulty_vulkan").string());
  sandbox.set("BENCHCTL_TEST_VULKAN_LOADER", loader_path());
  sandbox.set("BENCHCTL_TEST_VULKAN_FAULT", fault);
  sandbox.run(small_copies, 1, {"--backend", "vulkan"});
  nlohmann::json rows = sandbox.rows();
  CHECK(rows.size() == 4);
  return rows;
}

}  // namespace

TEST_CASE("devices have a version, an identity and limits") {
  const VulkanSandbox sandbox;
  std::set<std::string> names;
  for (const nlohmann::json& device : sandbox.devices) {
    INFO(device.dump(2));
    CHECK(names.insert(device.at("device")).second);
    CHECK_THAT(device.at("driver").get<std::string>(), ContainsSubstring("Vulkan 1."));
    CHECK(device.at("properties").at("uuid").get<std::string>().size() == 36);
    CHECK(device.at("limits").at("max_allocation_bytes") >= 128U << 20U);
    CHECK(device.at("limits").at("local_memory_bytes") >= 16384);
    CHECK(device.at("limits").at("max_block_threads") >= 128);
    CHECK(device.at("timer_step_ns") >= 1);
    const bool software = device.at("properties").contains("software");
    const std::string physical = device.at("physical");
    CHECK(physical.starts_with(software ? "cpu:package-" : "pci:"));
  }
}

TEST_CASE("software is measured only where it is asked for") {
  const VulkanSandbox sandbox;
  for (const nlohmann::json& device : sandbox.devices) {
    if (!device.at("properties").contains("software")) SKIP("there is a GPU");
  }
  const std::string config =
      "[experiment]\nname = 'copy'\nroofs = 'none'\n[measure]\nsamples = 1\n"
      "[[sweep]]\nname = 'copy'\nworkload = 'copy'\nbackends = ['vulkan']\n"
      "variants = ['plain']\n[sweep.parameters]\nn = [64]\n";
  for (const auto& [option, value] : {std::pair{"--backend", "vulkan"}, {"--device", "vulkan:*"}}) {
    sandbox.run(config, 0, {"--fresh", option, value});
    CHECK(sandbox.rows().at(0).at("status") == "ok");
  }
  CHECK_THAT(sandbox.call({"plan", "c.toml"}).out, ContainsSubstring("only software"));
}

TEST_CASE("a lost device is named in the rows that it costs") {
  for (const nlohmann::json& row : rows_with_fault("vkQueueSubmit -4 10")) {
    INFO(row.dump());
    CHECK(row.at("status") == "launch_error");
    CHECK_THAT(row.at("reason").get<std::string>(),
               ContainsSubstring("submit commands") && ContainsSubstring("VK_ERROR_DEVICE_LOST"));
  }
}

TEST_CASE("exhausted memory is named in the rows that it costs, with its bytes") {
  for (const nlohmann::json& row : rows_with_fault("vkAllocateMemory -2 1")) {
    INFO(row.dump());
    CHECK(row.at("status") == "out_of_memory");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("cannot allocate") &&
                                                        ContainsSubstring("bytes for buffer 'in'") &&
                                                        ContainsSubstring("VK_ERROR_OUT_OF_DEVICE_MEMORY"));
  }
}

TEST_CASE("without a driver there is a reason, and rows have it") {
  Sandbox sandbox(Plugins::all);
  sandbox.set("VK_ICD_FILENAMES", "/nobody/has/this.json");
  sandbox.set("VK_DRIVER_FILES", "/nobody/has/this.json");
  const nlohmann::json backend = backend_of(sandbox);
  CHECK(backend.at("devices").empty());
  CHECK_THAT(backend.at("unavailable").get<std::string>(), ContainsSubstring("no Vulkan"));
  sandbox.run(small_copies, 6, {"--backend", "vulkan"});
  const nlohmann::json rows = sandbox.rows();
  for (const nlohmann::json& row : rows) {
    CHECK(row.at("status") == "skipped");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("no Vulkan"));
  }
}

TEST_CASE("a user's kernel is compiled, checked and timed") {
  const auto [status, reason] = outcome_of(own_source, own_launch);
  INFO(reason);
  CHECK(is_right(status));
}

TEST_CASE("what compiling took is told until the cache has the kernel") {
  const VulkanSandbox sandbox;
  for (const bool is_new : {true, false}) {
    const nlohmann::json row =
        sandbox.rows_of_run(small_copies, {"--filter", "*plain*n=1000*", "--fresh"}).at(0);
    CHECK((row.contains("compile_ns") && row.at("compile_ns").get<double>() > 0) == is_new);
    CHECK(row.at("prepare_ns").get<double>() > 0);
  }
}

TEST_CASE("a user's kernel that is wrong is told from a right one") {
  std::string source = own_source;
  source.replace(source.find("a[i] + b[i]"), 11, "a[i] - b[i]");
  CHECK(outcome_of(source, own_launch).first == "wrong");
}

TEST_CASE("a user's kernel that does not compile has its file and line in the reason") {
  std::string source = own_source;
  source.replace(source.find("a[i] + b[i]"), 11, "a[i] + d[i]");
  const auto [status, reason] = outcome_of(source, own_launch);
  CHECK(status == "compile_error");
  CHECK_THAT(reason, ContainsSubstring("own.comp:8:") && ContainsSubstring("'d'"));
}

TEST_CASE("a user's kernel whose arguments are others than it declares is refused") {
  const std::string launch = own_launch;
  const auto with_arguments = [&](const std::string& arguments) {
    std::string text = launch;
    text.replace(text.find("arguments = "), std::string("arguments = ['a', 'b', 'c', 'n']").size(),
                 arguments);
    return outcome_of(own_source, text);
  };
  const auto [buffers, too_few] = with_arguments("arguments = ['a', 'c', 'n']");
  CHECK(buffers == "compile_error");
  CHECK_THAT(too_few,
             ContainsSubstring("declares buffers at bindings 0, 1, 2") && ContainsSubstring("2 buffers"));
  const auto [scalars, none] = with_arguments("arguments = ['a', 'b', 'c']");
  CHECK(scalars == "compile_error");
  CHECK_THAT(none, ContainsSubstring("push constants int at 0") && ContainsSubstring("are none"));
}

TEST_CASE("push constants of 16 and 64 bits arrive, or the device has no feature for them") {
  const auto [bits, extensions, feature] = GENERATE(table<std::string, std::string, std::string>(
      {{"16", "#extension GL_EXT_shader_16bit_storage : require\n", "storagePushConstant16"},
       {"64", "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n", "shaderInt64"}}));
  CAPTURE(bits);
  std::string source = own_source;
  source.replace(source.find("{ int n; }"), 10, "{ int" + bits + "_t m; }");
  source.replace(source.find("i < n"), 5, "i < int(m)");
  std::string launch = own_launch;
  launch.replace(launch.find("'n']"), 4, "{ i" + bits + " = 'n' }]");
  const auto [status, reason] = outcome_of(extensions + source, launch);
  INFO(reason);
  if (status == "skipped") {
    CHECK_THAT(reason, ContainsSubstring(feature));
  } else {
    CHECK(is_right(status));
  }
}

TEST_CASE("scalars in a uniform block and specialisation constants arrive, images are skipped") {
  const std::string source = own_source;
  const std::string push = "layout(push_constant) uniform Scalars { int n; };\n";
  const auto with = [&](const std::string& declaration) {
    return std::string(own_source).replace(source.find(push), push.size(), declaration);
  };
  const std::string arguments = "'c', 'n'";
  std::string launch = own_launch;
  launch.replace(launch.find(arguments), arguments.size(), "'c', { f32 = 'n / 8' }, 'n', { u32 = 3 }");
  const std::string block = "layout(binding = 3) uniform Scalars { float x; int n; uint three; };\n";
  CHECK(is_right(outcome_of(with(block), launch).first));
  const auto [status, reason] = outcome_of(with(block), own_launch);
  CHECK(status == "compile_error");
  CHECK_THAT(reason, ContainsSubstring("a uniform block of float at 0, int at 4, int at 8"));

  launch = own_launch;
  launch.replace(launch.find(arguments), arguments.size(), "'c'");
  const std::string definition = "REAL = ";
  launch.replace(launch.find(definition), definition.size(), "n = 'n', REAL = ");
  CHECK(is_right(outcome_of(with("layout(constant_id = 3) const int n = 1;\n"), launch).first));
  CHECK(
      outcome_of(
          with("layout(binding = 3, r32f) uniform image2D n_;\n#define n int(imageLoad(n_, ivec2(0)).x)\n"),
          own_launch)
          .first == "skipped");
}

TEST_CASE("a buffer larger than a binding reaches is ruled out with its size") {
  const VulkanSandbox sandbox;
  const std::uint64_t most = sandbox.devices.at(0).at("limits").at("max_allocation_bytes");
  const auto config = sandbox.write(
      "large.toml",
      "[experiment]\nname = 'large'\nroofs = 'none'\n[[sweep]]\nname = 'large'\nworkload = 'copy'\n"
      "variants = ['vendor']\n[sweep.parameters]\nn = [" +
          std::to_string(most / 4 + 1) + "]\n");
  const Outcome outcome = sandbox.call({"plan", config.string(), "--backend", "vulkan"});
  CHECK_THAT(outcome.out, ContainsSubstring("device limit") && ContainsSubstring(std::to_string(most)));
}

TEST_CASE("the conformance kit finds nothing", "[full]") {
  VulkanSandbox().expect(0, {"plugin", "check", "vulkan"});
}

TEST_CASE("the validation layers find nothing", "[full]") {
  VulkanSandbox sandbox;
  const std::filesystem::path log = sandbox.path() / "validation.log";
  sandbox.write("vk_layer_settings.txt",
                "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
                "khronos_validation.report_flags = error,warn,perf\n"
                "khronos_validation.log_filename = " +
                    log.string() + "\n");
  sandbox.set("VK_LAYER_SETTINGS_PATH", sandbox.path().string());
  sandbox.set("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
  if (backend_of(sandbox).at("devices").empty()) SKIP("the validation layers are not installed");
  const std::string config =
      "[experiment]\nname = 'valid'\nroofs = 'none'\n[measure]\nsamples = 2\nmax_seconds = 20.0\n"
      "[[sweep]]\nname = 'bases'\nworkload = 'vector_add'\n[sweep.parameters]\nn = [4099]\n"
      "basis = ['device', 'host_sync', 'end_to_end']\ncache = ['hot', 'cold', 'rotate']\n"
      "[[sweep]]\nname = 'sums'\nworkload = 'reduce'\n[sweep.parameters]\n"
      "op = ['sum', 'norm', 'dot']\nn = [4099]\n"
      "[[sweep]]\nname = 'products'\nworkload = 'matmul'\n[sweep.parameters]\nn = [65]\n"
      "dtype = ['f32', 'f64']\n"
      "[[sweep]]\nname = 'tables'\nworkload = 'constant_broadcast'\n"
      "[[sweep]]\nname = 'bytes'\nworkload = 'access'\n[sweep.parameters]\nn = [4099]\n"
      "access_width = [1, 2, 4]\n"
      "[[sweep]]\nname = 'copies'\nworkload = 'transfer'\n[sweep.parameters]\nbytes = [4096]\n"
      "direction = ['h2d', 'd2h']\nmemory = ['pinned', 'pageable']\n";
  sandbox.run(config, 0, {"--backend", "vulkan", "--in-process"});
  const nlohmann::json rows = sandbox.rows();
  for (const nlohmann::json& row : rows) {
    INFO(row.at("label").get<std::string>() << ": " << row.at("reason").get<std::string>());
    CHECK((row.at("status") == "ok" || row.at("status") == "unstable" || row.at("status") == "skipped"));
  }
  REQUIRE(std::filesystem::exists(log));
  CHECK(sandbox.read("validation.log") == "");
}
