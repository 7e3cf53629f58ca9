// Variants of workload `vector_add`.
#include <benchctl/patterns/access_spec.hpp>

#include "kernels/vector_add_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

TunableInfo store_tunable() {
  return {"store",
          std::string("cached"),
          "how c is written: through the caches, or past them (streaming stores)",
          {"store == 'cached' or store == 'streaming'"},
          {std::string("cached"), std::string("streaming")}};
}

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t granule = 4096;

template <class T>
std::unique_ptr<Executable> make_typed(const PrepareRequest& request, const ProblemSpec& spec,
                                       Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t a = buffer_of(spec, "a", type, n);
  const std::size_t b = buffer_of(spec, "b", type, n);
  const std::size_t c = buffer_of(spec, "c", type, n);
  const std::string& name = request.variant->name;
  const bool stream = name != "plain" && word_tunable(request, "store") == "streaming";
  const auto body = [=](RangeExecutable::Buffers buffers, Range range, unsigned /*thread*/) {
    const VectorAddPart<T> part{elements<T>(buffers, a) + range.begin,
                                elements<T>(buffers, b) + range.begin,
                                elements<T>(buffers, c) + range.begin, range.end - range.begin};
    if (name == "avx512") return vector_add_avx512(part, stream);
    if (name == "avx2") return vector_add_avx2(part, stream);
    vector_add_plain(part);
  };
  return std::make_unique<RangeExecutable>(machine, requested_threads(request, machine), n, granule, body,
                                           name == "plain" ? "x86-64" : name);
}

std::unique_ptr<Executable> make(const PrepareRequest& request, const ProblemSpec& spec, Machine& machine) {
  return spec.buffers.at(0).type == DType::f64 ? make_typed<double>(request, spec, machine)
                                               : make_typed<float>(request, spec, machine);
}

const Table::Registration registration([] {
  std::vector<Table::Entry> entries{
      {cpu_variant("vector_add", "plain",
                   "one element at a time, no vector instructions; in cache bound by instructions, beyond "
                   "by memory",
                   {threads_tunable(0)}),
       &make},
      {cpu_variant("vector_add", "avx2", "256-bit vectors; bound by memory beyond the caches",
                   {threads_tunable(0), store_tunable()}, {"avx2"}),
       &make},
      {cpu_variant("vector_add", "avx512", "512-bit vectors; bound by memory beyond the caches",
                   {threads_tunable(0), store_tunable()}, {"avx512f"}),
       &make}};
  for (Table::Entry& entry : entries) {
    entry.info.access = {patterns::whole(AccessKind::read, "a"), patterns::whole(AccessKind::read, "b"),
                         patterns::whole(AccessKind::write, "c")};
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
