// `all`: every point once, in the order of the axes.
#include "sweep/strategy.hpp"

namespace benchctl {

namespace {

class Exhaustive final : public Strategy {
 public:
  explicit Exhaustive(const SearchSpace& space) : space_(space) { begin_arm(); }

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    while (batch.size() < most && at_.arm < space_.arms.size()) {
      if (space_.possible(at_)) batch.push_back(at_);
      if (next_places(at_.places, space_.arms[at_.arm])) continue;
      ++at_.arm;
      begin_arm();
    }
    return batch;
  }
  void learn(const Coordinates& /*point*/, std::optional<double> /*cost*/) override {}

 private:
  void begin_arm() {
    if (at_.arm < space_.arms.size()) at_.places.assign(space_.arms[at_.arm].size(), 0);
  }

  const SearchSpace& space_;
  Coordinates at_;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space, std::uint64_t /*seed*/) {
  return std::make_unique<Exhaustive>(space);
}

}  // namespace benchctl
