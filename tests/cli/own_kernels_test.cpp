// Kernels and workloads that a config brings, and searches, from end to end on the fake backend.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

/// What the fake backend's variants take from their tunables; a kernel of the same name behaves like them.
const std::string fake_tunables =
    "[kernel.tunables]\nTILE = 1\nns = 100000\nnoise = 0.0\nnoise_seed = 1\ncorrelation = 0.0\ntail = "
    "0.0\ndrift = 0.0\n"
    "process = 0.0\nfault_verb = 'run'\n";

std::string kernel(const std::string& name, const std::string& workload,
                   const std::string& source = "mine.k", const std::string& more = "") {
  return "[[kernel]]\nname = '" + name + "'\nworkload = '" + workload + "'\nbackend = 'fake'\nsource = '" +
         source + "'\nentry = 'go'\nblock = 'TILE'\ngrid = 1\ndefines = ['TILE']\n" + more + fake_tunables;
}

std::string own_config(const std::string& kernels, const std::string& sweep) {
  return "[experiment]\nname = 'own'\n[measure]\nmax_seconds = 0.3\n" + kernels +
         "[[sweep]]\nbackends = ['fake']\n" + sweep;
}

/// A product that this file declares: the fake backend multiplies whatever has these parameters.
const std::string product =
    "[workload.product]\nparameters = { n = 8, m = 'n', k = 'n', dtype = ['f32', 'f64'] }\n"
    "cost = { flops = '2 * m * n * k' }\n"
    "[[workload.product.buffer]]\nname = 'A'\ntype = 'dtype'\ncount = 'm * k'\nrole = 'in'\n"
    "[[workload.product.buffer]]\nname = 'B'\ntype = 'dtype'\ncount = 'k * n'\nrole = 'in'\n"
    "[[workload.product.buffer]]\nname = 'C'\ntype = 'dtype'\ncount = 'm * n'\nrole = 'out'\n"
    "[workload.product.check]\nkernel = 'trusted'\nrelative = 'k * roundoff'\n";

json rows_of(const Sandbox& sandbox, const std::string& variant) {
  json rows = json::array();
  const json document = sandbox.exported();
  for (const json& row : document.at("rows")) {
    if (row.at("variant") == variant) rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("a kernel of a config is checked, planned, listed, run and explained like any other") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "#include \"part.h\"\n"));
  static_cast<void>(sandbox.write("part.h", "part\n"));
  const std::string file =
      sandbox
          .write("c.toml",
                 own_config(kernel("mine", "matmul"),
                            "workload = 'matmul'\nvariants = ['mine', 'steady']\nwhere = ['TILE != 4']\n"
                            "parameters = { n = 8, TILE = [2, 4, 8], ns = [100000, 200000] }\n"))
          .string();
  CHECK_THAT(sandbox.call({"check", file}).out, ContainsSubstring("fine; 8 points"));
  CHECK_THAT(sandbox.call({"plan", file}).out, ContainsSubstring("matmul/mine @ fake:0"));
  const Outcome listed = sandbox.call({"list", "matmul", "--config", file});
  CHECK_THAT(listed.out, ContainsSubstring("TILE=1"));
  const Outcome run = sandbox.call({"run", file, "--set", "ns=[100000]"});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  const json rows = rows_of(sandbox, "mine");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("status") == "ok");
  CHECK(rows[1].at("status") == "skipped");
  CHECK_THAT(rows[1].at("reason").get<std::string>(), ContainsSubstring("TILE != 4"));
  CHECK(rows[2].at("status") == "ok");
  CHECK(sandbox.call({"explain", "1:0"}).exit_code == 0);
}

TEST_CASE("the list fits a terminal's line with however many variants") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "mine\n"));
  std::string kernels;
  for (int i = 0; i < 12; ++i) kernels += kernel("variant_of_ours_" + std::to_string(i), "matmul");
  const std::string file =
      sandbox.write("c.toml", own_config(kernels, "workload = 'matmul'\nparameters = { n = 8 }\n"))
          .string();
  const std::string text = sandbox.call({"list", "--config", file}).out;
  std::istringstream lines(text.substr(0, text.find("\nBackends:")));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  INFO(text);
  CHECK(longest <= 200);  // five backends here
  for (int i = 0; i < 12; ++i) CHECK_THAT(text, ContainsSubstring("variant_of_ours_" + std::to_string(i)));
}

TEST_CASE("a stored run keeps its kernels: they are replayed and exported as they were") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "first\n"));
  const std::string file =
      sandbox
          .write("c.toml",
                 own_config(kernel("mine", "matmul"),
                            "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8, TILE = 2 }\n"))
          .string();
  REQUIRE(sandbox.call({"run", file}).exit_code == 0);
  const Outcome unchanged = sandbox.call({"replay", "1:0"});
  INFO(unchanged.err);
  CHECK(unchanged.exit_code == 0);
  CHECK(unchanged.err.find("changed since") == std::string::npos);
  std::filesystem::remove(sandbox.path() / "mine.k");
  std::filesystem::remove(sandbox.path() / "c.toml");
  CHECK(sandbox.call({"replay", "1:0"}).exit_code == 0);
  CHECK(sandbox.call({"export", "--files", (sandbox.path() / "kept").string()}).exit_code == 0);
  CHECK(sandbox.read("kept/mine.k") == "first\n");
}

TEST_CASE("another source is another point: nothing old is taken for it") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "#include \"part.h\"\n"));
  static_cast<void>(sandbox.write("part.h", "one\n"));
  const std::string file =
      sandbox
          .write("c.toml",
                 own_config(kernel("mine", "matmul"),
                            "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8, TILE = 2 }\n"))
          .string();
  REQUIRE(sandbox.call({"run", file}).exit_code == 0);
  CHECK_THAT(sandbox.call({"run", file, "--reuse"}).err,
             ContainsSubstring("1 of 1 points taken from older runs"));
  static_cast<void>(sandbox.write("part.h", "two\n"));
  CHECK_THAT(sandbox.call({"run", file, "--reuse"}).err,
             ContainsSubstring("0 of 1 points taken from older runs"));
}

TEST_CASE("a kernel that is wrong is told so by the workload of the program and by a trusted kernel") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "x\n"));
  const std::string file =
      sandbox
          .write("c.toml", own_config(product + kernel("trusted", "product", "mine.k") +
                                          kernel("wrong", "product") + kernel("good", "product"),
                                      "workload = 'product'\nparameters = { n = [6, 8], TILE = 1 }\n"))
          .string();
  const Outcome run = sandbox.call({"run", file});
  INFO(run.err);
  CHECK(run.exit_code == 1);
  for (const json& row : rows_of(sandbox, "trusted")) CHECK(row.at("status") == "ok");
  for (const json& row : rows_of(sandbox, "good")) CHECK(row.at("status") == "ok");
  const json wrong = rows_of(sandbox, "wrong");
  REQUIRE(wrong.size() == 2);
  for (const json& row : wrong) {
    CHECK(row.at("status") == "wrong");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("elements of C are wrong"));
  }
  CHECK(sandbox.call({"replay", "1:2"}).exit_code == 0);
  CHECK(rows_of(sandbox, "good").at(0).at("gflops").get<double>() > 0);
}

TEST_CASE("a trusted kernel that leaves elements unwritten is no reference") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "x\n"));
  std::string declared = product;
  declared.replace(declared.find("'trusted'"), 9, "'silent'");
  const std::string file =
      sandbox
          .write(
              "c.toml",
              own_config(declared + kernel("silent", "product") + kernel("good", "product"),
                         "workload = 'product'\nvariants = ['good']\nparameters = { n = 8, TILE = 1 }\n"))
          .string();
  CHECK(sandbox.call({"run", file}).exit_code == 1);
  CHECK_THAT(rows_of(sandbox, "good").at(0).at("reason").get<std::string>(),
             ContainsSubstring("does not write C[0], so its outputs cannot serve as a reference"));
}

TEST_CASE("hostile configs are refused before anything runs") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "x\n"));
  struct Case {
    std::string kernels;
    std::string sweep;
    std::string message;
  };
  const std::string plain = "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8, TILE = 2 }\n";
  const Case hostile = GENERATE_COPY(values<Case>(
      {{kernel("mine", "matmul", "../../../../etc/passwd"), plain, "outside the config's folder"},
       {kernel("mine", "matmul", "/etc/passwd"), plain, "outside the config's folder"},
       {kernel("mine", "matmul", "mine.k", "shared_bytes = '" + std::string(5000, '(') + "'\n"), plain,
        "at most 1000 characters"},
       {kernel("mine", "matmul", "mine.k", "shared_bytes = '" + std::string(300, '-') + "1'\n"), plain,
        "nested deeper than 64 levels"},
       {kernel("mine", "matmul"),
        "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8, TILE = { from = 1, to = 90000, "
        "step = 1 }, "
        "ns = { from = 1, to = 90000, step = 1 } }\n",
        "points on this machine; expected at most 100000"}}));
  CAPTURE(hostile.message);
  const Outcome outcome =
      sandbox.call({"run", sandbox.write("c.toml", own_config(hostile.kernels, hostile.sweep)).string()});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring(hostile.message));
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
}

TEST_CASE("an expression that comes to too much rules its point out") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("mine.k", "x\n"));
  const std::string bomb = "shared_bytes = 'TILE * TILE * TILE * TILE * TILE * TILE'\n";
  const std::string file =
      sandbox
          .write("c.toml",
                 own_config(
                     kernel("mine", "matmul", "mine.k", bomb),
                     "workload = 'matmul'\nvariants = ['mine']\nparameters = { n = 8, TILE = 100000 }\n"))
          .string();
  CHECK(sandbox.call({"run", file}).exit_code == 6);
  CHECK_THAT(rows_of(sandbox, "mine").at(0).at("reason").get<std::string>(),
             ContainsSubstring("beyond 2^53"));
}

TEST_CASE("a search tries what it may, and measures the best once more in turns") {
  const Sandbox sandbox;
  const std::string strategy = GENERATE(as<std::string>{}, "random", "hill_climb");
  CAPTURE(strategy);
  const std::string file =
      sandbox
          .write("c.toml",
                 "[experiment]\nname = 's'\n[measure]\nsamples = 6\nmax_seconds = 0.2\n[search]\nstrategy "
                 "= '" +
                     strategy +
                     "'\nmax_points = 40\nseed = 5\n"
                     "[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['steady']\nwhere = "
                     "['ns % 2000 == 0']\n"
                     "parameters = { n = 8, ns = { from = 100000, to = 400000, step = 1000 }, "
                     "tile = { from = 1, to = 90000, step = 1 } }\n")
          .string();
  CHECK_THAT(sandbox.call({"list", "--strategies"}).out, ContainsSubstring(strategy));
  CHECK(
      json::parse(sandbox.call({"list", "--strategies", "--format", "json"}).out).at("strategies").size() ==
      3);
  CHECK_THAT(sandbox.call({"plan", file}).out, ContainsSubstring("up to 40 of 2.709e+07 points"));
  const Outcome run = sandbox.call({"run", file});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out,
             ContainsSubstring("search of sweep 'sweep-1' on fake:0, n=8: 40 of 2.709e+07 points tried"));
  CHECK_THAT(run.out, ContainsSubstring("measured again in turns"));
  const json rows = sandbox.exported().at("rows");
  CHECK(rows.size() > 41);  // and at least two finals
  for (const json& row : rows) CHECK(row.at("tunables").at("ns").get<int>() % 2000 == 0);
}

TEST_CASE("an interrupted search goes on with the same points") {
  const Sandbox whole;
  const std::string text =
      "[experiment]\nname = 's'\n[measure]\nsamples = 6\nmax_seconds = 0.2\n[search]\nstrategy = "
      "'hill_climb'\n"
      "max_points = 48\n[[sweep]]\nworkload = 'matmul'\nbackends = ['fake']\nvariants = ['steady']\n"
      "parameters = { n = 8, ns = { from = 100000, to = 400000, step = 1000 }, tile = { from = 1, to = "
      "100, step = 1 } }\n";
  REQUIRE(whole.call({"run", whole.write("c.toml", text).string()}).exit_code == 0);

  Sandbox broken;
  const std::string file = broken.write("c.toml", text).string();
  const Outcome first = broken.call({"run", file, "--budget", "0.4s"});
  const Outcome second = broken.call({"run", file});
  INFO(first.err << second.err);
  CHECK(second.exit_code == 0);
  const json all = whole.exported().at("rows");
  const json resumed = broken.exported().at("rows");
  REQUIRE(all.size() == resumed.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].at("tunables") == resumed[i].at("tunables"));
  }
}

TEST_CASE("a T1 file is imported into a config that checks") {
  const Sandbox sandbox;
  static_cast<void>(sandbox.write("scale.cu", "x\n"));
  const std::string file =
      sandbox
          .write(
              "t1.json",
              R"json({"ConfigurationSpace": {"TuningParameters": [{"Name": "B", "Type": "int", "Values": "[32, 64]"}]},
                     "KernelSpecification": {"Language": "CUDA", "KernelName": "scale", "KernelFile": "scale.cu",
                       "GlobalSize": {"X": "ceil_div(1024, B)"}, "LocalSize": {"X": "B"},
                       "Arguments": [{"Name": "y", "Type": "float", "MemoryType": "Vector", "Size": 1024,
                                      "AccessType": "WriteOnly"}]}})json")
          .string();
  const Outcome imported = sandbox.call({"tune", "--t1", file});
  REQUIRE(imported.exit_code == 0);
  CHECK_THAT(imported.out, ContainsSubstring("[[kernel]]") && ContainsSubstring("source = \"scale.cu\""));
  const Outcome broken = sandbox.call({"tune", "--t1", sandbox.write("no.json", "{").string()});
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.err, ContainsSubstring("this is not a JSON document"));
}
