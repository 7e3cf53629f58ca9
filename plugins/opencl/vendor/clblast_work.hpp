// The `vendor` variants: work that CLBlast queues.
#pragma once

#include "buffers.hpp"
#include "work.hpp"

#include <memory>
#include <string_view>

namespace benchctl::opencl {

/// Base of all of them: what remains to be said is the call.
class ClBlastWork : public Work {
 public:
  ClBlastWork(const OpenDevice& device, const Buffers& buffers, std::string_view output);

  void enqueue(std::uint32_t set, const Bracket& bracket) override;
  // CLBlast's own event covers the last of its kernels only.
  [[nodiscard]] bool bracketed() const override { return true; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override;

 protected:
  /// Has the library queue its commands: inputs of a set of buffers, the output as given.
  virtual void call(std::uint32_t set, cl_mem output) const = 0;
  /// Runs once with a copy of the output, so that the library's kernels are chosen and compiled now and not
  /// in a sample. For constructors of derived classes, at their end.
  void rehearse();

  [[nodiscard]] const OpenDevice& device() const { return device_; }
  [[nodiscard]] const Buffers& buffers() const { return buffers_; }
  /// f32 or f64, that of the output.
  [[nodiscard]] DType type() const { return type_; }

 private:
  /// A command that does next to nothing, for the times of its event. (A marker would do, were its
  /// stamps not off by seconds under NVIDIA's driver.)
  void enqueue_stamp(cl_event gate, EventHandle& event) const;

  const OpenDevice& device_;
  const Buffers& buffers_;
  std::size_t output_;
  DType type_;
  BufferHandle stamp_;
};

/// A problem's buffer; Failure unsupported when it has none of that name.
[[nodiscard]] std::size_t clblast_buffer(const ProblemSpec& spec, std::string_view name);
/// An extent; Failure unsupported when it is not a positive integer.
[[nodiscard]] std::size_t clblast_extent(const ProblemSpec& spec, std::string_view name);

/// C = A · B, in the problem's type. Failure unsupported when the library is missing.
[[nodiscard]] std::unique_ptr<Work> make_clblast_matmul(const OpenDevice& device, const Buffers& buffers);
/// Σ x, √Σ x² or Σ x·y, by the problem's `op`. Failure unsupported when the library is missing.
[[nodiscard]] std::unique_ptr<Work> make_clblast_reduce(const OpenDevice& device, const Buffers& buffers);

/// out = inᵀ, in the problem's type. Failure unsupported when the library is missing.
[[nodiscard]] std::unique_ptr<Work> make_clblast_transpose(const OpenDevice& device,
                                                           const Buffers& buffers);

}  // namespace benchctl::opencl
