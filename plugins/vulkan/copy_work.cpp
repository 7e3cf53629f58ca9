#include "copy_work.hpp"

#include <algorithm>

namespace benchctl::vulkan {

CopyWork::CopyWork(const Buffers& buffers, std::string_view source, std::string_view target)
    : buffers_(buffers),
      source_(buffers.spec().position_of_buffer(source)),
      target_(buffers.spec().position_of_buffer(target)) {
  // Tells now, not in the middle of a sample, that a buffer is out of reach.
  static_cast<void>(buffers_.get(0, source_));
  static_cast<void>(buffers_.get(0, target_));
}

void CopyWork::record(Commands& commands, std::uint32_t set) const {
  const std::vector<BufferSpec>& specs = buffers_.spec().buffers;
  commands.copy(buffers_.get(set, source_), 0, buffers_.get(set, target_), 0,
                std::min(specs[source_].bytes(), specs[target_].bytes()));
}

}  // namespace benchctl::vulkan
