// A variant table entry: everything that the host knows about an implementation before it runs.
// The table is static data; reading it needs neither driver nor device.
#pragma once

#include <benchctl/kernel_spec.hpp>
#include <benchctl/types.hpp>

#include <vector>

namespace benchctl {

/// A parameter of the variant: it changes how something is computed, never the result.
struct TunableInfo {
  std::string name;                       ///< as configs write it
  Value default_value = std::int64_t{0};  ///< where no config says otherwise
  std::string doc;                        ///< one sentence, shown by `benchctl list`
  std::vector<std::string> require;       ///< expressions that must hold, e.g. "tile >= 1"
  /// All words that it can be; of a number, values worth trying, for `list`, `tune` and tests.
  std::vector<Value> values = {};
  /// Its best value depends on the problem's size: at another size than a tuning table's a choice also
  /// tries the value at which KernelSpec::effort is least.
  bool by_size = false;
};

/// Which memory an instruction goes to.
enum class AccessSpace : std::uint8_t { global, shared, constant };
/// Does it load or store?
enum class AccessKind : std::uint8_t { read, write };

BENCHCTL_WORDS(AccessSpace, global, shared, constant)
BENCHCTL_WORDS(AccessKind, read, write)

/// One memory instruction of a kernel as its threads execute it side by side: the basis of predictions
/// (core/predict). All texts are expressions over the values that a KernelSpec knows and over the
/// place of a thread: `tx ty tz` in its block, `bx by bz` of its block, `t` its number in the block (x
/// fastest), `i` its number in the launch (blocks in x-fastest order).
struct AccessSpec {
  std::string operand;                      ///< a buffer's name; anything for shared and constant memory
  AccessSpace space = AccessSpace::global;  ///< memory that it goes to
  AccessKind kind = AccessKind::read;       ///< load or store
  std::string offset;                       ///< first byte that the thread accesses
  std::string bytes = "sizeof(dtype)";      ///< how many bytes from there on
  std::string active = "true";              ///< does the thread take part?
  /// How often each thread does so in a launch, at places of the same shape.
  std::string times = "1";
  /// Threads in all. Empty: those of the variant's launch number `launch`; needed by a native variant,
  /// whose threads have `t` = `i` = `tx` and block 0.
  std::string threads;
  std::size_t launch = 0;  ///< position in KernelSpec::launches
};

/// One implementation of a workload.
struct VariantInfo {
  std::string workload;               ///< what it computes
  std::string name;                   ///< among the backend's variants of that workload
  std::string doc;                    ///< one sentence: the idea, and the limit to expect
  std::vector<TunableInfo> tunables;  ///< its parameters
  std::vector<DType> dtypes;          ///< values of the problem parameter `dtype` that it takes
  std::vector<std::string> layouts;   ///< layouts that it takes; empty: the workload's only one
  /// Arithmetic precision that judges the result: `dtype` (that of the problem's type) or the name of a
  /// narrower one, `tf32`, `f16`, `bf16`.
  std::string precision = "dtype";
  /// Which roof it runs under: `fma` (f32 or f64 by dtype), `mma_tf32`, `mma_bf16`, `mma_f64`.
  std::string compute_path = "fma";
  /// A vendor's library, shown as the yardstick.
  bool vendor = false;
  /// It shows a mistake: its results are expected to be wrong.
  bool wrong_on_purpose = false;
  /// Required device features (DeviceInfo::features).
  std::vector<std::string> features;
  /// Device types it is meant for; empty: all.
  std::vector<DeviceType> device_types;
  /// Architectures for which this kernel is claimed to compile: checked without a device by the tests.
  std::vector<std::string> architectures;
  /// Expressions that must hold for a point of this variant ("k % 4 == 0").
  std::vector<std::string> require;
  /// Its memory instructions, if they decide its speed; empty: predictions use only the bytes and
  /// operations that the workload counts.
  std::vector<AccessSpec> access;
  /// Set when the variant is a source file; a native variant and a choice have none.
  std::optional<KernelSpec> kernel;
  /// Not empty: the variant is a choice among these variants of the same workload and backend, which are
  /// not choices themselves. For each point the host takes configurations of theirs from the tuning table,
  /// times them in turns and keeps the fastest. Its only tunable is `trial` (choice_tunables()).
  std::vector<std::string> among = {};
};

/// The tunables of a choice.
[[nodiscard]] inline std::vector<TunableInfo> choice_tunables() {
  return {{"trial",
           std::int64_t{16},
           "Configurations that are tried; 1 uses the first one without a trial.",
           {"trial >= 1", "trial <= 16"},
           {std::int64_t{1}, std::int64_t{16}}}};
}

}  // namespace benchctl
