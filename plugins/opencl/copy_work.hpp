// copy/vendor: the driver's own copy of a buffer.
#pragma once

#include "buffers.hpp"
#include "work.hpp"

namespace benchctl::opencl {

class CopyWork final : public Work {
 public:
  CopyWork(const OpenDevice& device, const Buffers& buffers)
      : device_(device),
        buffers_(buffers),
        in_(buffers.spec().position_of_buffer("in")),
        out_(buffers.spec().position_of_buffer("out")) {}

  void enqueue(std::uint32_t set, const Bracket& bracket) override;
  [[nodiscard]] std::uint32_t commands() const override { return 1; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"function", "clEnqueueCopyBuffer"}};
  }

 private:
  const OpenDevice& device_;
  const Buffers& buffers_;
  std::size_t in_;
  std::size_t out_;
};

}  // namespace benchctl::opencl
