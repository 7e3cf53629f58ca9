// `random`: points drawn evenly, none twice. What others must beat.
#include "sweep/strategy.hpp"

namespace benchctl {

namespace {

class Random final : public Strategy {
 public:
  Random(const SearchSpace& space, std::uint64_t seed) : draw_(space, seed) {}

  [[nodiscard]] std::vector<Coordinates> next(std::size_t most) override {
    std::vector<Coordinates> batch;
    while (batch.size() < most) {
      auto point = draw_.draw();
      if (!point) break;
      batch.push_back(std::move(*point));
    }
    return batch;
  }
  void learn(const Coordinates& /*point*/, std::optional<double> /*cost*/) override {}

 private:
  PointDraw draw_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const SearchSpace& space, std::uint64_t seed) {
  return std::make_unique<Random>(space, seed);
}

}  // namespace benchctl
