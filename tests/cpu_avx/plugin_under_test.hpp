// The plugin as the program loads it, and a product on its device with guarded buffers.
#pragma once

#include <benchctl/plugin.hpp>

#include <dlfcn.h>

#include <filesystem>
#include <memory>
#include <span>

#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"
#include "workloads/generator.hpp"

namespace benchctl::test {

/// A new plugin object; the library stays loaded.
inline std::unique_ptr<Plugin> load_cpu_avx() {
  const auto file = plugin_directory() / "libbenchctl_cpu_avx.so";
  if (!std::filesystem::exists(file)) SKIP("the plugin cpu_avx was not built");
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* error = library == nullptr ? dlerror() : "";
  INFO(error);
  REQUIRE(library != nullptr);
  const auto create = reinterpret_cast<Plugin* (*)()>(dlsym(library, "benchctl_create_plugin"));
  REQUIRE(create != nullptr);
  return std::unique_ptr<Plugin>(create());
}

/// The part of the variant table that is about one workload, less choices: the host prepares others for
/// them.
inline std::vector<VariantInfo> variants_of(Backend& backend, std::string_view workload) {
  std::vector<VariantInfo> own;
  for (const VariantInfo& variant : backend.variants()) {
    if (variant.workload == workload && variant.among.empty()) own.push_back(variant);
  }
  return own;
}

/// A variant of matmul.
inline const VariantInfo& variant_named(Backend& backend, std::string_view name) {
  const auto variants = backend.variants();
  const auto found = std::ranges::find_if(variants, [&](const VariantInfo& variant) {
    return variant.workload == "matmul" && variant.name == name;
  });
  REQUIRE(found != variants.end());
  return *found;
}

inline bool has_tunable(const VariantInfo& variant, std::string_view name) {
  return std::ranges::find(variant.tunables, name, &TunableInfo::name) != variant.tunables.end();
}

/// Does the device have all that the variant needs?
inline bool runs_on(const VariantInfo& variant, const DeviceInfo& device) {
  return std::ranges::all_of(variant.features, [&](const std::string& feature) {
    return std::ranges::find(device.features, feature) != device.features.end();
  });
}

template <class T>
inline constexpr DType dtype_of = sizeof(T) == 4 ? DType::f32 : DType::f64;

/// A, B and C of a product in a session, `sets` times, each buffer followed by guard bytes. Inputs of set s
/// have seed s + 1.
template <class T>
struct DeviceProduct {
  static constexpr std::size_t guard = 320;
  static constexpr std::byte guard_value{0xa5};

  DeviceProduct(Session& session, std::size_t rows, std::size_t columns, std::size_t depth,
                std::uint32_t sets = 1)
      : m(rows), n(columns), k(depth), counts{m * k, k * n, m * n} {
    ProblemRequest request;
    request.sets = sets;
    request.spec.workload = "matmul";
    const std::array<const char*, 3> names{"A", "B", "C"};
    for (std::size_t i = 0; i < 3; ++i) {
      request.spec.buffers.push_back(
          {names[i], dtype_of<T>, counts[i], i == 2 ? BufferRole::out : BufferRole::in, Space::device});
      request.allocation.push_back(counts[i] * sizeof(T) + guard);
    }
    request.spec.scalars = {{"m", DType::i32, static_cast<std::int64_t>(m)},
                            {"n", DType::i32, static_cast<std::int64_t>(n)},
                            {"k", DType::i32, static_cast<std::int64_t>(k)}};
    problem = session.create_problem(request);
    for (std::uint32_t set = 0; set < sets; ++set) {
      for (std::size_t buffer = 0; buffer < 3; ++buffer) {
        problem->fill(set, buffer, counts[buffer] * sizeof(T), guard, guard_value);
        if (buffer == 2) continue;
        const std::vector<T> values = input(buffer, set);
        problem->write(set, buffer, 0, std::as_bytes(std::span(values)));
      }
      poison(set);
    }
  }

  [[nodiscard]] std::vector<T> input(std::size_t buffer, std::uint32_t set = 0) const {
    std::vector<T> values(counts[buffer]);
    fill_uniform(RandomStream(set + 1, buffer), 0, std::span(values));
    return values;
  }
  /// One element of an input of set 0.
  void put(std::size_t buffer, std::size_t index, T value) {
    problem->write(0, buffer, index * sizeof(T), std::as_bytes(std::span(&value, 1)));
  }
  void poison(std::uint32_t set) { problem->fill(set, 2, 0, counts[2] * sizeof(T), std::byte{0xff}); }
  [[nodiscard]] std::vector<T> output(std::uint32_t set = 0) const {
    std::vector<T> values(counts[2]);
    problem->read(set, 2, 0, std::as_writable_bytes(std::span(values)));
    return values;
  }
  /// Guards as they were, inputs as they were?
  [[nodiscard]] bool surroundings_kept(std::uint32_t set = 0) const {
    for (std::size_t buffer = 0; buffer < 3; ++buffer) {
      std::vector<std::byte> bytes(guard);
      problem->read(set, buffer, counts[buffer] * sizeof(T), bytes);
      if (std::ranges::any_of(bytes, [](std::byte byte) { return byte != guard_value; })) return false;
      if (buffer == 2) continue;
      std::vector<T> values(counts[buffer]);
      problem->read(set, buffer, 0, std::as_writable_bytes(std::span(values)));
      if (values != input(buffer, set)) return false;
    }
    return true;
  }
  std::unique_ptr<Prepared> prepare(const VariantInfo& variant, Parameters tunables = {}) {
    PrepareRequest request;
    request.variant = &variant;
    for (const TunableInfo& tunable : variant.tunables)
      request.tunables[tunable.name] = tunable.default_value;
    for (auto& [name, value] : tunables) request.tunables[name] = value;
    return problem->prepare(request);
  }

  std::size_t m;
  std::size_t n;
  std::size_t k;
  std::array<std::size_t, 3> counts;
  std::unique_ptr<Problem> problem;
};

}  // namespace benchctl::test
