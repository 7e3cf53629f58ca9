// What kernels launch, counted by hand: the lines of plans.txt, whose head says what they mean.
#include "expr/expression.hpp"
#include "model/words.hpp"
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <sstream>

using namespace benchctl;
using namespace benchctl::test;

namespace {

Names split(const std::string& text, char separator) {
  Names parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::pair<std::string, std::string> assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  return {word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1)};
}

/// One line.
class CountedPlan {
 public:
  CountedPlan(Backend& backend, const std::string& line) : backend_(backend) {
    const Names parts = split(line, '|');
    REQUIRE(parts.size() >= 2);
    Names words = split(parts[0], ' ');
    const Names name = split(words.at(0), '/');
    variant_ = &variant_of(backend, name.at(0), name.at(1));
    words.erase(words.begin());
    read_values(words);
    facts_ = split(parts[1], ' ');
    if (parts.size() > 2) architectures_ = split(parts[2], ' ');
    if (architectures_ == Names{"claimed"}) architectures_ = variant_->architectures;
  }

  void check() {
    if (facts_ == Names{"refused"}) {
      CHECK_FALSE(allowed(*variant_, values_));
      return;
    }
    CHECK(allowed(*variant_, values_));
    plan_ = plan_kernel(*variant_->kernel, values_, problem_, kernel_folder());
    const PlannedLaunch& launch = plan_.launches.front();
    compiled_ = std::to_string(launch.local_bytes - std::min(launch.local_bytes, launch.shared_bytes));
    for (const std::string& fact : facts_) {
      const auto [name, expected] = assignment(fact);
      INFO(fact);
      if (name == "compiled") compiled_ = evaluated(expected);
      if (name == "compiled") continue;
      CHECK(found(name) == evaluated(expected));
    }
  }

  /// The variant, if there is an architecture to compile for.
  [[nodiscard]] std::string compiles() const { return architectures_.empty() ? "" : variant_->name; }

  void compile() const {
    for (const std::string& architecture : architectures_) {
      INFO("for " << architecture);
      try {
        check_compiled(backend_.compile(plan_, architecture, {}));
      } catch (const Failure& failure) {
        pardon_older_compiler(failure, architecture);
      }
    }
  }

 private:
  void check_compiled(const CompileResult& result) const {
    CHECK(result.resources.at("spill_bytes") == 0);
    // The compiler's word for matrix instructions that wait for one another.
    CHECK(result.log.find("serialized") == std::string::npos);
    if (plan_.launches.size() > 1) return;
    CHECK(result.resources.at("static_shared_bytes") == std::stod(compiled_));
  }

  void read_values(const Names& words) {
    const Workload& workload = *Workloads::built_in().find(variant_->workload);
    Parameters problem{{"dtype", std::string(to_string(variant_->dtypes.front()))}};
    Parameters tunables = tunables_of(*variant_);
    Parameters device = some_gpu();
    for (const std::string& word : words) {
      const auto [name, text] = assignment(word);
      const bool number = text.find_first_not_of("0123456789") == std::string::npos;
      const Value value = number ? Value(std::int64_t{std::stoll(text)}) : Value(text);
      (tunables.contains(name) ? tunables : device.contains(name) ? device : problem)[name] = value;
    }
    problem = complete_parameters(workload, problem);
    problem_ = workload.problem(problem, "");
    values_ = kernel_values(problem, "", tunables, device);
  }

  /// Words stay; of numbers, "16*4x1" becomes "64x1" and "rows:7*4" becomes "rows:28".
  [[nodiscard]] std::string evaluated(const std::string& expected) const {
    const std::size_t colon = expected.find(':');
    if (colon != std::string::npos)
      return expected.substr(0, colon + 1) + evaluated(expected.substr(colon + 1));
    const bool is_number = expected.find_first_of("0123456789") == 0;
    if (!is_number && !expected.starts_with("ceil_div") && !expected.starts_with("local_bytes"))
      return expected;
    const Parameters values = with_derived(*variant_->kernel, values_);
    std::string text;
    for (const std::string& part : split(expected, 'x'))
      text += (text.empty() ? "" : "x") + std::to_string(parsed_expression(part).count(values));
    return text;
  }

  [[nodiscard]] std::string found(std::string name) const {
    const bool first = name.starts_with("first.");
    const PlannedLaunch& launch = first ? plan_.launches.front() : plan_.launches.back();
    if (first) name = name.substr(name.find('.') + 1);
    const auto shape = [](const std::array<std::uint64_t, 3>& sides) {
      return std::to_string(sides[0]) + "x" + std::to_string(sides[1]) + "x" + std::to_string(sides[2]);
    };
    if (name == "launches") return std::to_string(plan_.launches.size());
    if (name == "grid") return shape(launch.grid);
    if (name == "block") return shape(launch.block);
    if (name == "blocks") return std::to_string(launch.grid[0] * launch.grid[1] * launch.grid[2]);
    if (name == "shared") return std::to_string(launch.shared_bytes);
    if (name == "local") return std::to_string(launch.local_bytes);
    if (name == "entry") return launch.entry;
    if (name.starts_with("scratch")) return std::to_string(plan_.scratch.at(name.back() - '0').count);
    if (name.starts_with("arg")) return argument(launch.arguments.at(name.back() - '0'));
    if (name == "claims") return variant_->architectures.at(0);
    if (name == "needs") return variant_->features.at(0);
    return launch.defines.at(name);
  }

  [[nodiscard]] std::string argument(const PlannedArgument& argument) const {
    if (argument.kind == PlannedArgument::Kind::buffer) return problem_.buffers.at(argument.index).name;
    if (argument.kind == PlannedArgument::Kind::scalar) return problem_.scalars.at(argument.index).name;
    const PlannedScratch& scratch = plan_.scratch.at(argument.index);
    return scratch.name + ":" + std::to_string(scratch.count);
  }

  Backend& backend_;
  const VariantInfo* variant_ = nullptr;
  ProblemSpec problem_;
  Parameters values_;
  Names facts_;
  Names architectures_;
  KernelPlan plan_;
  std::string compiled_;  ///< bytes of static shared memory
};

/// All lines that begin so; `compile_all`: else the first plan of each variant is compiled.
void check_plans(const std::string& prefix, bool compile_all = false) {
  Backend& backend = compiling_backend();
  std::istringstream lines(contents_of(tree_root() / "libexec/benchctl/tests/cuda/plans.txt"));
  std::size_t checked = 0;
  std::set<std::string> compiled;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(prefix)) continue;
    INFO(line);
    CountedPlan plan(backend, line.substr(line.starts_with("full ") ? 5 : 0));
    plan.check();
    if (compile_all || compiled.insert(plan.compiles()).second) plan.compile();
    ++checked;
  }
  CHECK(checked > 0);
}

}  // namespace

TEST_CASE("register tiles are planned as counted", "[cuda]") { check_plans("matmul/register_tiled"); }
TEST_CASE("tiles are planned as counted", "[cuda]") { check_plans("matmul/tiled"); }
TEST_CASE("products by mma.sync are planned as counted", "[cuda]") {
  for (const char* kind : {"tf32", "bf16", "3xtf32"}) check_plans("matmul/tensor_" + std::string(kind));
}
TEST_CASE("products of doubles are planned as counted", "[cuda]") { check_plans("matmul/tensor_f64"); }
TEST_CASE("products by wgmma are planned as counted", "[cuda]") { check_plans("matmul/wgmma"); }
TEST_CASE("products of vectors are planned as counted", "[cuda]") { check_plans("matmul/vectors"); }
TEST_CASE("reductions are planned as counted", "[cuda]") { check_plans("reduce/"); }
TEST_CASE("transposes are planned as counted", "[cuda]") { check_plans("transpose/"); }
TEST_CASE("products of many sizes are planned as counted", "[cuda][full]") { check_plans("full ", true); }
TEST_CASE("all plans that are counted compile as counted", "[cuda][full]") {
  for (const char* workload : {"matmul/", "reduce/", "transpose/"}) check_plans(workload, true);
}
