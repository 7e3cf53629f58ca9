// Variants of workload `copy`.
#include <benchctl/patterns/access_spec.hpp>

#include <cstring>

#include "kernels/copy_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "store_policy.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t granule = 4096;

template <class T>
std::unique_ptr<Executable> make_typed(const PrepareRequest& request, const ProblemSpec& spec,
                                       Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t in = buffer_of(spec, "in", type, n);
  const std::size_t out = buffer_of(spec, "out", type, n);
  const std::string& name = request.variant->name;
  const bool wide = name == "avx2" || name == "avx512";
  const unsigned threads = requested_threads(request, machine);
  const bool stream = wide && wants_streaming(request, machine, 2 * n * sizeof(T), threads);
  // What depends on the name is settled here: to compare names takes as long as to copy a hundred elements.
  const auto body = [=](auto kernel) -> RangeExecutable::Body {
    return [=](RangeExecutable::Buffers buffers, Range range, unsigned /*thread*/) {
      kernel(CopyPart<T>{elements<T>(buffers, in) + range.begin, elements<T>(buffers, out) + range.begin,
                         range.end - range.begin});
    };
  };
  using Part = CopyPart<T>;
  const auto bytes = [](const Part& part) {
    return CopyPart<unsigned char>{reinterpret_cast<const unsigned char*>(part.in),
                                   reinterpret_cast<unsigned char*>(part.out), part.count * sizeof(T)};
  };
  const RangeExecutable::Body of_name =
      name == "avx512"   ? body([=](const Part& part) { copy_avx512(bytes(part), stream); })
      : name == "avx2"   ? body([=](const Part& part) { copy_avx2(bytes(part), stream); })
      : name == "string" ? body([=](const Part& part) { copy_string(bytes(part)); })
      : name == "vendor"
          ? body([](const Part& part) { std::memcpy(part.out, part.in, part.count * sizeof(T)); })
          : body([](const Part& part) { copy_plain(part); });
  return std::make_unique<RangeExecutable>(machine, threads, n, granule, of_name,
                                           wide               ? name
                                           : name == "string" ? "rep movsb"
                                           : name == "vendor" ? "memcpy"
                                                              : "x86-64");
}

std::unique_ptr<Executable> make(const PrepareRequest& request, const ProblemSpec& spec, Machine& machine) {
  return spec.buffers.at(0).type == DType::f64 ? make_typed<double>(request, spec, machine)
                                               : make_typed<float>(request, spec, machine);
}

const Table::Registration registration([] {
  std::vector<VariantInfo> infos{
      cpu_variant(
          "copy", "plain",
          "one element at a time, no vector instructions; in cache bound by instructions, beyond by "
          "memory",
          {threads_tunable(0)}),
      cpu_variant("copy", "avx2", "256-bit vectors; bound by memory beyond the caches",
                  {threads_tunable(0), store_tunable("out")}, {"avx2"}),
      cpu_variant("copy", "avx512", "512-bit vectors; bound by memory beyond the caches",
                  {threads_tunable(0), store_tunable("out")}, {"avx512f"}),
      cpu_variant(
          "copy", "string",
          "the processor's own instruction for it, rep movsb: in cache it writes lines without reading "
          "them first; beyond bound by memory",
          {threads_tunable(0)}, {"erms"}),
      cpu_variant("copy", "vendor", "the C library's memcpy on each thread's part, the yardstick",
                  {threads_tunable(0)})};
  infos.back().vendor = true;
  std::vector<Table::Entry> entries;
  for (VariantInfo& info : infos) {
    info.access = {patterns::whole(AccessKind::read, "in"), patterns::whole(AccessKind::write, "out")};
    entries.push_back({std::move(info), &make});
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
