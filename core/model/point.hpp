// A point: one combination of workload, variant, backend, device and parameter values. What it says to a
// name, and what an experiment asks of its points: `[experiment] question = "tile"`, or what they vary.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/types.hpp>

#include "model/measure.hpp"
#include "model/status.hpp"
#include "model/values.hpp"

#include <optional>
#include <span>
#include <string>

namespace benchctl {

/// A backend and one of its devices, as `backend:id`.
struct Lane {
  std::string backend;
  DeviceInfo device;

  /// The text that users write and results carry: `cuda:0`, `opencl:pocl:0`.
  [[nodiscard]] std::string name() const { return backend + ":" + device.id; }
};

/// The lane of that name, or null.
[[nodiscard]] const Lane* find_lane(const std::vector<Lane>& lanes, std::string_view name);

/// What a config says of a point's result.
enum class Expect : std::uint8_t { right, wrong };
BENCHCTL_WORDS(Expect, right, wrong)

struct Point {
  std::size_t sweep = 0;  ///< which [[sweep]] of the config it comes from
  std::string workload;
  std::string variant;
  std::string backend;
  std::string device;        ///< Lane::name(); just the backend's name when it has no device
  SharedParameters problem;  ///< problem parameters, defaults filled in
  std::string layout;
  SharedParameters tunables;  ///< the variant's, defaults filled in
  MeasureSettings measure;
  /// The settings in which it differs from points of its run that would have the same label:
  /// `samples=10`. Mostly empty.
  std::string apart;
  Expect expect = Expect::right;
  /// Status::not_run when it is to be measured, Status::skipped when it was ruled out.
  Status status = Status::not_run;
  std::string reason;

  /// Short text that names the point within a run: `matmul/tiled @ cuda:0 n=512 tile=16`. It is followed by
  /// basis, cache mode and launch mode where these are other than usual: `cache=cold`;
  /// and by what tells it apart.
  [[nodiscard]] std::string label() const;
};

/// What a point says to a name: `workload`, `variant`, `backend`, `device`, `device_type`, `layout`,
/// `cache`, `launch`, `basis`, a problem parameter or a tunable. Nothing when it has no such name.
[[nodiscard]] std::optional<Value> value_at(const Point& point, const std::string& name,
                                            std::optional<DeviceType> device_type);

/// Does the point have every name of `wanted`, with that value?
[[nodiscard]] bool matches(const Point& point, const Parameters& wanted,
                           std::optional<DeviceType> device_type);

/// The value of a tunable, a problem parameter, `layout`, `cache` or `launch`; nothing where the point has
/// none.
[[nodiscard]] std::optional<Value> value_on(const Point& point, const std::string& axis);

/// A point as far as the question goes.
struct AskedPoint {
  const Point* point = nullptr;
  bool vendor = false;
};

/// The axis that points of one workload are asked about: `wanted`, if one of them has it. Else the one
/// tunable (or `layout`) of which a variant has several values on one problem and device. Empty if no axis
/// or several have: then the question is which variant is fastest.
[[nodiscard]] std::string question_axis(std::span<const AskedPoint> points, const std::string& wanted);

/// Is the point one of those that the question names? A vendor library is a yardstick, never asked about.
[[nodiscard]] inline bool is_asked(const AskedPoint& asked, const std::string& axis) {
  return !axis.empty() && !asked.vendor && value_on(*asked.point, axis).has_value();
}

}  // namespace benchctl
