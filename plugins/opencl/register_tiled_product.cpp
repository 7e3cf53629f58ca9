#include "register_tiled_product.hpp"

#include "gpu/joined_product.hpp"

#include "kernel_directory.hpp"
#include "kernel_work.hpp"
#include "product_tilings.hpp"
#include "ranked_products.hpp"
#include "skinny_forms.hpp"
#include "strip_forms.hpp"
#include "vector_forms.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>
#include <utility>

namespace benchctl::opencl {

namespace {

std::uint64_t extent(const ProblemSpec& spec, std::string_view name) {
  const auto index = spec.scalar_index(name);
  const auto* value = index ? std::get_if<std::int64_t>(&spec.scalars[*index].value) : nullptr;
  if (value == nullptr || *value < 1) {
    throw Failure(FailureKind::unsupported,
                  "our kernels for products need a size " + std::string(name) + " of 1 at least");
  }
  return static_cast<std::uint64_t>(*value);
}

ProductSize product_size(const ProblemSpec& spec) {
  return {extent(spec, "m"), extent(spec, "n"), extent(spec, "k")};
}

ProductDevice product_device(const DeviceInfo& info) {
  const bool cp_async = std::ranges::find(info.features, "cp_async") != info.features.end();
  return {cp_async, info.compute_units, info.limits.local_memory_bytes, info.architecture};
}

constexpr std::size_t most_tried = 8;

std::vector<gpu::Ranked<gpu::PlannedProduct>> ranked(const OpenDevice& device, const Buffers& buffers,
                                                     std::size_t most) {
  const ProblemSpec& spec = buffers.spec();
  return rank_products(spec, product_size(spec), product_device(device.info), has_shuffles(device.info),
                       kernel_directory(), most);
}

std::unique_ptr<Work> prepare(const OpenDevice& device, const Buffers& buffers,
                              const gpu::PlannedProduct& product) {
  auto work = std::make_unique<KernelWork>(device, buffers, product.plan);
  work->add_note(product.kind, product.text);
  return work;
}

}  // namespace

std::unique_ptr<Work> make_skinny(const OpenDevice& device, const Buffers& buffers,
                                  const PrepareRequest& /*request*/) {
  const ProblemSpec& spec = buffers.spec();
  const ProductSize size = product_size(spec);
  const auto element = static_cast<std::uint32_t>(gpu::product_element_bytes(spec));
  const std::uint64_t units = device.info.compute_units;
  const auto prepare = [&](const KernelPlan& plan, const std::string& form) {
    auto work = std::make_unique<KernelWork>(device, buffers, plan);
    work->add_note("form", form);
    return work;
  };
  if (gpu::are_vectors(size)) {
    const gpu::VectorForm form = gpu::choose_vectors(size, element, units);
    return prepare(plan_vectors(spec, form, has_shuffles(device.info), kernel_directory()), to_text(form));
  }
  const SkinnyForm form = choose_skinny(size, element, units);
  return prepare(plan_skinny(spec, form, kernel_directory()), to_text(form));
}

std::unique_ptr<Work> make_strips(const OpenDevice& device, const Buffers& buffers,
                                  const PrepareRequest& /*request*/) {
  const ProblemSpec& spec = buffers.spec();
  const ProductSize size = product_size(spec);
  const ProductDevice has = product_device(device.info);
  const StripForm form = choose_strips(size, has);
  auto work = std::make_unique<KernelWork>(device, buffers,
                                           plan_strips(spec, size, form, has.cp_async, kernel_directory()));
  work->add_note("form", to_text(form));
  return work;
}

std::unique_ptr<Work> make_register_tiled_best(const OpenDevice& device, const Buffers& buffers,
                                               const PrepareRequest& /*request*/) {
  return prepare(device, buffers, ranked(device, buffers, 1).front().form);
}

std::vector<NamedWork> list_register_tiled_ways(const OpenDevice& device, const Buffers& buffers,
                                                const PrepareRequest& /*request*/) {
  std::vector<NamedWork> ways;
  for (auto& [product, ns] : ranked(device, buffers, most_tried)) {
    std::string text = product.text;
    ways.push_back({std::move(text), [&device, &buffers, product = std::move(product)] {
                      return prepare(device, buffers, product);
                    }});
  }
  return ways;
}

}  // namespace benchctl::opencl
