// The plugin's pure functions: names, build logs.
#include <benchctl/failure.hpp>

#include "compile/build_log.hpp"
#include "compile/register_limit.hpp"
#include "driver/identity.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;
using namespace benchctl::opencl;

TEST_CASE("platforms have short names") {
  CHECK(platform_slug("Portable Computing Language") == "pocl");
  CHECK(platform_slug("NVIDIA CUDA") == "nvidia");
  CHECK(platform_slug("Intel(R) OpenCL Graphics") == "intel");
  CHECK(platform_slug("AMD Accelerated Parallel Processing") == "amd");
  CHECK(platform_slug("Oclgrind") == "oclgrind");
  CHECK(platform_slug("rusticl") == "rusticl");
  CHECK(platform_slug("ARM Platform") == "arm");
  CHECK(platform_slug("") == "platform");
  CHECK(unique_slugs({"Intel(R) OpenCL", "NVIDIA CUDA", "Intel(R) OpenCL Graphics", "Intel(R) FPGA"}) ==
        std::vector<std::string>{"intel", "nvidia", "intel-2", "intel-3"});
}

TEST_CASE("NVIDIA's slot is device and function") {
  CHECK(gpu::physical_identity(pci_from_nvidia(2, 3, 0x0b)) == "pci:0002:03:01.3");
}

TEST_CASE("registers and spills are read from NVIDIA's build log") {
  const auto usage = parse_build_log(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90'\n"
      "ptxas info    : Function properties for first\n"
      "    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Used 255 registers, 8192 bytes smem, 384 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90'\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers\n");
  REQUIRE(usage.size() == 2);
  CHECK(usage.at("first").registers == 255);
  CHECK(usage.at("first").spill_bytes == 32);
  CHECK(usage.at("second").registers == 24);
  CHECK(usage.at("second").spill_bytes == 0);
  CHECK(parse_build_log("warning: 24 registers are few\n").empty());
}

TEST_CASE("the limit of registers is a number and carries no other option") {
  CHECK_FALSE(register_limit({{"TILE", "x"}}).has_value());
  CHECK(register_limit({{"REGISTERS", "128"}}) == 128);
  CHECK_FALSE(register_limit({{"REGISTERS", "0"}}).has_value());
  for (const char* text : {"", "128 -I/elsewhere", "-1", "many", "99999999999999999999"}) {
    CHECK_THROWS_AS(register_limit({{"REGISTERS", text}}), Failure);
  }
}
