// A KernelPlan on a device: compiled, arguments bound.
#pragma once

#include "buffers.hpp"
#include "compile/program.hpp"
#include "work.hpp"

namespace benchctl::opencl {

/// Compiles all launches and checks their kernels as KernelWork does, without buffers. Failures as there.
[[nodiscard]] CompileResult compile_plan(const OpenDevice& device, const KernelPlan& plan);

class KernelWork final : public Work {
 public:
  /// Failure compile_error with the log; unsupported when a work-group is larger than the kernel or the
  /// device allows; out_of_memory for scratch buffers.
  KernelWork(const OpenDevice& device, const Buffers& buffers, const KernelPlan& plan);

  void enqueue(std::uint32_t set, const Bracket& bracket) override;
  void reset_scratch() override;
  [[nodiscard]] std::uint32_t commands() const override;
  [[nodiscard]] Resources resources() const override { return resources_; }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override { return notes_; }
  void add_note(const std::string& name, std::string text) { notes_[name] = std::move(text); }

 private:
  struct Launch {
    std::string entry;
    std::vector<KernelHandle> kernels;  ///< one per set, since arguments belong to the kernel object
    std::array<std::size_t, 3> global{};
    std::array<std::size_t, 3> local{};
    bool prepare = false;  ///< runs in reset_scratch, with one kernel
  };
  struct Scratch {
    BufferHandle buffer;
    std::uint64_t bytes = 0;
    bool zeroed = false;
  };

  void bind(cl_kernel kernel, const PlannedLaunch& launch, const KernelPlan& plan, const Buffers& buffers,
            std::uint32_t set) const;
  void enqueue(const Launch& launch, std::uint32_t set, cl_event gate, cl_event* event) const;

  const OpenDevice& device_;
  std::vector<Scratch> scratch_;
  std::vector<Launch> launches_;
  Resources resources_;
  std::map<std::string, std::string, std::less<>> notes_;
};

}  // namespace benchctl::opencl
