// Variants of workloads `vec3_map` and `vec3_norm2`.
#include <benchctl/access_spec.hpp>

#include "kernels/vec3_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "store_policy.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t vec3_granule = 4096;

/// Elements from one vector to the next.
std::size_t step_of(const ProblemSpec& spec) {
  if (spec.layout == "aos12") return 3;
  if (spec.layout == "aos16") return 4;
  if (spec.layout == "soa") return 1;
  unsupported(spec.workload + " has no layout '" + spec.layout + "'");
}

/// Arguments of every kernel, without its range and buffers.
struct Vec3Shape {
  std::size_t n;
  std::size_t step;
  std::size_t plane;
  std::size_t elements;  // of the input

  explicit Vec3Shape(const ProblemSpec& spec)
      : n(static_cast<std::size_t>(scalar_of(spec, "n"))),
        step(step_of(spec)),
        plane(static_cast<std::size_t>(scalar_of(spec, "plane"))),
        elements(step == 1 ? 3 * plane : step * n) {}

  template <class T>
  [[nodiscard]] Vec3Part<T> part(const T* in, T* out, Range range) const {
    return {in, out, step, plane, range.begin, range.end};
  }
};

template <class T>
std::unique_ptr<Executable> make_map(const PrepareRequest& request, const ProblemSpec& spec,
                                     Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const Vec3Shape shape(spec);
  const std::size_t in = buffer_of(spec, "in", type, shape.elements);
  const std::size_t out = buffer_of(spec, "out", type, shape.elements);
  const auto index = spec.scalar_index("addend");
  const auto* value = index ? std::get_if<double>(&spec.scalars[*index].value) : nullptr;
  if (value == nullptr) unsupported(spec.workload + " needs a real scalar 'addend'");
  const T addend = static_cast<T>(*value);
  const std::string& name = request.variant->name;
  const bool scalar = name == "scalar";
  const unsigned threads = requested_threads(request, machine);
  const bool stream = !scalar && wants_streaming(request, machine, 2 * shape.elements * sizeof(T), threads);
  const auto body = [=](RangeExecutable::Buffers buffers, Range range, unsigned /*thread*/) {
    const Vec3Part<T> part = shape.part<T>(elements<T>(buffers, in), elements<T>(buffers, out), range);
    if (name == "avx512") return vec3_map_avx512(part, addend, stream);
    if (name == "avx2") return vec3_map_avx2(part, addend, stream);
    vec3_map_scalar(part, addend);
  };
  return std::make_unique<RangeExecutable>(machine, threads, scalar ? shape.n : shape.elements,
                                           vec3_granule, body, scalar ? "x86-64" : name);
}

template <class T>
std::unique_ptr<Executable> make_norm2(const PrepareRequest& request, const ProblemSpec& spec,
                                       Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const Vec3Shape shape(spec);
  const std::size_t in = buffer_of(spec, "in", type, shape.elements);
  const std::size_t out = buffer_of(spec, "out", type, shape.n);
  const std::string& name = request.variant->name;
  const auto body = [=](RangeExecutable::Buffers buffers, Range range, unsigned /*thread*/) {
    const Vec3Part<T> part = shape.part<T>(elements<T>(buffers, in), elements<T>(buffers, out), range);
    if constexpr (sizeof(T) == 4) {
      if (name == "permute") return vec3_norm2_permute(part);
    }
    if (name == "avx512") return vec3_norm2_avx512(part);
    if (name == "avx2") return vec3_norm2_avx2(part);
    vec3_norm2_scalar(part);
  };
  return std::make_unique<RangeExecutable>(machine, requested_threads(request, machine), shape.n,
                                           vec3_granule, body,
                                           name == "scalar"    ? "x86-64"
                                           : name == "permute" ? "avx512"
                                                               : name);
}

std::unique_ptr<Executable> make_vec3(const PrepareRequest& request, const ProblemSpec& spec,
                                      Machine& machine) {
  const bool f64 = spec.buffers.at(0).type == DType::f64;
  if (spec.workload == "vec3_map") {
    return f64 ? make_map<double>(request, spec, machine) : make_map<float>(request, spec, machine);
  }
  return f64 ? make_norm2<double>(request, spec, machine) : make_norm2<float>(request, spec, machine);
}

/// One vector per thread, field by field.
void add_fields(patterns::Accesses& all, AccessKind kind) {
  for (const char* field : {"0", "1", "2"}) {
    const std::string element =
        std::string("i * if(layout == 'aos12', 3, if(layout == 'aos16', 4, 1)) + ") + field +
        " * if(layout == 'soa', ceil_div(n, 64) * 64, 1)";
    all.push_back(patterns::access(AccessSpace::global, kind, kind == AccessKind::read ? "in" : "out",
                                   "(" + element + ") * sizeof(dtype)", "sizeof(dtype)", "i < n"));
  }
}

/// Elements of an array, padding included.
constexpr const char* vec3_elements =
    "if(layout == 'aos12', 3 * n, if(layout == 'aos16', 4 * n, 3 * (ceil_div(n, 64) * 64)))";

VariantInfo vec3_variant(const char* workload, const char* name, const char* doc,
                         std::vector<std::string> features = {}) {
  VariantInfo info = cpu_variant(workload, name, doc, {threads_tunable(0)}, std::move(features));
  info.layouts = {"aos12", "aos16", "soa"};
  return info;
}

/// Field by field, or with vector instructions over the array as it lies.
VariantInfo map(const char* name, const char* doc, std::vector<std::string> features = {}) {
  VariantInfo info = vec3_variant("vec3_map", name, doc, std::move(features));
  if (info.features.empty()) {
    add_fields(info.access, AccessKind::read);
    add_fields(info.access, AccessKind::write);
    info.access = patterns::by_threads(std::move(info.access), "n");
  } else {
    info.access = {patterns::whole(AccessKind::read, "in", vec3_elements),
                   patterns::whole(AccessKind::write, "out", vec3_elements)};
    info.tunables.push_back(store_tunable("out"));
  }
  return info;
}

VariantInfo norm2(const char* name, const char* doc, std::vector<std::string> features = {}) {
  VariantInfo info = vec3_variant("vec3_norm2", name, doc, std::move(features));
  add_fields(info.access, AccessKind::read);
  info.access.push_back(patterns::whole(AccessKind::write, "out"));
  info.access = patterns::by_threads(std::move(info.access), "n");
  return info;
}

VariantInfo permute() {
  VariantInfo info =
      norm2("permute", "512-bit loads of structs as they lie, taken apart in registers; bound by memory",
            {"avx512f"});
  info.dtypes = {DType::f32};
  info.layouts = {"aos12"};
  return info;
}

const Table::Registration vec3_registration([] {
  return std::vector<Table::Entry>{
      {map("scalar", "one vector at a time, component by component; bound by memory beyond the caches"),
       &make_vec3},
      {map("avx2", "256-bit vectors over the array as it lies; bound by memory, padding included",
           {"avx2"}),
       &make_vec3},
      {map("avx512", "512-bit vectors over the array as it lies; bound by memory, padding included",
           {"avx512f"}),
       &make_vec3},
      {norm2("scalar", "one vector at a time, component by component; bound by memory beyond the caches"),
       &make_vec3},
      {norm2("avx2", "256-bit vectors: loads from arrays, gathers from structs; gathers bound it in cache",
             {"avx2"}),
       &make_vec3},
      {norm2("avx512",
             "512-bit vectors: loads from arrays, gathers from structs; gathers bound it in cache",
             {"avx512f"}),
       &make_vec3},
      {permute(), &make_vec3}};
});

}  // namespace

}  // namespace benchctl::cpu_avx
