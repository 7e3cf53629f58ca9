#include "request.hpp"

#include <benchctl/failure.hpp>

#include <limits>

namespace benchctl::cpu_avx {

namespace {

template <class T>
const T* tunable(const PrepareRequest& request, std::string_view name) {
  const auto found = request.tunables.find(name);
  return found != request.tunables.end() ? std::get_if<T>(&found->second) : nullptr;
}

}  // namespace

void unsupported(const std::string& text) { throw Failure(FailureKind::unsupported, text); }

std::int64_t integer_tunable(const PrepareRequest& request, std::string_view name) {
  const auto* value = tunable<std::int64_t>(request, name);
  if (value == nullptr) {
    unsupported("variant '" + request.variant->name + "' needs an integer '" + std::string(name) + "'");
  }
  return *value;
}

const std::string& word_tunable(const PrepareRequest& request, std::string_view name) {
  const auto* value = tunable<std::string>(request, name);
  if (value == nullptr) {
    unsupported("variant '" + request.variant->name + "' needs a word '" + std::string(name) + "'");
  }
  return *value;
}

unsigned requested_threads(const PrepareRequest& request, const Machine& machine) {
  const std::int64_t threads = integer_tunable(request, "threads");
  const auto usable = static_cast<std::int64_t>(machine.pool.capacity());
  if (threads < 0 || threads > usable) {
    unsupported("threads = " + std::to_string(threads) + " was asked for, but this process may use " +
                std::to_string(usable) + " cores: choose 0 (all) to " + std::to_string(usable));
  }
  return static_cast<unsigned>(threads == 0 ? usable : threads);
}

std::int32_t scalar_of(const ProblemSpec& spec, std::string_view name) {
  const auto index = spec.scalar_index(name);
  const auto* value = index ? std::get_if<std::int64_t>(&spec.scalars[*index].value) : nullptr;
  if (value == nullptr || *value < 1 || *value > std::numeric_limits<std::int32_t>::max()) {
    unsupported(spec.workload + " needs a positive 32-bit scalar '" + std::string(name) + "'");
  }
  return static_cast<std::int32_t>(*value);
}

std::size_t buffer_of(const ProblemSpec& spec, std::string_view name, DType type, std::uint64_t count) {
  const auto index = spec.buffer_index(name);
  if (!index || spec.buffers[*index].type != type || spec.buffers[*index].count != count) {
    unsupported(spec.workload + " needs a buffer '" + std::string(name) + "' of " + std::to_string(count) +
                " " + std::string(to_string(type)) + " elements");
  }
  return *index;
}

}  // namespace benchctl::cpu_avx
