#include "session.hpp"

#include "problem.hpp"

namespace benchctl::cuda {

std::unique_ptr<Problem> DeviceSession::create_problem(const ProblemRequest& request) {
  return std::make_unique<DeviceProblem>(context_, request);
}

std::optional<std::uint64_t> DeviceSession::free_memory() {
  context_->make_current();
  std::size_t free = 0;
  std::size_t total = 0;
  if (context_->driver().mem_get_info(&free, &total) != CUDA_SUCCESS) return std::nullopt;
  return free;
}

}  // namespace benchctl::cuda
