// A point: one combination of workload, variant, backend, device and parameter values.
#pragma once

#include <benchctl/device.hpp>
#include <benchctl/types.hpp>

#include "model/measure.hpp"
#include "model/shared_parameters.hpp"
#include "model/status.hpp"

#include <string>

namespace benchctl {

/// A backend and one of its devices, as `backend:id`.
struct Lane {
  std::string backend;
  DeviceInfo device;

  /// The text that users write and results carry: `cuda:0`, `opencl:pocl:0`.
  [[nodiscard]] std::string name() const { return backend + ":" + device.id; }
};

/// What a config says of a point's result.
enum class Expect : std::uint8_t { right, wrong };

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
  Expect expect = Expect::right;
  /// Status::not_run when it is to be measured, Status::skipped when it was ruled out.
  Status status = Status::not_run;
  std::string reason;

  /// Short text that names the point within a run: `matmul/tiled @ cuda:0 n=512 tile=16`. It is followed by
  /// basis, cache mode and launch mode where these are other than usual: `cache=cold`.
  [[nodiscard]] std::string label() const;
};

/// `3`, `0.5`, `true`, `f32`: a value as users write it, without quotes.
[[nodiscard]] std::string to_text(const Value& value);
/// `n=512 tile=16`.
[[nodiscard]] std::string to_text(const Parameters& parameters);

}  // namespace benchctl
