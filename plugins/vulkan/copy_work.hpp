// The driver's own copy of a buffer.
#pragma once

#include "buffers.hpp"
#include "work.hpp"

#include <string_view>

namespace benchctl::vulkan {

class CopyWork final : public Work {
 public:
  /// `source` and `target` are names of the problem's buffers.
  CopyWork(const Buffers& buffers, std::string_view source, std::string_view target);

  void record(Commands& commands, std::uint32_t set) const override;
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return {{"function", "vkCmdCopyBuffer"}};
  }

 private:
  const Buffers& buffers_;
  std::size_t source_;
  std::size_t target_;
};

}  // namespace benchctl::vulkan
