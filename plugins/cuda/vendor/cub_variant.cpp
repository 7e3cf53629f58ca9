// reduce/vendor: CUB. Only compiled where nvcc was found.
#include "gpu/native_work.hpp"
#include "vendor/cub_reduce.hpp"
#include "vendor/variants.hpp"

#include <array>
#include <utility>

namespace benchctl::cuda {

namespace {

CubOp cub_operation(const ProblemSpec& spec) {
  constexpr std::array<std::pair<const char*, CubOp>, 6> by_name{{{"sum", CubOp::sum},
                                                                  {"min", CubOp::min},
                                                                  {"max", CubOp::max},
                                                                  {"mean", CubOp::mean},
                                                                  {"norm", CubOp::norm},
                                                                  {"dot", CubOp::dot}}};
  const std::string word = gpu::operation_of(spec);
  for (const auto& [name, op] : by_name) {
    if (word == name) return op;
  }
  throw Failure(FailureKind::unsupported, "CUB's reduction has no such operation");
}

}  // namespace

std::unique_ptr<gpu::Work> make_cub_reduce(Context& context, const Buffers& buffers) {
  const ProblemSpec& spec = buffers.spec();
  const auto address = [&](std::uint32_t set, const char* name) -> void* {
    const auto index = spec.buffer_index(name);
    return index ? reinterpret_cast<void*>(buffers.get(set, *index).address()) : nullptr;
  };
  std::vector<CubReduction> by_set;
  for (std::uint32_t set = 0; set < buffers.sets(); ++set) {
    by_set.push_back({cub_operation(spec), spec.buffers.front().type == DType::f64, address(set, "x"),
                      address(set, "y"), address(set, "result"), gpu::extent(spec, "n", "CUB")});
  }
  std::size_t bytes = 0;
  if (const CubError error = cub_temporary_bytes(by_set.front(), bytes)) {
    throw Failure(FailureKind::unsupported, std::string("CUB cannot be used here: ") + error);
  }
  const auto temporary =
      std::make_shared<const DeviceMemory>(allocate(context.driver(), bytes, "CUB's temporary memory"));
  // A launch for the parts and one to join them.
  return std::make_unique<gpu::Call>(
      gpu::Call::About{
          "CUB's reduction", 2, {{"library", cub_version()}, {"temporary_bytes", std::to_string(bytes)}}},
      [&context, by_set, bytes, temporary](std::uint32_t set) {
        void* const memory = reinterpret_cast<void*>(temporary->get());
        if (const CubError error = cub_reduce(by_set.at(set), memory, bytes, context.stream())) {
          throw Failure(FailureKind::launch_error,
                        std::string("launching CUB's reduction failed: ") + error);
        }
      });
}

}  // namespace benchctl::cuda
