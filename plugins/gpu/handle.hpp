// Owner of an object of a driver: given back once, moved but never copied.
#pragma once

#include <utility>

namespace benchctl::gpu {

/// `Release` is the member, with a driver's functions, that gives an object of type T back. `Owner` calls
/// it: `owner.release(Release, raw)`; it outlives the object. Errors while releasing are dropped: after a
/// fault every release fails, and the fault has been reported already.
template <class Owner, class T, auto Release>
class Handle {
 public:
  Handle() = default;
  Handle(const Owner& owner, T raw) noexcept : owner_(&owner), raw_(raw) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : owner_(other.owner_), raw_(std::exchange(other.raw_, T{})) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(owner_, other.owner_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Handle() {
    if (raw_ != T{}) owner_->release(Release, raw_);
  }

  [[nodiscard]] T get() const noexcept { return raw_; }
  [[nodiscard]] explicit operator bool() const noexcept { return raw_ != T{}; }

 private:
  const Owner* owner_ = nullptr;
  T raw_{};
};

}  // namespace benchctl::gpu
