// docs/registers.csv as it is written, read and compared.
#include <catch2/catch_test_macros.hpp>

#include "register_table.hpp"

using namespace benchctl::test;
using benchctl::cuda::KernelUsage;

TEST_CASE("a table of registers is read as it is written", "[cuda]") {
  RegisterTable table;
  table.nvrtc = "13.0.88";
  KernelUsage& usage = table.rows[{"copy", "copy_plain", "BLOCK=64 REAL=float", "sm_80"}];
  usage.registers = 32;
  usage.spill_store_bytes = 24;
  usage.spill_load_bytes = 16;
  usage.shared_bytes = 4096;
  table.rows[{"copy", "copy_plain", "", "sm_90a"}].registers = 8;
  const std::string csv = to_csv(table);
  INFO(csv);
  CHECK(csv.starts_with("# NVRTC 13.0.88\n"));
  CHECK(csv.find("\ncopy,copy_plain,BLOCK=64 REAL=float,sm_80,32,24,16,4096\n") != std::string::npos);
  const RegisterTable again = parse_register_table(csv);
  CHECK(again.nvrtc == table.nvrtc);
  CHECK(again.rows.size() == 2);
  CHECK(differences(again.rows, table.rows).empty());
  for (const char* broken :
       {"copy,f,,sm_80,32,0,0,\n", "copy,f,,sm_80,32,0,0,x\n", "copy,f,,sm_80,32,0,0\n",
        "copy,f,,sm_80,32,0,0,1,1\n", "copy,copy_plain,,sm_90a,8,0,0,0\n"}) {
    INFO(broken);
    CHECK_THROWS(parse_register_table(csv + broken));
  }
  CHECK_THROWS(parse_register_table("copy,f,,sm_80,32,0,0,0\n"));
}

TEST_CASE("a table of registers differs in every number and in rows of one side", "[cuda]") {
  const CompiledKernel kernel{"copy", "copy_plain", "REAL=float", "sm_80"};
  const std::map<CompiledKernel, KernelUsage> table{{kernel, {}}};
  for (std::uint64_t KernelUsage::*number : {&KernelUsage::registers, &KernelUsage::spill_store_bytes,
                                             &KernelUsage::spill_load_bytes, &KernelUsage::shared_bytes}) {
    std::map<CompiledKernel, KernelUsage> now = table;
    now[kernel].*number = 77;
    const std::vector<std::string> found = differences(table, now);
    REQUIRE(found.size() == 1);
    CHECK(found[0].find("copy_plain [REAL=float] for sm_80") != std::string::npos);
    CHECK(found[0].find("77") != std::string::npos);
  }
  std::map<CompiledKernel, KernelUsage> some = table;
  some[kernel].registers = 161;
  std::map<CompiledKernel, KernelUsage> more = table;
  more[kernel].registers = 168;
  CHECK(differences(some, more).empty());
  more[kernel].registers = 176;
  CHECK(differences(some, more).empty());
  CHECK(differences(more, some).empty());
  more[kernel].registers = 177;
  CHECK(differences(some, more).size() == 1);
  CHECK(differences(more, some).size() == 1);
  more[kernel].registers = 168;
  more[kernel].spill_store_bytes = 4;
  CHECK(differences(some, more).size() == 1);
  CHECK(differences(table, {}).at(0).find("no variant's any more") != std::string::npos);
  CHECK(differences({}, table).at(0).find("not in the table") != std::string::npos);
}
