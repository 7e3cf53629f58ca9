// Compiling GLSL, and what the plugin says where libraries are missing. Built only where their headers are.
#ifdef BENCHCTL_TEST_VULKAN
#include "compile/compiler.hpp"
#include "compile/specialization.hpp"
#include "driver/api.hpp"
#include "driver/error.hpp"
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::vulkan;
using benchctl::test::failure_of;
using benchctl::test::TemporaryDirectory;

namespace {

constexpr const char* doubled =
    "layout(local_size_x = LOCAL_SIZE_X) in;\n"
    "layout(binding = 0) buffer Numbers { REAL numbers[]; };\n"
    "layout(push_constant) uniform Scalars { int n; };\n"
    "void twice() { numbers[gl_GlobalInvocationID.x] *= REAL(FACTOR + n); }\n";

PlannedLaunch launch_of(const std::filesystem::path& file, const std::string& entry) {
  PlannedLaunch launch;
  launch.source = file.string();
  launch.entry = entry;
  launch.defines = {{"REAL", "float"}, {"FACTOR", "2"}};
  launch.block = {64, 1, 1};
  return launch;
}

std::string rejection(const PlannedLaunch& launch) {
  const Failure failure = failure_of([&] { static_cast<void>(compile_shader(launch, {})); });
  CHECK(failure.kind() == FailureKind::compile_error);
  return failure.what();
}

}  // namespace

TEST_CASE("a missing loader is named, with what to install") {
  CHECK_THAT(load_loader("libvulkan-of-nobody.so.1").missing,
             ContainsSubstring("libvulkan-of-nobody.so.1") && ContainsSubstring("package libvulkan1"));
  CHECK_THAT(load_loader("libm.so.6").missing, ContainsSubstring("vkGetInstanceProcAddr"));
}

TEST_CASE("results become the failures that fit, and a lost device spoils the session") {
  const auto kind_of = [](VkResult result) {
    const Failure failure = failure_of([&] { check(result, "do it"); });
    CHECK_THAT(failure.what(), ContainsSubstring(std::to_string(static_cast<int>(result))));
    return std::pair(failure.kind(), failure.sticky());
  };
  CHECK_NOTHROW(check(VK_SUCCESS, "do it"));
  CHECK_NOTHROW(check(VK_INCOMPLETE, "do it"));
  CHECK(kind_of(VK_ERROR_DEVICE_LOST) == std::pair(FailureKind::launch_error, true));
  CHECK(kind_of(VK_ERROR_OUT_OF_DEVICE_MEMORY) == std::pair(FailureKind::out_of_memory, false));
  CHECK(kind_of(VK_ERROR_OUT_OF_HOST_MEMORY) == std::pair(FailureKind::out_of_memory, false));
  CHECK(kind_of(VK_ERROR_INCOMPATIBLE_DRIVER) == std::pair(FailureKind::no_device, false));
  CHECK(kind_of(VK_ERROR_UNKNOWN) == std::pair(FailureKind::launch_error, false));
}

TEST_CASE("the function that a launch names becomes the shader") {
  const TemporaryDirectory folder;
  const PlannedLaunch launch = launch_of(folder.write("twice.comp", doubled), "twice");
  const Shader shader = compile_shader(launch, {});
  CHECK(shader.interface.local_size == std::array<std::uint32_t, 3>{64, 1, 1});
  CHECK(shader.interface.bindings == std::set<std::uint32_t>{0});
  CHECK(shader.interface.push.size() == 1);
  CHECK_THAT(rejection(launch_of(launch.source, "thrice")), ContainsSubstring("'void thrice()'"));
}

TEST_CASE("a source may begin with its version") {
  const TemporaryDirectory folder;
  const auto file = folder.write("twice.comp", "// twice\n#version 460\n" + std::string(doubled));
  CHECK_NOTHROW(compile_shader(launch_of(file, "twice"), {}));
}

TEST_CASE("errors have the file and line that a person edits") {
  const TemporaryDirectory folder;
  folder.write("part.glsl", "float half_of(float x) {\n  return x / 2 +;\n}\n");
  const auto file =
      folder.write("twice.comp", "#version 450\n#include \"part.glsl\"\n" + std::string(doubled));
  CHECK_THAT(rejection(launch_of(file, "twice")),
             ContainsSubstring((folder.path() / "part.glsl").string() + ":2:"));
  const auto wrong = folder.write("wrong.comp", std::string(doubled) + "\n\nint unknown = nobody;\n");
  CHECK_THAT(rejection(launch_of(wrong, "twice")), ContainsSubstring(wrong.string() + ":7:"));
}

TEST_CASE("a local size other than the launch's is refused") {
  const TemporaryDirectory folder;
  const auto file = folder.write("fixed.comp", "layout(local_size_x = 32) in;\nvoid main() {}\n");
  CHECK_THAT(rejection(launch_of(file, "main")), ContainsSubstring("32x1x1") &&
                                                     ContainsSubstring("64x1x1") &&
                                                     ContainsSubstring("LOCAL_SIZE_X"));
}

TEST_CASE("compiled shaders come from the cache until something changes") {
  const TemporaryDirectory folder;
  const TemporaryDirectory cache;
  const SessionOptions options{cache.path().string(), false};
  PlannedLaunch launch = launch_of(folder.write("twice.comp", doubled), "twice");
  const Shader first = compile_shader(launch, options);
  CHECK_FALSE(first.cached);
  const Shader second = compile_shader(launch, options);
  CHECK(second.cached);
  CHECK(second.words == first.words);
  launch.defines["FACTOR"] = "3";
  CHECK_FALSE(compile_shader(launch, options).cached);
  CHECK_FALSE(compile_shader(launch, {cache.path().string(), true}).cached);
}

TEST_CASE("definitions are the values of specialisation constants") {
  const TemporaryDirectory folder;
  const std::string text =
      "// layout(constant_id = 9) const int NOT = 1;\n"
      "layout(constant_id = 0) const uint N = 32;\n"
      "layout (constant_id = 1) const bool ON = false;\n"
      "layout(local_size_x_id = 7) in;\n"
      "layout(binding = 0) buffer Numbers { uint numbers[]; };\n"
      "void main() { numbers[gl_GlobalInvocationID.x] = ON ? N : 0u; }\n";
  CHECK(specialization_constants(text) == std::set<std::string>{"N", "ON"});
  const std::string with_n = specialized(text, {{"N", "5"}});
  CHECK_THAT(with_n, ContainsSubstring("const uint N = uint(5);") && ContainsSubstring("ON = false;") &&
                         ContainsSubstring("local_size_x = LOCAL_SIZE_X)"));
  PlannedLaunch launch = launch_of(folder.write("special.comp", text), "main");
  CHECK_THAT(rejection(launch),
             ContainsSubstring("the specialisation constant 'N'") && ContainsSubstring("defines = { N = "));
  launch.defines = {{"N", "5"}, {"ON", "1"}};
  const Shader shader = compile_shader(launch, {});
  CHECK(shader.interface.local_size == std::array<std::uint32_t, 3>{64, 1, 1});
  const auto has = [&](std::uint32_t op, std::uint32_t last) {  // an OpSpecConstant with this value
    for (std::size_t i = 0; i + 3 < shader.words.size(); ++i)
      if (shader.words[i] == op && shader.words[i + 3] == last) return true;
    return false;
  };
  CHECK(has(4U << 16U | 50U, 5));
  CHECK_FALSE(has(4U << 16U | 50U, 32));
}

TEST_CASE("images are refused, options of the compiler are its own") {
  const TemporaryDirectory folder;
  const auto image = folder.write("image.comp",
                                  "layout(local_size_x = LOCAL_SIZE_X) in;\n"
                                  "layout(binding = 0, r32f) uniform readonly image2D x;\n"
                                  "layout(binding = 1) buffer Y { float y[]; };\n"
                                  "void main() { y[0] = imageLoad(x, ivec2(0, 0)).x; }\n");
  const Failure failure =
      failure_of([&] { static_cast<void>(compile_shader(launch_of(image, "main"), {})); });
  CHECK(failure.kind() == FailureKind::unsupported);
  CHECK_THAT(failure.what(), ContainsSubstring("read a buffer instead"));
  PlannedLaunch launch = launch_of(folder.write("twice.comp", doubled), "twice");
  const std::vector<std::uint32_t> plain = compile_shader(launch, {}).words;
  launch.options = {"-O"};
  CHECK(compile_shader(launch, {}).words != plain);
  launch.options = {"-I.."};
  CHECK_THAT(rejection(launch),
             ContainsSubstring("the option -I.. is not among those of this backend: -O"));
}
#endif
