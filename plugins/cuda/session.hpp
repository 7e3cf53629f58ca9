// One opened GPU, as the engine sees it.
#pragma once

#include "driver/context.hpp"

#include <memory>

namespace benchctl::cuda {

class DeviceSession final : public Session {
 public:
  explicit DeviceSession(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override;
  [[nodiscard]] std::optional<std::uint64_t> free_memory() override;

 private:
  std::shared_ptr<Context> context_;
};

}  // namespace benchctl::cuda
