// Variants of workload `vector_add`.
#include <benchctl/access_spec.hpp>

#include "kernels/vector_add_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "store_policy.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t vector_add_granule = 4096;

template <class T>
std::unique_ptr<Executable> make_typed_vector_add(const PrepareRequest& request, const ProblemSpec& spec,
                                                  Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t a = buffer_of(spec, "a", type, n);
  const std::size_t b = buffer_of(spec, "b", type, n);
  const std::size_t c = buffer_of(spec, "c", type, n);
  const std::string& name = request.variant->name;
  const unsigned threads = requested_threads(request, machine);
  const bool wide = name == "sse" || name == "avx2" || name == "avx512";
  const bool stream = wide && wants_streaming(request, machine, 3 * n * sizeof(T), threads);
  // What depends on the name is settled here: to compare names takes as long as a hundred elements.
  const auto body = [=](auto kernel) -> RangeExecutable::Body {
    return [=](RangeExecutable::Buffers buffers, Range range, unsigned /*thread*/) {
      kernel(VectorAddPart<T>{elements<T>(buffers, a) + range.begin, elements<T>(buffers, b) + range.begin,
                              elements<T>(buffers, c) + range.begin, range.end - range.begin});
    };
  };
  using Part = VectorAddPart<T>;
  const RangeExecutable::Body of_name =
      name == "avx512"     ? body([stream](const Part& part) { vector_add_avx512(part, stream); })
      : name == "avx2"     ? body([stream](const Part& part) { vector_add_avx2(part, stream); })
      : name == "sse"      ? body([stream](const Part& part) { vector_add_sse(part, stream); })
      : name == "compiler" ? body([](const Part& part) { vector_add_compiler_avx2(part); })
                           : body([](const Part& part) { vector_add_plain(part); });
  return std::make_unique<RangeExecutable>(machine, threads, n, vector_add_granule, of_name,
                                           name == "plain" || name == "sse" ? "x86-64"
                                           : name == "compiler"             ? "avx2"
                                                                            : name);
}

std::unique_ptr<Executable> make_vector_add(const PrepareRequest& request, const ProblemSpec& spec,
                                            Machine& machine) {
  return spec.buffers.at(0).type == DType::f64 ? make_typed_vector_add<double>(request, spec, machine)
                                               : make_typed_vector_add<float>(request, spec, machine);
}

const Table::Registration vector_add_registration([] {
  std::vector<Table::Entry> entries{
      {cpu_variant("vector_add", "plain",
                   "one element at a time, no vector instructions; in cache bound by instructions, beyond "
                   "by memory",
                   {threads_tunable(0)}),
       &make_vector_add},
      {cpu_variant("vector_add", "compiler",
                   "the plain loop as the compiler vectorises it for AVX2: the yardstick of the other two",
                   {threads_tunable(0)}, {"avx2"}),
       &make_vector_add},
      {cpu_variant("vector_add", "sse", "128-bit vectors; bound by memory beyond the caches",
                   {threads_tunable(0), store_tunable("c")}),
       &make_vector_add},
      {cpu_variant("vector_add", "avx2", "256-bit vectors; bound by memory beyond the caches",
                   {threads_tunable(0), store_tunable("c")}, {"avx2"}),
       &make_vector_add},
      {cpu_variant("vector_add", "avx512", "512-bit vectors; bound by memory beyond the caches",
                   {threads_tunable(0), store_tunable("c")}, {"avx512f"}),
       &make_vector_add}};
  for (Table::Entry& entry : entries) {
    entry.info.vendor = entry.info.name == "compiler";
    entry.info.access = {patterns::whole(AccessKind::read, "a"), patterns::whole(AccessKind::read, "b"),
                         patterns::whole(AccessKind::write, "c")};
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
