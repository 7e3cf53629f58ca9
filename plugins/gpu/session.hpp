// What a session is where one sampler takes the samples of every variant: of backends that make a `Work` of
// each. `Shared` has the open `device` and its `sampler`; it lives as long as the last object of a session.
#pragma once

#include <benchctl/backend.hpp>

#include <memory>
#include <utility>

namespace benchctl::gpu {

template <class Shared, class Buffers, class Work>
class SampledWork final : public Prepared {
 public:
  SampledWork(std::shared_ptr<Shared> shared, const Buffers& buffers, std::unique_ptr<Work> work)
      : shared_(std::move(shared)), buffers_(buffers), work_(std::move(work)) {}

  [[nodiscard]] Resources resources() const override { return work_->resources(); }
  [[nodiscard]] std::map<std::string, std::string, std::less<>> notes() const override {
    return work_->notes();
  }
  double run(std::uint32_t set) override { return shared_->sampler.run(*work_, set); }
  void reset_scratch() override { work_->reset_scratch(); }
  [[nodiscard]] SampleBlock sample(const SampleRequest& request) override {
    return shared_->sampler.sample(*work_, buffers_, request);
  }

 private:
  std::shared_ptr<Shared> shared_;
  const Buffers& buffers_;
  std::unique_ptr<Work> work_;
};

template <class Shared, class Buffers, class Work>
class SampledProblem : public Problem {
 public:
  SampledProblem(std::shared_ptr<Shared> shared, const ProblemRequest& request)
      : shared_(std::move(shared)), buffers_(shared_->device, request) {}

  void write(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
             std::span<const std::byte> bytes) override {
    buffers_.write(set, buffer, offset, bytes);
  }
  void read(std::uint32_t set, std::size_t buffer, std::uint64_t offset,
            std::span<std::byte> bytes) const override {
    buffers_.read(set, buffer, offset, bytes);
  }
  void fill(std::uint32_t set, std::size_t buffer, std::uint64_t offset, std::uint64_t bytes,
            std::byte value) override {
    buffers_.fill(set, buffer, offset, bytes, value);
  }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const PrepareRequest& request) override {
    return std::make_unique<SampledWork<Shared, Buffers, Work>>(shared_, buffers_, make_work(request));
  }

 protected:
  /// Throws Failure.
  [[nodiscard]] virtual std::unique_ptr<Work> make_work(const PrepareRequest& request) const = 0;

  std::shared_ptr<Shared> shared_;
  Buffers buffers_;
};

/// `Made` is a SampledProblem.
template <class Shared, class Made>
class SampledSession final : public Session {
 public:
  explicit SampledSession(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  [[nodiscard]] std::unique_ptr<Problem> create_problem(const ProblemRequest& request) override {
    return std::make_unique<Made>(shared_, request);
  }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace benchctl::gpu
