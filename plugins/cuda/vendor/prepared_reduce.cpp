#include "vendor/prepared_reduce.hpp"

#include <array>
#include <utility>

namespace benchctl::cuda {

namespace {

constexpr std::array<std::pair<const char*, CubOp>, 6> operations_by_name{{{"sum", CubOp::sum},
                                                                           {"min", CubOp::min},
                                                                           {"max", CubOp::max},
                                                                           {"mean", CubOp::mean},
                                                                           {"norm", CubOp::norm},
                                                                           {"dot", CubOp::dot}}};

CubOp operation_of(const ProblemSpec& spec) {
  const auto found = spec.parameters.find("op");
  const auto* word = found == spec.parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  for (const auto& [name, op] : operations_by_name) {
    if (word != nullptr && *word == name) return op;
  }
  throw Failure(FailureKind::unsupported, "CUB's reduction has no such operation");
}

}  // namespace

PreparedReduce::PreparedReduce(DeviceProblem& problem)
    : PreparedExecution(problem), op_(operation_of(problem.spec())) {
  for (std::uint32_t set = 0; set < problem.sets(); ++set) reductions_.push_back(reduction(set));
  if (const CubError error = cub_temporary_bytes(reductions_.at(0), bytes_)) {
    throw Failure(FailureKind::unsupported, std::string("CUB cannot be used here: ") + error);
  }
  temporary_ = allocate(context().driver(), bytes_, "CUB's temporary memory");
}

PreparedReduce::~PreparedReduce() { context().make_current_quietly(); }

CubReduction PreparedReduce::reduction(std::uint32_t set) const {
  const ProblemSpec& spec = problem().spec();
  const auto address = [&](const char* name) -> void* {
    const auto index = spec.buffer_index(name);
    return index ? reinterpret_cast<void*>(problem().address(set, *index)) : nullptr;
  };
  const auto n = std::get<std::int64_t>(spec.scalars.at(spec.position_of_scalar("n")).value);
  return {op_,
          spec.buffers.front().type == DType::f64,
          address("x"),
          address("y"),
          address("result"),
          static_cast<int>(n)};
}

void PreparedReduce::enqueue(std::uint32_t set) {
  const CubError error = cub_reduce(reductions_.at(set), reinterpret_cast<void*>(temporary_.get()), bytes_,
                                    context().stream());
  if (error != nullptr) {
    throw Failure(FailureKind::launch_error, std::string("launching CUB's reduction failed: ") + error);
  }
}

std::map<std::string, std::string, std::less<>> PreparedReduce::notes() const {
  return {{"library", cub_version()}, {"temporary_bytes", std::to_string(bytes_)}};
}

}  // namespace benchctl::cuda
