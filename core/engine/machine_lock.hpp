// What a measuring benchctl has for itself: its cards, and the processors if it needs them quiet. Two on
// the same hardware would time each other.
#pragma once

#include "model/point.hpp"
#include "sweep/lanes.hpp"
#include "workloads/workload.hpp"

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// What must stay quiet while something is measured.
struct LockNeeds {
  bool processors = false;  ///< nobody else may measure on this machine
  std::set<std::string> cards = {};

  /// Adds what a point on that lane needs. A card alone, if every backend calls it the same and its own
  /// timers take the times; otherwise the processors, too.
  void add(const Lane& lane, Basis basis);
};

/// What must be quiet while these points are measured; the expansion's that are ruled out need nothing.
[[nodiscard]] LockNeeds lock_needs(std::span<const Point> points, const Workloads& workloads,
                                   const LaneTable& lanes);

/// Another benchctl is measuring on the same hardware; the text names it and its process.
class MachineBusy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class MachineLock {
 public:
  /// BENCHCTL_LOCK_FILE, or `benchctl.lock` in /run/lock where every user may write there, else in /tmp.
  /// The file stands for the processors: who needs them quiet has it alone, who needs a card alone shares
  /// it. Each card has a file of its own beside it.
  [[nodiscard]] static std::filesystem::path default_file();
  /// The file of a card, by its physical identity: `benchctl.lock.pci-0000-65-00.0`.
  [[nodiscard]] static std::filesystem::path file_of_card(const std::filesystem::path& file,
                                                          std::string_view card);
  /// Takes all that is needed, waiting for it if `wait`; `tell` gets a sentence when waiting begins. Throws
  /// MachineBusy, Interrupted when an InterruptGuard sees Ctrl-C meanwhile, or std::runtime_error when a
  /// file cannot be made or is not a lock file: such a file stays as it is.
  MachineLock(
      const std::filesystem::path& file, const LockNeeds& needs, bool wait,
      const std::function<void(const std::string&)>& tell = [](const std::string&) {});

 private:
  /// One locked file.
  class Lock {
   public:
    enum class Kind : std::uint8_t { alone, shared };
    /// `what`: "on this machine", "on card pci:…", for errors.
    Lock(const std::filesystem::path& file, Kind kind, const std::string& what, bool wait,
         const std::function<void(const std::string&)>& tell);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    Lock(Lock&& other) noexcept;
    Lock& operator=(Lock&&) = delete;
    ~Lock();

   private:
    /// ` (process 123)`, as far as its holder is known.
    [[nodiscard]] std::string holder() const;
    int descriptor_;
    Kind kind_;
  };

  std::vector<Lock> locks_;
};

}  // namespace benchctl
