#include "session.hpp"

#include "problem.hpp"

namespace benchctl::cuda {

std::unique_ptr<Problem> DeviceSession::create_problem(const ProblemRequest& request) {
  return std::make_unique<DeviceProblem>(context_, request);
}

}  // namespace benchctl::cuda
