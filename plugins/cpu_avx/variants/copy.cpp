// Variants of workload `copy`.
#include <benchctl/access_spec.hpp>

#include <cstring>

#include "kernels/copy_kernels.hpp"
#include "range_executable.hpp"
#include "request.hpp"
#include "store_policy.hpp"
#include "table.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Parts start on a page, so that no two threads write to one line.
constexpr std::size_t copy_granule = 4096;

enum class Stores { cached, streaming, string };

/// For in and out of `bytes` in all. From the second cache to the last the string instruction is right: it
/// writes whole lines, which a store of a vector reads first (a quarter less time at 256 KB on a Zen 5). In
/// the first it is as fast as 512-bit vectors, wherever in a page in and out begin, and has only to be
/// started, which takes a few nanoseconds; 256-bit vectors are at two thirds of it.
Stores stores_for(const PrepareRequest& request, const Machine& machine, std::size_t bytes,
                  unsigned threads) {
  const std::string& asked = word_tunable(request, "store");
  const bool offered = machine.has("erms");
  if (asked == "string") {
    if (!offered)
      unsupported("store = string needs enhanced string instructions (erms), which are missing");
    return Stores::string;
  }
  if (wants_streaming(request, machine, bytes, threads)) return Stores::streaming;
  const std::uint64_t l1 = machine.topology.l1d_bytes;
  const std::uint64_t worth_it = request.variant->name == "avx512" ? l1 / 2 : l1 / 8;
  return asked == "auto" && offered && l1 != 0 && bytes / threads > worth_it ? Stores::string
                                                                             : Stores::cached;
}

TunableInfo copy_store_tunable() {
  TunableInfo info = store_tunable("out");
  info.doc =
      "how out is written: by vectors through the caches, by vectors past them (streaming stores) or by "
      "the "
      "processor's string instruction; auto: past them when the buffers exceed the threads' share of the "
      "last cache, or 64 MB; else by the instruction when a thread's part exceeds a share of the first "
      "cache";
  info.require = {"store == 'auto' or store == 'cached' or store == 'streaming' or store == 'string'"};
  info.values.emplace_back(std::string("string"));
  return info;
}

template <class T>
std::unique_ptr<Executable> make_typed_copy(const PrepareRequest& request, const ProblemSpec& spec,
                                            Machine& machine) {
  constexpr DType type = sizeof(T) == 4 ? DType::f32 : DType::f64;
  const auto n = static_cast<std::size_t>(scalar_of(spec, "n"));
  const std::size_t in = buffer_of(spec, "in", type, n);
  const std::size_t out = buffer_of(spec, "out", type, n);
  const std::string& name = request.variant->name;
  const bool wide = name == "avx2" || name == "avx512";
  const unsigned threads = requested_threads(request, machine);
  const Stores stores = wide               ? stores_for(request, machine, 2 * n * sizeof(T), threads)
                        : name == "string" ? Stores::string
                                           : Stores::cached;
  const bool stream = stores == Stores::streaming;
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
      stores == Stores::string ? body([=](const Part& part) { copy_string(bytes(part)); })
      : name == "avx512"       ? body([=](const Part& part) { copy_avx512(bytes(part), stream); })
      : name == "avx2"         ? body([=](const Part& part) { copy_avx2(bytes(part), stream); })
      : name == "vendor"
          ? body([](const Part& part) { std::memcpy(part.out, part.in, part.count * sizeof(T)); })
          : body([](const Part& part) { copy_plain(part); });
  return std::make_unique<RangeExecutable>(machine, threads, n, copy_granule, of_name,
                                           stores == Stores::string ? "rep movsb"
                                           : wide                   ? name
                                           : name == "vendor"       ? "memcpy"
                                                                    : "x86-64");
}

std::unique_ptr<Executable> make_copy(const PrepareRequest& request, const ProblemSpec& spec,
                                      Machine& machine) {
  return spec.buffers.at(0).type == DType::f64 ? make_typed_copy<double>(request, spec, machine)
                                               : make_typed_copy<float>(request, spec, machine);
}

const Table::Registration copy_registration([] {
  std::vector<VariantInfo> infos{
      cpu_variant(
          "copy", "plain",
          "one element at a time, no vector instructions; in cache bound by instructions, beyond by "
          "memory",
          {threads_tunable(0)}),
      cpu_variant("copy", "avx2",
                  "256-bit vectors, or the string instruction; bound by memory beyond the caches",
                  {threads_tunable(0), copy_store_tunable()}, {"avx2"}),
      cpu_variant("copy", "avx512",
                  "512-bit vectors, or the string instruction; bound by memory beyond the caches",
                  {threads_tunable(0), copy_store_tunable()}, {"avx512f"}),
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
    entries.push_back({std::move(info), &make_copy});
  }
  return entries;
});

}  // namespace

}  // namespace benchctl::cpu_avx
