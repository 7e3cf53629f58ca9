// Configs by name, and the list of the installed ones.
#include "support/catch.hpp"
#include "support/program.hpp"

using namespace benchctl::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A made-up installation: the program itself with configs of the test.
class Installation : public Sandbox {
 public:
  Installation() {
    fs::create_directories(path() / "bin");
    fs::copy_file(program(), path() / "bin/benchctl");
    fs::create_directories(path() / "share/benchctl");
  }
  void config(const std::string& name, const std::string& text) const {
    const fs::path file = "share/benchctl/configs/" + name + ".toml";
    fs::create_directories((path() / file).parent_path());
    write(file.string(), text);
  }
  [[nodiscard]] Outcome call(const std::vector<std::string>& arguments) const {
    return call_under({"sh", "-c", "shift; exec ./bin/benchctl \"$@\"", "sh"}, arguments);
  }
  Outcome expect(int exit_code, const std::vector<std::string>& arguments) const {
    Outcome outcome = call(arguments);
    CAPTURE(arguments, outcome.out, outcome.err);
    CHECK(outcome.exit_code == exit_code);
    return outcome;
  }
};

std::string titled(const std::string& title) {
  return "[experiment]\nname = \"x\"\ntitle = \"" + title +
         "\"\n[measure]\nmax_seconds = 2\n[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\"]\n" +
         list_of({"steady", "noisy"}) + "\n[sweep.parameters]\nn = [8, 16, 32]\n";
}

}  // namespace

TEST_CASE("a bare name is an installed config, for run, plan and check alike") {
  const Installation installed;
  installed.config("pair", titled("Two"));
  installed.config("deep/pair", titled("Two, deep"));
  for (const std::string command : {"plan", "check", "run"}) {
    INFO(command);
    CHECK_THAT(installed.expect(0, {command, "pair"}).out,
               ContainsSubstring(command == "check" ? "6 points" : "n=32"));
    installed.expect(0, {command, "deep/pair"});
  }
}

TEST_CASE("a file in the current folder comes before an installed config, a folder does not") {
  const Installation installed;
  installed.config("pair", titled("Two"));
  fs::create_directory(installed.path() / "pair");
  CHECK_THAT(installed.call({"check", "pair"}).out, ContainsSubstring("6 points"));
  fs::remove(installed.path() / "pair");
  installed.write("pair", fake_config(list_of({"steady"}), "n = [8]"));
  CHECK_THAT(installed.call({"check", "pair"}).out, ContainsSubstring("1 points"));
}

TEST_CASE("a name that nothing has is told with the nearest names and where they are listed") {
  const Installation installed;
  installed.config("tile_sweep", titled("x"));
  installed.config("limits/sgemm", titled("x"));
  const auto refused = [&](const std::string& name) {
    const Outcome outcome = installed.expect(2, {"run", name});
    CHECK_THAT(outcome.err, HasAll({"there is no file '" + name + "'", "`benchctl list --configs`"}));
    return outcome.err;
  };
  CHECK_THAT(refused("tile_swep"), ContainsSubstring("did you mean 'tile_sweep'?"));
  CHECK_THAT(refused("sgemm"), ContainsSubstring("did you mean 'limits/sgemm'?"));
  CHECK_THAT(refused("limits/sgem"), ContainsSubstring("did you mean 'limits/sgemm'?"));
  CHECK_THAT(refused("nothing_like_that"), !ContainsSubstring("did you mean"));
  // Of a file that the source tree has, the installed name is told.
  for (const std::string path : {"tile_sweep.toml", "configs/limits/sgemm.toml"}) {
    const Outcome outcome = installed.expect(2, {"run", path});
    CHECK_THAT(outcome.err, HasAll({"there is no file '" + path + "' here; the installed config of ",
                                    path == "tile_sweep.toml" ? "'tile_sweep'" : "'limits/sgemm'"}));
  }
  // Other paths are not looked up.
  for (const std::string path : {"other.toml", "./tile_sweep", "/tile_sweep"}) {
    CHECK_THAT(installed.expect(2, {"run", path}).err, ContainsSubstring("cannot be read"));
  }
}

TEST_CASE("configs are listed by name and title, a wrong one costs its own row") {
  const Installation installed;
  CHECK_THAT(installed.expect(2, {"list", "--configs"}).err, ContainsSubstring("there are no configs in"));
  installed.config("b", titled("Second"));
  installed.config("a/deep", titled("Deep"));
  installed.config("c", titled("Third") + "[nonsense]\nx = 1\n");
  installed.config("gates/strict", "[gate]\nthreshold = 0.02\n");
  const Outcome text = installed.expect(0, {"list", "--configs"});
  CHECK_THAT(text.out,
             HasAll({"Second", "cannot be read: unknown key 'nonsense'", "benchctl run CONFIG"}) &&
                 !ContainsSubstring("gates"));
  CHECK(text.out.find("\nb ") < text.out.find("\na/deep "));
  CHECK(installed.log().empty());  // no backend was asked
  const json document =
      json::parse(installed.expect(0, {"list", "--configs", "--format", "json"}).out).at("configs");
  REQUIRE(document.size() == 3);
  CHECK(document[0].at("name") == "b");
  CHECK(document[0].at("title") == "Second");
}

TEST_CASE(
    "a program without its plugins accepts configs that name them, and says where they were looked for") {
  const Installation installed;  // in which `cuda` is neither built nor noted as left out
  installed.config(
      "mixed",
      "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\nbackends = [\"fake\", "
      "\"cuda\"]\n" +
          list_of({"steady", "mine"}) +
          "\n[sweep.parameters]\nn = [8]\n[[kernel]]\nname = \"mine\"\nworkload = \"matmul\"\n"
          "backend = \"cuda\"\ntext = \"kernel\"\nentry = \"go\"\nblock = \"32\"\ngrid = \"n\"\n");
  const Outcome check = installed.expect(0, {"check", "mixed"});
  CHECK_THAT(check.out, ContainsSubstring("fine; 2 points on this machine, 1 of them ruled out"));
  CHECK_THAT(installed.expect(0, {"plan", "mixed"}).out,
             HasAll({"mine", "no plugin 'cuda': libbenchctl_cuda.so is in no plugin folder"}));
  installed.expect(0, {"check", "mixed", "--backend", "fake"});
  CHECK_THAT(installed.expect(2, {"run", "mixed", "--backend", "cuda"}).err,
             ContainsSubstring("--backend cuda: no plugin 'cuda': libbenchctl_cuda.so is in no"));
  installed.config("slip",
                   "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\nbackends = "
                   "[\"cudda\"]\n");
  CHECK_THAT(installed.expect(2, {"check", "slip"}).err,
             HasAll({"unknown backend 'cudda'", "did you mean 'cuda'?"}));
}
