// On a GPU: results on awkward shapes, guard bytes, samples of every kind. Skipped where there is none.
#include <catch2/catch_test_macros.hpp>

#include "measure/gate_policy.hpp"
#include "plugin_under_test.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr std::uint64_t guard_bytes = 256;
constexpr std::byte guard_value{0xa5};
constexpr std::byte poison{0xff};  // all bits set is a NaN

const std::string& kernel_cache() {
  static const TemporaryDirectory folder;
  static const std::string path = folder.path().string();
  return path;
}

/// A matmul problem on the first GPU with random inputs, poisoned outputs and guards behind every buffer.
template <class Real>
class Product {
 public:
  explicit Product(const MatmulSize& size, std::uint32_t sets = 1)
      : size_(size),
        backend_(cuda_backend()),
        spec_(matmul_problem(size)),
        session_(backend_.open(first_gpu(backend_), {kernel_cache(), false})) {
    ProblemRequest request{spec_, sets, {}};
    for (const BufferSpec& buffer : spec_.buffers)
      request.allocation.push_back(buffer.bytes() + guard_bytes);
    problem_ = session_->create_problem(request);
    std::mt19937 generator(7);
    std::uniform_real_distribution<Real> draw(-1, 1);
    for (std::vector<Real>* matrix : {&a_, &b_}) {
      const bool first = matrix == &a_;
      matrix->resize(spec_.buffers[first ? 0 : 1].count);
      for (Real& value : *matrix) value = draw(generator);
    }
    for (std::uint32_t set = 0; set < sets; ++set) reset(set);
  }

  void reset(std::uint32_t set) {
    problem_->write(set, 0, 0, std::as_bytes(std::span(a_)));
    problem_->write(set, 1, 0, std::as_bytes(std::span(b_)));
    problem_->fill(set, 2, 0, spec_.buffers[2].bytes(), poison);
    for (std::size_t i = 0; i < 3; ++i) {
      problem_->fill(set, i, spec_.buffers[i].bytes(), guard_bytes, guard_value);
    }
  }

  std::unique_ptr<Prepared> prepare(const std::string& name, const Parameters& tunables = {}) {
    const VariantInfo& variant = matmul_variant(backend_, name);
    PrepareRequest request;
    request.variant = &variant;
    request.tunables = tunables_of(variant, tunables);
    if (variant.kernel) request.kernel = plan_for(variant, spec_, request.tunables);
    try {
      return problem_->prepare(request);
    } catch (const Failure& failure) {
      if (name == "vendor" && failure.kind() == FailureKind::unsupported) SKIP(failure.what());
      throw;
    }
  }

  /// Elements of C that differ from a product in float64 by more than rounding can explain.
  [[nodiscard]] std::size_t wrong_elements(std::uint32_t set) const {
    std::vector<Real> c(spec_.buffers[2].count);
    problem_->read(set, 2, 0, std::as_writable_bytes(std::span(c)));
    const auto m = static_cast<std::size_t>(size_.m);
    const auto n = static_cast<std::size_t>(size_.n);
    const auto k = static_cast<std::size_t>(size_.k);
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < m; ++row) {
      for (std::size_t column = 0; column < n; ++column) {
        double sum = 0;
        double magnitude = 0;
        for (std::size_t i = 0; i < k; ++i) {
          const double term =
              static_cast<double>(a_[row * k + i]) * static_cast<double>(b_[i * n + column]);
          sum += term;
          magnitude += std::abs(term);
        }
        const double bound = static_cast<double>(k + 1) *
                             static_cast<double>(std::numeric_limits<Real>::epsilon()) * magnitude;
        // Written so that a NaN is wrong.
        if (!(std::abs(static_cast<double>(c[row * n + column]) - sum) <= bound)) ++wrong;
      }
    }
    return wrong;
  }

  [[nodiscard]] std::size_t changed_guard_bytes(std::uint32_t set) const {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<std::byte> guard(guard_bytes);
      problem_->read(set, i, spec_.buffers[i].bytes(), guard);
      changed += static_cast<std::size_t>(
          std::ranges::count_if(guard, [](std::byte b) { return b != guard_value; }));
    }
    return changed;
  }

 private:
  MatmulSize size_;
  Backend& backend_;
  ProblemSpec spec_;
  std::vector<Real> a_;
  std::vector<Real> b_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Problem> problem_;
};

const std::vector<std::array<std::int64_t, 3>> awkward_shapes{{1, 1, 1},    {2, 2, 2},     {3, 3, 3},
                                                              {17, 17, 17}, {33, 65, 129}, {129, 33, 65},
                                                              {1, 70, 5},   {70, 1, 5},    {40, 40, 1}};

template <class Real>
void check_variant(const std::string& name, const Parameters& tunables, DType dtype) {
  for (const auto& [m, n, k] : awkward_shapes) {
    INFO(name << " " << m << "x" << n << "x" << k << " " << to_string(dtype));
    Product<Real> product({m, n, k, dtype}, 2);
    const std::unique_ptr<Prepared> prepared = product.prepare(name, tunables);
    CHECK(prepared->run(1) > 0);
    CHECK(product.wrong_elements(1) == 0);
    CHECK(product.changed_guard_bytes(1) == 0);
    // The other set was not touched.
    CHECK(product.wrong_elements(0) == static_cast<std::size_t>(m * n));
  }
}

void check_variant(const std::string& name, const Parameters& tunables = {}) {
  check_variant<float>(name, tunables, DType::f32);
  check_variant<double>(name, tunables, DType::f64);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

MatmulSize square(std::int64_t n) { return {n, n, n, DType::f32}; }

/// A block is gated, or says why not.
void check_gate(const SampleBlock& block) {
  const std::string objection = cuda::gate_objection_here();
  INFO("note: " << block.note);
  CHECK(block.gated == objection.empty());
  if (!objection.empty()) CHECK(block.note.find(objection) != std::string::npos);
}

}  // namespace

TEST_CASE("naive is right on awkward shapes", "[cuda][gpu]") {
  check_variant("naive");
  check_variant("naive", {{"block_x", std::int64_t{7}}, {"block_y", std::int64_t{5}}});
}

TEST_CASE("tiled is right on awkward shapes for every tile", "[cuda][gpu]") {
  for (const std::int64_t tile : {2, 4, 8, 16, 32, 5}) {
    check_variant("tiled", {{"tile", tile}});
    check_variant("tiled_as_published", {{"tile", tile}});
  }
}

TEST_CASE("cuBLAS is right on awkward shapes", "[cuda][gpu]") { check_variant("vendor"); }

TEST_CASE("a prepared kernel knows its resources", "[cuda][gpu]") {
  Product<float> product(square(64));
  const std::unique_ptr<Prepared> prepared = product.prepare("tiled", {{"tile", std::int64_t{16}}});
  const Resources resources = prepared->resources();
  CHECK(resources.at("registers") > 0);
  CHECK(resources.at("spill_bytes") == 0);
  CHECK(resources.at("static_shared_bytes") == 2 * 16 * 16 * 4);
  CHECK(resources.at("local_bytes") == 0);
  CHECK(resources.at("max_block_threads") >= 256);
  CHECK(resources.at("occupancy") > 0);
  CHECK(resources.at("occupancy") <= 1);
  CHECK(prepared->notes().at("compiler").starts_with("NVRTC "));
}

TEST_CASE("cuBLAS tells its version and math mode", "[cuda][gpu]") {
  Product<float> product(square(64));
  const auto notes = product.prepare("vendor")->notes();
  CHECK(notes.at("library").starts_with("cuBLAS 1"));
  CHECK(notes.at("math_mode") == "CUBLAS_PEDANTIC_MATH");
  Product<double> of_doubles({64, 64, 64, DType::f64});
  CHECK(of_doubles.prepare("vendor")->notes().at("math_mode") == "CUBLAS_DEFAULT_MATH");
}

TEST_CASE("samples of every mode are complete and leave right results", "[cuda][gpu]") {
  for (const char* name : {"naive", "tiled", "vendor"}) {
    Product<float> product({70, 90, 110, DType::f32}, 2);
    const std::unique_ptr<Prepared> prepared = product.prepare(name);
    for (const std::uint32_t set : {0U, 1U}) {
      prepared->run(set);
      for (const LaunchMode launch : {LaunchMode::stream, LaunchMode::graph}) {
        for (const Basis basis : {Basis::device, Basis::host_sync, Basis::end_to_end}) {
          for (const CacheMode cache : {CacheMode::hot, CacheMode::cold}) {
            INFO(name << " " << to_string(launch) << " " << to_string(basis) << " " << to_string(cache));
            // Executions take the sets of buffers in turn; a cold sample has one for each of them.
            const std::uint32_t batch = cache == CacheMode::cold ? 2 : 4;
            for (const std::uint32_t each : {0U, 1U}) product.reset(each);
            const SampleBlock block = prepared->sample({cache, launch, basis, batch, 5, 2, set});
            CHECK(block.ns.size() == 5);
            CHECK(std::ranges::all_of(block.ns, [](double ns) { return ns > 0 && std::isfinite(ns); }));
            CHECK(block.batch == batch);
            for (const std::uint32_t each : {0U, 1U}) {
              INFO("set " << each);
              CHECK(product.wrong_elements(each) == 0);
              CHECK(product.changed_guard_bytes(each) == 0);
            }
            if (basis == Basis::device) {
              check_gate(block);
            } else {
              CHECK_FALSE(block.gated);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a queue that is too long is not gated and says so", "[cuda][gpu]") {
  Product<float> product(square(32));
  const std::unique_ptr<Prepared> prepared = product.prepare("tiled");
  prepared->run(0);
  const auto sample = [&](std::uint32_t batch) {
    return prepared->sample({CacheMode::hot, LaunchMode::stream, Basis::device, batch, 3, 1, 0});
  };
  check_gate(sample(30));
  const SampleBlock block = sample(31);
  CHECK_FALSE(block.gated);
  CHECK(block.note.find("too many to queue") != std::string::npos);
  CHECK(block.ns.size() == 3);
}

TEST_CASE("batches, graphs and time bases agree on how long a kernel takes", "[cuda][gpu]") {
  if (!cuda::gate_objection_here().empty()) SKIP("times mean nothing here: " + cuda::gate_objection_here());
  Product<float> product(square(1024));
  const std::unique_ptr<Prepared> prepared = product.prepare("tiled");
  // Long enough for the clock to settle.
  for (double spent = 0; spent < 3e8;) spent += prepared->run(0);
  const auto take = [&](LaunchMode launch, Basis basis, std::uint32_t batch) {
    return median(prepared->sample({CacheMode::hot, launch, basis, batch, 15, 1, 0}).ns);
  };
  const double single = take(LaunchMode::stream, Basis::device, 1);
  INFO("single " << single << " ns");
  for (const double other :
       {take(LaunchMode::stream, Basis::device, 10), take(LaunchMode::graph, Basis::device, 10)}) {
    CHECK(other > 0.7 * single);
    CHECK(other < 1.4 * single);
  }
  CHECK(take(LaunchMode::stream, Basis::host_sync, 1) > 0.9 * single);
  CHECK(take(LaunchMode::stream, Basis::end_to_end, 1) > 1.1 * single);
}

TEST_CASE("two sessions live side by side", "[cuda][gpu]") {
  Backend& backend = cuda_backend();
  const DeviceList list = backend.devices();
  if (list.devices.empty()) SKIP(list.unavailable);
  Product<float> first(square(17));
  const std::unique_ptr<Prepared> prepared = first.prepare("tiled");
  {
    const std::unique_ptr<Session> other = backend.open(list.devices.back().id, {kernel_cache(), false});
    const ProblemSpec spec = matmul_problem(square(8));
    ProblemRequest request{spec, 1, {256, 256, 256}};
    const std::unique_ptr<Problem> problem = other->create_problem(request);
    problem->fill(0, 0, 0, 256, std::byte{1});
  }
  prepared->run(0);
  CHECK(first.wrong_elements(0) == 0);
}

TEST_CASE("more memory than the GPU has is refused with the numbers", "[cuda][gpu]") {
  Backend& backend = cuda_backend();
  const std::unique_ptr<Session> session = backend.open(first_gpu(backend), {});
  const std::uint64_t memory = backend.devices().devices.front().limits.memory_bytes;
  ProblemRequest request{matmul_problem(square(8)), 1, {256, 256, 2 * memory}};
  try {
    static_cast<void>(session->create_problem(request));
    FAIL("it was allocated");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::out_of_memory);
    CHECK_FALSE(failure.sticky());
    CHECK(std::string(failure.what()).find(std::to_string(2 * memory)) != std::string::npos);
    CHECK(std::string(failure.what()).find("bytes are free") != std::string::npos);
  }
  request.allocation[2] = 256;
  CHECK(session->create_problem(request) != nullptr);
}

TEST_CASE("bytes outside a buffer are refused", "[cuda][gpu]") {
  Backend& backend = cuda_backend();
  const std::unique_ptr<Session> session = backend.open(first_gpu(backend), {});
  const std::unique_ptr<Problem> problem =
      session->create_problem({matmul_problem(square(8)), 1, {256, 256, 256}});
  std::vector<std::byte> bytes(257);
  CHECK_THROWS_AS(problem->write(0, 0, 0, bytes), Failure);
  CHECK_THROWS_AS(problem->read(0, 0, 1, std::span(bytes).first(256)), Failure);
  CHECK_THROWS_AS(problem->fill(0, 0, std::numeric_limits<std::uint64_t>::max(), 4, poison), Failure);
  CHECK_THROWS_AS(problem->fill(1, 0, 0, 4, poison), Failure);
  CHECK_THROWS_AS(problem->fill(0, 3, 0, 4, poison), Failure);
  problem->fill(0, 0, 3, 5, std::byte{0x42});
  problem->read(0, 0, 0, std::span(bytes).first(256));
  CHECK(bytes[3] == std::byte{0x42});
  CHECK(bytes[7] == std::byte{0x42});
}

TEST_CASE("host memory is read and written like the device's, and kernels refuse it", "[cuda][gpu]") {
  Backend& backend = cuda_backend();
  const std::unique_ptr<Session> session = backend.open(first_gpu(backend), {});
  ProblemSpec spec = matmul_problem(square(8));
  spec.buffers[0].space = Space::host_pinned;
  spec.buffers[1].space = Space::host_pageable;
  const std::unique_ptr<Problem> problem = session->create_problem({spec, 2, {256, 256, 256}});
  for (std::size_t buffer = 0; buffer < 3; ++buffer) {
    const std::vector<std::byte> bytes(7, static_cast<std::byte>(buffer + 1));
    problem->fill(1, buffer, 0, 256, std::byte{0x55});
    problem->write(1, buffer, 249, bytes);
    std::vector<std::byte> found(8);
    problem->read(1, buffer, 248, found);
    CHECK(found[0] == std::byte{0x55});
    CHECK(std::equal(bytes.begin(), bytes.end(), found.begin() + 1));
    CHECK_THROWS_AS(problem->write(1, buffer, 250, bytes), Failure);
    CHECK_THROWS_AS(problem->fill(1, buffer, 252, 8, std::byte{0}), Failure);
  }
  const VariantInfo& naive = matmul_variant(backend, "naive");
  PrepareRequest request{&naive, tunables_of(naive), plan_for(naive, spec, tunables_of(naive)), {}};
  try {
    static_cast<void>(problem->prepare(request));
    FAIL("it was accepted");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::unsupported);
    CHECK(std::string(failure.what()).find("host_pinned") != std::string::npos);
  }
}

// A fault takes the context with it, and so every later test of the same process: it runs by its tag,
// [fault], alone.
TEST_CASE("a kernel that reads a wild address loses the session", "[.][fault]") {
  Backend& backend = cuda_backend();
  const std::unique_ptr<Session> session = backend.open(first_gpu(backend), {});
  const ProblemSpec spec = matmul_problem(square(8));
  const std::unique_ptr<Problem> problem = session->create_problem({spec, 1, {256, 256, 256}});
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source =
      folder.write("wild.cu", "extern \"C\" __global__ void wild() { *(int*)16 = 1; }\n").string();
  launch.entry = "wild";
  VariantInfo variant;
  const std::unique_ptr<Prepared> prepared = problem->prepare({&variant, {}, plan, {}});
  try {
    prepared->run(0);
    FAIL("it ran");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::launch_error);
    CHECK(failure.sticky());
    CHECK(std::string(failure.what()).find("'wild'") != std::string::npos);
    CHECK(std::string(failure.what()).find("CUDA_ERROR_") != std::string::npos);
  }
}
