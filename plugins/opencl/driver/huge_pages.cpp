#include "driver/huge_pages.hpp"

#include <benchctl/rounding.hpp>

#include <sys/mman.h>

#include <cstdlib>
#include <memory>

namespace benchctl::opencl {

namespace {

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

void CL_CALLBACK give_back(cl_mem /*buffer*/, void* memory) { std::free(memory); }

}  // namespace

BufferHandle buffer_on_huge_pages(cl_context context, std::uint64_t bytes, cl_int* status) {
  const std::uint64_t rounded = round_up(bytes, huge_page);
  std::unique_ptr<void, Free> memory(rounded < bytes ? nullptr : std::aligned_alloc(huge_page, rounded));
  if (memory == nullptr) {
    *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return {};
  }
  // Only a wish, to be made before pages are touched; without them everything works.
  madvise(memory.get(), rounded, MADV_HUGEPAGE);
  BufferHandle buffer(
      api().clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory.get(), status));
  if (*status != CL_SUCCESS) return {};
  *status = api().clSetMemObjectDestructorCallback(buffer.get(), &give_back, memory.get());
  if (*status != CL_SUCCESS) return {};
  static_cast<void>(memory.release());  // give_back has it now
  return buffer;
}

}  // namespace benchctl::opencl
