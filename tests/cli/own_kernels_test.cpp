// Kernels and workloads that a config brings, and searches, from end to end on the fake backend.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <thread>

using namespace benchctl::test;
using nlohmann::json;

TEST_CASE("on a processor, who leaves its state to others is wrong, and they are not") {
  struct Case {
    const char* word;
    const char* reason;
  };
  for (const auto& [word, reason] :
       {Case{"spoils_others",
             "it leaves the processor in another state: mine is right without it and wrong after it"},
        Case{"takes_one_core", "it changes on which processors a thread may run"}}) {
    if (std::string(word) == "takes_one_core" && std::thread::hardware_concurrency() < 2) continue;
    for (const char* variants : {"['spoils', 'mine']", "['mine', 'spoils']"}) {
      INFO(word << variants);
      Sandbox sandbox;
      sandbox.set("BENCHCTL_FAKE_PHYSICAL", "cpu:0");
      sandbox.write("mine.k", "fine\n");
      sandbox.write("spoils.k", std::string(word) + '\n');
      sandbox.write("c.toml",
                    own_config(fake_kernel("spoils", "matmul", "spoils.k") + fake_kernel("mine", "matmul"),
                               "workload = 'matmul'\nvariants = " + std::string(variants) +
                                   "\nparameters = { n = 8 }\n"));
      sandbox.expect(1, {"run", "c.toml"});
      const json mine = sandbox.rows_of("mine").at(0);
      CHECK(mine.at("status") == "ok");
      const json spoils = sandbox.rows_of("spoils").at(0);
      CHECK(spoils.at("status") == "wrong");
      CHECK_THAT(spoils.at("reason").get<std::string>(), ContainsSubstring(reason));
    }
  }
}

TEST_CASE_METHOD(Sandbox,
                 "a kernel of a config is checked, planned, listed, run and explained like any other") {
  write("mine.k", "#include \"part.h\"\n");
  write("part.h", "part\n");
  write("c.toml", own_config(fake_kernel("mine", "matmul"),
                             "workload = 'matmul'\nvariants = ['mine', 'steady']\nwhere = ['TILE != 4']\n"
                             "parameters = { n = 8, TILE = [2, 4, 8], ns = [100000, 200000] }\n"));
  CHECK_THAT(call({"check", "c.toml"}).out, ContainsSubstring("fine; 8 points"));
  CHECK_THAT(call({"plan", "c.toml"}).out, ContainsSubstring("matmul/mine @ fake:0"));
  CHECK_THAT(call({"list", "matmul", "--config", "c.toml"}).out, ContainsSubstring("TILE=1"));
  expect(0, {"run", "c.toml", "--set", "ns=[100000]"});
  const json rows = rows_of("mine");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("status") == "ok");
  CHECK(rows[1].at("status") == "skipped");
  CHECK_THAT(rows[1].at("reason").get<std::string>(), ContainsSubstring("TILE != 4"));
  CHECK(rows[2].at("status") == "ok");
  expect(0, {"explain", "1:0"});
}

TEST_CASE_METHOD(Sandbox, "as root, a config or kernel of another user takes --allow-outside") {
  if (geteuid() != 0) SKIP("only root can give files away");
  const std::string text = own_config(fake_kernel("mine", "matmul"),
                                      "workload = 'matmul'\nvariants = ['mine']\n"
                                      "parameters = { n = 8, TILE = 2 }\n");
  for (const char* name : {"mine.k", "c.toml"}) {
    CAPTURE(name);
    write("mine.k", "mine\n");
    write("c.toml", text);
    expect(0, {"check", "c.toml"});
    REQUIRE(chown((path() / name).c_str(), 65534, 65534) == 0);
    CHECK_THAT(expect(2, {"run", "c.toml"}).err, HasAll({name, " belongs to ", "--allow-outside"}));
    CHECK_THAT(expect(0, {"run", "c.toml", "--allow-outside"}).err, HasAll({name, " belongs to "}));
    std::filesystem::remove(path() / name);
  }
}

TEST_CASE_METHOD(Sandbox, "the list fits a terminal's line with however many variants") {
  write("mine.k", "mine\n");
  std::string kernels;
  for (int i = 0; i < 12; ++i) kernels += fake_kernel("variant_of_ours_" + std::to_string(i), "matmul");
  write("c.toml", own_config(kernels, "workload = 'matmul'\nparameters = { n = 8 }\n"));
  const std::string text = call({"list", "--config", "c.toml"}).out;
  std::istringstream lines(text.substr(0, text.find("\nBackends:")));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  INFO(text);
  CHECK(longest <= 200);  // five backends here
  for (int i = 0; i < 12; ++i) CHECK_THAT(text, ContainsSubstring("variant_of_ours_" + std::to_string(i)));
}

TEST_CASE_METHOD(Sandbox, "a stored run keeps its kernels: they are replayed and exported as they were") {
  write("mine.k", "first\n");
  run(own_config(fake_kernel("mine", "matmul"),
                 "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8, TILE = 2 }\n"));
  const Outcome unchanged = expect(0, {"replay", "1:0"});
  CHECK(unchanged.err.find("changed since") == std::string::npos);
  std::filesystem::remove(path() / "mine.k");
  std::filesystem::remove(path() / "c.toml");
  expect(0, {"replay", "1:0"});
  expect(0, {"export", "--files", (path() / "kept").string()});
  CHECK(read("kept/mine.k") == "first\n");
}

TEST_CASE_METHOD(
    Sandbox, "a kernel that is wrong is told so by the workload of the program and by a trusted kernel") {
  write("mine.k", "x\n");
  run(own_config(product_workload("trusted") + fake_kernel("trusted", "product", "mine.k") +
                     fake_kernel("wrong", "product") + fake_kernel("good", "product"),
                 "workload = 'product'\nparameters = { n = [6, 8], TILE = 1 }\n"),
      1);
  for (const json& row : rows_of("trusted")) CHECK(row.at("status") == "ok");
  for (const json& row : rows_of("good")) CHECK(row.at("status") == "ok");
  const json wrong = rows_of("wrong");
  REQUIRE(wrong.size() == 2);
  for (const json& row : wrong) {
    CHECK(row.at("status") == "wrong");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("elements of C are wrong"));
  }
  expect(0, {"replay", "1:2"});
  CHECK(rows_of("good").at(0).at("gflops").get<double>() > 0);
}

TEST_CASE_METHOD(Sandbox, "a kernel that is wrong in one of its sizes is wrong in that one alone") {
  write("mine.k", "x\n");
  write("wrong.k", "wrong_results\n");
  const std::string at_four =
      "[[kernel.launch]]\nsource = 'wrong.k'\nwhen = 'TILE == 4'\n"
      "[[kernel.launch]]\nwhen = 'TILE != 4'\n";
  run(own_config(sized_workload("trusted") + fake_kernel("trusted", "sized") +
                     fake_kernel("partly", "sized", "mine.k", at_four),
                 "workload = 'sized'\nparameters = { TILE = [1, 4, 16] }\n"),
      1);
  for (const json& row : rows_of("trusted")) CHECK(row.at("status") == "ok");
  const json partly = rows_of("partly");
  REQUIRE(partly.size() == 3);
  CHECK(partly[0].at("status") == "ok");
  CHECK(partly[1].at("status") == "wrong");
  CHECK_THAT(partly[1].at("reason").get<std::string>(),
             ContainsSubstring("1 of 4 elements of y are wrong, the first is number 3"));
  CHECK(partly[2].at("status") == "ok");
  expect(1, {"replay", "1:4"});
  expect(0, {"replay", "1:5"});
}

TEST_CASE_METHOD(Sandbox, "points of several sizes are measured in turns") {
  write("mine.k", "x\n");
  const Outcome told = run(own_config(sized_workload("only") + fake_kernel("only", "sized"),
                                      "workload = 'sized'\nparameters = { TILE = [1, 4, 16] }\n"));
  // Their times are equal. Those that no common rounds compare would have this remark.
  CHECK_THAT(told.out, ContainsSubstring("own reference") && !ContainsSubstring("not together"));
  const json all = rows();
  REQUIRE(all.size() == 3);
  for (const json& row : all) CHECK(row.at("rank") == 1);
  CHECK(all[2].at("gbytes_per_s").get<double>() > all[0].at("gbytes_per_s").get<double>());
}

TEST_CASE_METHOD(Sandbox, "a trusted kernel that leaves elements unwritten is no reference") {
  write("mine.k", "x\n");
  run(own_config(
          product_workload("silent") + fake_kernel("silent", "product") + fake_kernel("good", "product"),
          "workload = 'product'\nvariants = ['good']\nparameters = { n = 8, TILE = 1 }\n"),
      1);
  CHECK_THAT(rows_of("good").at(0).at("reason").get<std::string>(),
             ContainsSubstring("does not write C[0], so its outputs cannot serve as a reference"));
}

TEST_CASE_METHOD(Sandbox, "a trusted kernel that fails has its own status, the others have no reference") {
  const auto [trusted, status] = GENERATE(table<std::string, std::string>(
      {{"source", "compile_error"}, {"unsupported", "skipped"}, {"memory", "out_of_memory"}}));
  CAPTURE(trusted);
  write("mine.k", "x\n");
  run(own_config(
          product_workload(trusted) + fake_kernel(trusted, "product") + fake_kernel("good", "product"),
          "workload = 'product'\nparameters = { n = 8, TILE = 1 }\n"),
      1);
  CHECK(rows_of(trusted).at(0).at("status") == status);
  const json good = rows_of("good").at(0);
  CHECK(good.at("status") == "launch_error");
  CHECK_THAT(good.at("reason").get<std::string>(),
             HasAll({"no reference to verify against: trusted kernel '" + trusted + "'", "scripted"}));
}

TEST_CASE_METHOD(Sandbox, "a search tries what it may, and measures the best once more in turns") {
  const std::string strategy = GENERATE(as<std::string>{}, "random", "hill_climb");
  CAPTURE(strategy);
  write("c.toml",
        "[experiment]\nname = 's'\n[measure]\nsamples = 6\nmax_seconds = 0.2\n[search]\nstrategy "
        "= '" +
            strategy +
            "'\nmax_points = 40\nseed = 5\n"
            "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['steady']\nwhere = "
            "['ns % 2000 == 0']\n"
            "parameters = { n = 8, ns = { from = 100000, to = 400000, step = 1000 }, "
            "tile = { from = 1, to = 90000, step = 1 } }\n");
  CHECK_THAT(call({"list", "--strategies"}).out, ContainsSubstring(strategy));
  CHECK(parsed({"list", "--strategies"}).at("strategies").size() == 5);
  CHECK_THAT(call({"plan", "c.toml"}).out, ContainsSubstring("up to 40 of 2.709e+07 points"));
  const Outcome run = expect(0, {"run", "c.toml"});
  CHECK_THAT(run.out, HasAll({"search of sweep 'sweep-1' on fake:0, n=8: 40 of 2.709e+07 points tried",
                              "measured again in turns"}));
  const json rows = this->rows();
  CHECK(rows.size() > 41);  // and at least two finals
  for (const json& row : rows) CHECK(row.at("tunables").at("ns").get<int>() % 2000 == 0);
}
