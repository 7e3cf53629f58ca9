#include "vendor/clblast_work.hpp"

#include "driver/error.hpp"
#include "vendor/clblast.hpp"

namespace benchctl::opencl {

ClBlastWork::ClBlastWork(const OpenDevice& device, const Buffers& buffers, std::string_view output)
    : device_(device),
      buffers_(buffers),
      output_(clblast_buffer(buffers.spec(), output)),
      type_(buffers.spec().buffers[output_].type) {
  if (!clblast().missing.empty()) throw Failure(FailureKind::unsupported, clblast().missing);
  if (type_ != DType::f32 && type_ != DType::f64) {
    throw Failure(FailureKind::unsupported,
                  "CLBlast is used for f32 and f64, not " + std::string(to_string(type_)));
  }
}

void ClBlastWork::rehearse() {
  const BufferHandle copy =
      device_.allocate(buffers_.spec().buffers[output_].bytes(), "CLBlast's first run");
  call(0, copy.get());
  device_.finish();
  stamp_ = device_.allocate(sizeof(cl_uint), "a time stamp");
}

void ClBlastWork::enqueue(std::uint32_t set, const Bracket& bracket) {
  if (bracket.first != nullptr) enqueue_stamp(bracket.gate, *bracket.first);
  call(set, buffers_.get(set, output_));
  if (bracket.last != nullptr) enqueue_stamp(nullptr, *bracket.last);
}

void ClBlastWork::enqueue_stamp(cl_event gate, EventHandle& event) const {
  device_.enqueue_fill(stamp_.get(), 0, sizeof(cl_uint), std::byte{0}, gate, event.out());
}

std::map<std::string, std::string, std::less<>> ClBlastWork::notes() const {
  return {{"library", clblast().description}};
}

std::size_t clblast_buffer(const ProblemSpec& spec, std::string_view name) {
  const auto index = spec.buffer_index(name);
  if (!index)
    throw Failure(FailureKind::unsupported, "the problem has no buffer '" + std::string(name) + "'");
  return *index;
}

std::size_t clblast_extent(const ProblemSpec& spec, std::string_view name) {
  const auto found = spec.parameters.find(name);
  const auto* value = found == spec.parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  if (value == nullptr || *value < 1) {
    throw Failure(FailureKind::unsupported,
                  "problem parameter '" + std::string(name) + "' is not a positive integer");
  }
  return static_cast<std::size_t>(*value);
}

}  // namespace benchctl::opencl
