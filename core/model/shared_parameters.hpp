// Parameters that many points have in common: a copy of them is a pointer.
#pragma once

#include <benchctl/types.hpp>

#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

namespace benchctl {

/// Reads as the Parameters that it is made from.
class SharedParameters {
 public:
  SharedParameters() = default;
  SharedParameters(Parameters values) : values_(std::make_shared<Parameters>(std::move(values))) {}
  SharedParameters(std::initializer_list<Parameters::value_type> values)
      : SharedParameters(Parameters(values)) {}

  operator const Parameters&() const { return get(); }
  [[nodiscard]] const Parameters& get() const {
    static const Parameters none;
    return values_ ? *values_ : none;
  }
  [[nodiscard]] auto begin() const { return get().begin(); }
  [[nodiscard]] auto end() const { return get().end(); }
  [[nodiscard]] auto find(std::string_view name) const { return get().find(name); }
  [[nodiscard]] bool contains(std::string_view name) const { return get().contains(name); }
  [[nodiscard]] const Value& at(const std::string& name) const { return get().at(name); }
  [[nodiscard]] bool empty() const { return get().empty(); }
  [[nodiscard]] std::size_t size() const { return get().size(); }

  /// Changes this object alone; nothing where it has that value already.
  void set(const std::string& name, const Value& value) {
    if (const auto found = find(name); found != end() && found->second == value) return;
    if (values_.use_count() != 1) values_ = std::make_shared<Parameters>(get());
    values_->insert_or_assign(name, value);
  }

  friend bool operator==(const SharedParameters& a, const SharedParameters& b) {
    return a.values_ == b.values_ || a.get() == b.get();
  }
  friend auto operator<=>(const SharedParameters& a, const SharedParameters& b) {
    return a.get() <=> b.get();
  }

 private:
  std::shared_ptr<Parameters> values_;  ///< null: none; never changed while others have it
};

}  // namespace benchctl
