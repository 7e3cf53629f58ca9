#include "vendor/prepared_copy.hpp"

namespace benchctl::cuda {

void PreparedCopy::enqueue(std::uint32_t set) {
  const DriverApi& driver = context().driver();
  driver.check(driver.memcpy_dtod_async(problem().address(set, out_), problem().address(set, in_),
                                        problem().spec().buffers[out_].bytes(), context().stream()),
               "copying on the device");
}

}  // namespace benchctl::cuda
