// Names, source texts, compiler's reports and cache entries of kernels.
#include <benchctl/failure.hpp>

#include "gpu/identity.hpp"
#include "gpu/kernel_cache.hpp"
#include "gpu/ptxas_log.hpp"
#include "gpu/source_text.hpp"
#include "support/catch.hpp"
#include "support/contents_of.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"

#include <cstdlib>

using namespace benchctl;
using namespace benchctl::gpu;
using namespace benchctl::test;

TEST_CASE("devices have the same names under every backend") {
  CHECK(slug("NVIDIA H200 (80 GB)") == "nvidia-h200-80-gb");
  CHECK(physical_identity({0, 0x65, 0, 0}) == "pci:0000:65:00.0");
  CHECK(physical_identity({0x1a, 0xAB, 0x1f, 7}) == "pci:001a:ab:1f.7");
  CHECK(uuid_text({0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 8}) ==
        "01234567-89ab-cdef-0102-030405060708");
}

TEST_CASE("GPUs of other makers than NVIDIA are unproven, with what to run") {
  CHECK(unproven("NVIDIA", "vulkan").empty());
  CHECK(unproven("NVIDIA Corporation", "opencl").empty());
  CHECK_THAT(unproven("AMD", "vulkan"), ContainsSubstring("`benchctl plugin check vulkan`"));
  CHECK_FALSE(unproven("Intel(R) Corporation", "opencl").empty());
}

TEST_CASE("local includes are put in place with line directives") {
  const TemporaryDirectory folder;
  folder.write("inner/deep.h", "#pragma once\nint deep;\n");
  folder.write("head.h", "// head\n  #  include <inner/deep.h>\nint head;\n");
  const auto file = folder.write("a \"b\".cl",
                                 "#include \"head.h\"\n"
                                 "/* #include \"head.h\"\n"
                                 "#include \"head.h\"\n"
                                 "*/\n"
                                 "#include \"inner/deep.h\"\n"
                                 "#include \"missing.h\"\n"
                                 "#include <opencl-c.h>\n"
                                 "int last;");
  const auto line = [&](int number, const std::string& name) {
    return "#line " + std::to_string(number) + " \"" + folder.path().string() + "/" + name + "\"\n";
  };
  const std::string once = "#ifndef BENCHCTL_ONCE_0\n#define BENCHCTL_ONCE_0\n";
  const std::string deep = line(1, "inner/deep.h") + once + line(2, "inner/deep.h") + "int deep;\n#endif\n";
  const std::string top = "a \\\"b\\\".cl";
  const std::string expected =
      "#define TILE 16\n#define WORDS a b\n" + line(1, top) + line(1, "head.h") + "// head\n" + deep +
      line(3, "head.h") + "int head;\n" + line(2, top) + "/* #include \"head.h\"\n\n*/\n" + deep +
      line(6, top) +
      "#error cannot be resolved: \"missing.h\"; put it beside the kernel\n"
      "#error cannot be resolved: <opencl-c.h>; put it beside the kernel\nint last;\n";
  CHECK(read_source(file, {{"TILE", "16"}, {"WORDS", "a b"}}) == expected);
}

TEST_CASE("control characters of a path stay out of line directives") {
  const TemporaryDirectory folder;
  const std::string text = read_source(folder.write("a\nb\x1b.cl", "int last;\n"), {});
  CHECK(text.ends_with("/a?b?.cl\"\nint last;\n"));
}

TEST_CASE("a header beside the kernel is found from those below") {
  const TemporaryDirectory folder;
  folder.write("wide.h", "int wide;\n");
  folder.write("inner/deep.h", "#include \"wide.h\"\n");
  const std::string text = read_source(folder.write("top.cl", "#include \"inner/deep.h\"\n"), {});
  CHECK(text.find("int wide;") != std::string::npos);
}

TEST_CASE("a compiler is left nothing to look for") {
  const TemporaryDirectory folder;
  const auto refused = [&](const std::string& text) {
    const auto file = folder.write("top.cl", text);
    const Failure failure = failure_of([&] { static_cast<void>(read_source(file, {})); });
    CHECK(failure.kind() == FailureKind::compile_error);
    return std::string(failure.what()).find("cannot be resolved") != std::string::npos;
  };
  CHECK(refused("#incl\\\nude \"h.h\"\n"));
  CHECK(refused("/*\n*/ #include \"h.h\"\n"));
  CHECK(refused("# /*\n*/ include \"h.h\"\n"));
  CHECK(refused("#incl?\?/\nude \"h.h\"\n"));
  CHECK(refused("#if __has_include(\"h.h\")\n#endif\n"));
  const std::string macro = read_source(folder.write("top.cl", "#if 0\n#include NAME\n#endif\n"), {});
  CHECK(macro.find("#if 0\n#error cannot be resolved: NAME;") != std::string::npos);
  CHECK(
      read_source(folder.write("top.cl", "/*\n#include \"h.h\" */ int a;\n"), {}).ends_with("*/ int a;\n"));
}

TEST_CASE("a byte-order mark of a source or a header does not reach the compiler") {
  const TemporaryDirectory folder;
  folder.write("head.h", "\xEF\xBB\xBFint head;\n");
  const auto file = folder.write("a.cl", "\xEF\xBB\xBF#include \"head.h\"\nint source;\n");
  const std::string text = read_source(file, {{"N", "1"}});
  CHECK(text.find('\xEF') == std::string::npos);
  CHECK(text.find("int head;") != std::string::npos);
}

TEST_CASE("headers that include each other end") {
  const TemporaryDirectory folder;
  folder.write("a.h", "#pragma once\n#include \"b.h\"\nint a;\n");
  folder.write("b.h", "#pragma once\n#include \"a.h\"\nint b;\n");
  const std::string text = read_source(folder.write("top.cl", "#include \"a.h\"\n"), {});
  CHECK(text.find("int a;") != std::string::npos);
  CHECK(text.find("int b;") != std::string::npos);
  CHECK_THROWS_AS(read_source(folder.path() / "none.cl", {}), Failure);
}

TEST_CASE("a chain of 64 includes is the longest one") {
  const TemporaryDirectory folder;
  const auto name = [](int i) { return "h" + std::to_string(i) + ".h"; };
  for (int i = 0; i < 63; ++i) folder.write(name(i), "#include \"" + name(i + 1) + "\"\n");
  folder.write(name(63), "int last;\n");
  CHECK(read_source(folder.path() / name(0), {}).find("int last;") != std::string::npos);
  const Failure failure = failure_of(
      [&] { static_cast<void>(read_source(folder.write("top.cl", "#include \"h0.h\"\n"), {})); });
  CHECK(failure.kind() == FailureKind::compile_error);
  CHECK_THAT(failure.what(), ContainsSubstring("64 deep"));
}

TEST_CASE("ptxas's report is read per entry") {
  const auto usage = parse_ptxas_log(
      "ptxas info    : 0 bytes gmem, 256 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_80'\n"
      "ptxas info    : Function properties for first\n"
      "ptxas         .     400 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 1 barriers, 400 bytes cumulative stack size, 2048 bytes "
      "smem, "
      "360 bytes cmem[0], 8 bytes cmem[2]\n"
      "ptxas info    : Compile time = 9.990 ms\n"
      "ptxas info    : Function properties for _Z6helperf\n"
      "ptxas         .     64 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_80'\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'third' for 'sm_90'\n"
      "    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Used 255 registers\n");
  REQUIRE(usage.size() == 3);
  const KernelUsage& first = usage.at("first");
  CHECK(first.registers == 32);
  CHECK(first.spill_store_bytes == 24);
  CHECK(first.spill_load_bytes == 16);
  CHECK(first.spill_bytes() == 40);
  CHECK(first.shared_bytes == 2048);
  CHECK(first.local_bytes == 400);
  CHECK(first.constant_bytes == 264);
  const KernelUsage& second = usage.at("second");
  CHECK(second.registers == 8);
  CHECK(second.spill_bytes() == 0);
  CHECK(second.shared_bytes == 0);
  CHECK_FALSE(second.constant_bytes.has_value());
  CHECK(usage.at("third").registers == 255);
  CHECK(usage.at("third").spill_bytes() == 32);
  CHECK(parse_ptxas_log("").empty());
  CHECK(parse_ptxas_log("kernel.cu(3): warning: something, used 7 registers\n").empty());
}

TEST_CASE("a cache entry comes back whole, for its own key, and never damaged") {
  const TemporaryDirectory folder;
  const std::filesystem::path kept = folder.path() / "deep" / "cache";
  const KernelCache cache("test", kept);
  const CompiledKernel kernel{{0, 1, '\xff', '\n', 7}, "12\na log\n"};
  CHECK_FALSE(cache.load("key").has_value());
  CHECK(cache.store("key", kernel).empty());
  const auto found = cache.load("key");
  REQUIRE(found.has_value());
  CHECK(found->code == kernel.code);
  CHECK(found->log == kernel.log);
  CHECK_FALSE(cache.load("kez").has_value());
  CHECK_FALSE(KernelCache("another", kept).load("key").has_value());

  const std::filesystem::path file = files_under(kept / "kernels").at(0);
  std::ofstream(file, std::ios::binary | std::ios::app) << "more";
  CHECK_FALSE(cache.load("key").has_value());
  CHECK(cache.store("key", {{}, ""}).empty());
  REQUIRE(cache.load("key").has_value());
  CHECK(cache.load("key")->code.empty());
  // The folder is a file.
  std::ofstream(folder.path() / "plain") << "text";
  CHECK_THAT(KernelCache("test", folder.path() / "plain").store("key", kernel),
             Catch::Matchers::ContainsSubstring("cannot write"));
}

TEST_CASE("a cache entry belongs to the variables that its compiler heeds") {
  const TemporaryDirectory folder;
  const auto cache = [&] { return KernelCache("test", folder.path(), {"BENCHCTL_HEEDED_"}); };
  CHECK(cache().store("key", {{1}, ""}).empty());
  REQUIRE(setenv("BENCHCTL_HEEDED_FLAGS", "-DZ=1", 1) == 0);
  CHECK_FALSE(cache().load("key").has_value());
  unsetenv("BENCHCTL_HEEDED_FLAGS");
  // They change no code.
  REQUIRE(setenv("BENCHCTL_HEEDED_VISIBLE_DEVICES", "1", 1) == 0);
  REQUIRE(setenv("BENCHCTL_UNHEEDED", "1", 1) == 0);
  CHECK(cache().load("key").has_value());
  unsetenv("BENCHCTL_HEEDED_VISIBLE_DEVICES");
  unsetenv("BENCHCTL_UNHEEDED");
}
