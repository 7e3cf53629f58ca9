#include "workloads/vec3_layout.hpp"

#include <benchctl/rounding.hpp>

#include <fmt/format.h>

#include <array>
#include <limits>

#include "workloads/parameters.hpp"

namespace benchctl {

namespace {

const std::array<std::string, 3> names{"aos12", "aos16", "soa"};

constexpr std::uint64_t plane_alignment = 64;  // elements: 256 bytes of float

template <class T>
void draw_as(const RandomStream& stream, ValueKind kind, DType type, const Vec3Layout& layout,
             std::uint64_t first, std::span<std::byte> out) {
  const std::span elements(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const std::uint64_t component = layout.component_at(first + e);
    elements[e] = component == Vec3Layout::padding ? std::numeric_limits<T>::quiet_NaN()
                                                   : static_cast<T>(draw(stream, kind, type, component));
  }
}

}  // namespace

Vec3Layout::Vec3Layout(const std::string& name, std::uint64_t vectors) : n(vectors) {
  if (name == "aos12") {
    step = 3;
    plane = 1;
    count = 3 * n;
  } else if (name == "aos16") {
    step = 4;
    plane = 1;
    count = 4 * n;
  } else if (name == "soa") {
    step = 1;
    plane = round_up(n, plane_alignment);
    count = 3 * plane;
  } else {
    throw ProblemError(fmt::format("layout '{}' is not one of {}", name, fmt::join(names, ", ")));
  }
}

std::uint64_t Vec3Layout::component_at(std::uint64_t element) const {
  const bool planes = step == 1;
  const std::uint64_t vector = planes ? element % plane : element / step;
  const std::uint64_t component = planes ? element / plane : element % step;
  return component < 3 && vector < n ? 3 * vector + component : padding;
}

std::span<const std::string> vec3_layout_names() { return names; }

ParameterInfo vec3_count_parameter() {
  return integer_parameter("n", "vectors", "16777216", 1, 2147483648.0 - plane_alignment);
}

void draw_vec3(const RandomStream& stream, ValueKind kind, DType type, const Vec3Layout& layout,
               std::uint64_t first, std::span<std::byte> out) {
  if (type == DType::f64) return draw_as<double>(stream, kind, type, layout, first, out);
  draw_as<float>(stream, kind, type, layout, first, out);
}

}  // namespace benchctl
