// What is the same: the one home of "same problem", "same point" and "same device".
#pragma once

#include "model/point.hpp"

#include <compare>
#include <cstddef>
#include <functional>
#include <string>

namespace benchctl {

/// What is computed. Numbers count by their value: `n = 2` and `n = 2.0` are one problem.
struct ProblemKey {
  std::string workload;
  SharedParameters parameters;

  explicit ProblemKey(const Point& point) : workload(point.workload), parameters(point.problem) {}
  ProblemKey(std::string name, SharedParameters values)
      : workload(std::move(name)), parameters(std::move(values)) {}

  [[nodiscard]] std::size_t hash() const;
  /// Two keys have the same text only if they are equal.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const ProblemKey& a, const ProblemKey& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const ProblemKey& a, const ProblemKey& b);
};

/// What the points of a group share: inputs and reference, and how these lie in memory.
struct InputsKey {
  ProblemKey problem;
  std::string layout;
  std::uint64_t seed = 0;  ///< 0: the run's

  explicit InputsKey(const Point& point) : problem(point), layout(point.layout), seed(point.measure.seed) {}

  [[nodiscard]] std::size_t hash() const;
  /// Two keys have the same text only if they are equal.
  [[nodiscard]] std::string text() const;
  bool operator==(const InputsKey&) const = default;
};

/// How it is timed.
struct MeasureKey {
  CacheMode cache = CacheMode::hot;
  LaunchMode launch = LaunchMode::stream;
  Basis basis = Basis::device;

  MeasureKey() = default;
  explicit MeasureKey(const MeasureSettings& measure)
      : cache(measure.cache), launch(measure.launch), basis(measure.basis) {}

  auto operator<=>(const MeasureKey&) const = default;
};

/// What one table compares: points that agree here are rivals on their device, and can be compared across
/// devices.
struct RivalKey {
  ProblemKey problem;
  MeasureKey measure;

  explicit RivalKey(const Point& point) : problem(point), measure(point.measure) {}

  [[nodiscard]] std::size_t hash() const;
  bool operator==(const RivalKey&) const = default;
  std::weak_ordering operator<=>(const RivalKey&) const = default;
};

/// A point whichever run it is of. Without a device: the same point on whichever device of its backend.
struct PointKey {
  RivalKey rivals;
  std::string backend;
  std::string device;  ///< Lane::name(), or empty
  std::string variant;
  std::string layout;
  SharedParameters tunables;

  explicit PointKey(const Point& point) : PointKey(point, point.device) {}
  PointKey(const Point& point, std::string on)
      : rivals(point),
        backend(point.backend),
        device(std::move(on)),
        variant(point.variant),
        layout(point.layout),
        tunables(point.tunables) {}

  [[nodiscard]] std::size_t hash() const;
  /// Two keys have the same text only if they are equal.
  [[nodiscard]] std::string text() const;
  friend bool operator==(const PointKey& a, const PointKey& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const PointKey& a, const PointKey& b);
};

/// One piece of hardware behind one driver and compiler. A figure of a device is another's only if their
/// keys are equal.
struct DeviceKey {
  std::string name, vendor, driver, architecture;
  std::string physical;  ///< where it is
  std::uint32_t compute_units = 0;
  std::string uuid;      ///< empty where the driver tells none
  std::string compiler;  ///< empty where it is part of the driver

  explicit DeviceKey(const DeviceInfo& device);

  bool operator==(const DeviceKey&) const = default;
  auto operator<=>(const DeviceKey&) const = default;
};

/// Two pieces of hardware of one product behind one driver.
[[nodiscard]] bool same_kind(const DeviceKey& a, const DeviceKey& b);

/// The piece of hardware behind a lane. Lanes of the same text share its memory and disturb each other.
[[nodiscard]] std::string hardware_of(const Lane& lane);

/// For unordered containers of keys.
struct KeyHash {
  template <class Key>
  [[nodiscard]] std::size_t operator()(const Key& key) const {
    return key.hash();
  }
};

}  // namespace benchctl
