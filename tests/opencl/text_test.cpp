// The plugin's pure functions: names, options of the compiler.
#include <benchctl/failure.hpp>

#include "compile/register_limit.hpp"
#include "driver/identity.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::opencl;

TEST_CASE("platforms have short names") {
  for (const auto& [name, slug] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Portable Computing Language", "pocl"},
           {"NVIDIA CUDA", "nvidia"},
           {"Oclgrind", "oclgrind"},
           {"AMD Accelerated Parallel Processing", "amd"},
           {"rusticl", "rusticl"},
           {"ARM Platform", "arm"},
           {"Intel(R) OpenCL Graphics", "intel"},
           {"", "platform"}})
    CHECK(platform_slug(name) == slug);
  CHECK(unique_slugs({"Intel(R) OpenCL", "NVIDIA CUDA", "Intel(R) OpenCL Graphics", "Intel(R) FPGA"}) ==
        std::vector<std::string>{"intel", "nvidia", "intel-2", "intel-3"});
}

TEST_CASE("the architecture of a CPU under PoCL is the compiler's target, whatever the product is called") {
  CHECK(pocl_target("OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-skylake-avx512") ==
        "x86-64-pc-linux-gnu-skylake-avx512");
  CHECK(pocl_target("OpenCL 3.0 PoCL HSTR: cpu-aarch64-unknown-linux-gnu-cortex-a72") ==
        "aarch64-unknown-linux-gnu-cortex-a72");
  CHECK(pocl_target("OpenCL 3.0 CUDA").empty());
  CHECK(pocl_target("").empty());
}

TEST_CASE("NVIDIA's slot is device and function") {
  CHECK(gpu::physical_identity(pci_from_nvidia(2, 3, 0x0b)) == "pci:0002:03:01.3");
}

TEST_CASE("the limit of registers is a number and carries no other option") {
  CHECK_FALSE(register_limit({{"TILE", "x"}}).has_value());
  CHECK(register_limit({{"REGISTERS", "128"}}) == 128);
  CHECK_FALSE(register_limit({{"REGISTERS", "0"}}).has_value());
  for (const char* text : {"", "128 -I/elsewhere", "-1", "many", "99999999999999999999"}) {
    CHECK_THROWS_AS(register_limit({{"REGISTERS", text}}), Failure);
  }
}
