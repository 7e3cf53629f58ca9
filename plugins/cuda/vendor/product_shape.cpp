#include "vendor/product_shape.hpp"

#include <limits>

namespace benchctl::cuda {

ProductShape product_shape(const ProblemSpec& spec, const std::string& who) {
  const auto buffer_named = [&](const char* name) {
    if (const auto index = spec.buffer_index(name)) return *index;
    throw Failure(FailureKind::unsupported, who + " needs a buffer " + name + ", which workload '" +
                                                spec.workload + "' does not have");
  };
  const auto size_named = [&](const char* name) {
    const auto index = spec.scalar_index(name);
    const auto* value = index ? std::get_if<std::int64_t>(&spec.scalars[*index].value) : nullptr;
    if (value == nullptr || *value < 1 || *value > std::numeric_limits<int>::max()) {
      throw Failure(FailureKind::unsupported, who + " needs a size " + name + " between 1 and 2147483647");
    }
    return static_cast<int>(*value);
  };
  ProductShape shape;
  shape.a = buffer_named("A");
  shape.b = buffer_named("B");
  shape.c = buffer_named("C");
  shape.m = size_named("m");
  shape.n = size_named("n");
  shape.k = size_named("k");
  shape.type = spec.buffers[shape.c].type;
  return shape;
}

}  // namespace benchctl::cuda
