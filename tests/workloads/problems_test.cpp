// Problems of workloads in tests/golden/expected/problem_cases.txt: their parameters, buffers and costs, or
// why there is none.
#include "model/json.hpp"
#include "model/values.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

using namespace benchctl;

namespace {

/// `WORKLOAD NAME=VALUE…`; a `layout` among them is no parameter, and `exactly` leaves out the defaults.
std::string described(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  const Workload& workload = *Workloads::built_in().find(name);
  Parameters parameters;
  std::string layout;
  bool complete = true;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string text = word.substr(equals + 1);
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    complete = complete && word != "exactly";
    if (word.starts_with("layout=")) {
      layout = text;
    } else if (word != "exactly") {
      parameters[word.substr(0, equals)] = json.is_discarded() ? Value(text) : value_from_json(json);
    }
  }
  try {
    if (complete) parameters = complete_parameters(workload, parameters);
    std::string all = to_text(parameters);
    for (const BufferSpec& buffer : workload.problem(parameters, layout).buffers) {
      all += fmt::format("; {} {} {} {} in {}", to_string(buffer.role), buffer.name, buffer.count,
                         to_string(buffer.type), to_string(buffer.space));
    }
    const Cost cost = workload.cost(parameters);
    return all + fmt::format("; {:.0f} operations, {:.0f} bytes read, {:.0f} written", cost.flops,
                             cost.bytes_read, cost.bytes_written);
  } catch (const ProblemError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("problems have parameters, buffers and costs, or say why they cannot be had") {
  test::check_cases("problem_cases.txt", [](const std::string& text) {
    std::vector<std::string> answers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) answers.push_back(line + ": " + described(line));
    return answers;
  });
}
