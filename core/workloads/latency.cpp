// A chase of pointers: each load tells the address of the next, so that nothing can be done at the same
// time, and the time of a step is the latency of the level of memory that holds the working set.
//
// The working set is cut into nodes of `spacing` bytes. One word of each node, drawn at random, holds the
// index, in words, of that word of the next; all nodes lie on one cycle in random order, so that no
// prefetcher can guess. The order is F(0), F(1), F(2), …, where F permutes the numbers below the count of
// nodes: a Feistel network, which can be computed forwards and backwards, so that any slice of the buffer
// is drawn on its own. The chase begins at word 0, which leads into the cycle and is never reached again:
// no number of steps ends where it began, and where it ends cannot be told without loading.
#include <benchctl/rounding.hpp>

#include <algorithm>

#include "workloads/basic.hpp"

namespace benchctl {

namespace {

struct LatencyShape {
  std::uint64_t words = 0;    // of the working set
  std::uint64_t spacing = 0;  // of nodes, in words
  std::uint64_t steps = 0;

  [[nodiscard]] std::uint64_t nodes() const { return words / spacing; }
};

/// Which word of the working set leads where.
class Chain {
 public:
  Chain(std::uint64_t seed, const LatencyShape& shape)
      : spacing_(shape.spacing),
        // A node of one word that is the start has no other word for the cycle.
        first_(shape.spacing == 1 && shape.nodes() > 1 ? 1 : 0),
        nodes_(shape.nodes() - first_),
        order_(RandomStream(seed, 1), nodes_),
        words_(seed, word_stream) {}

  /// The word of a node that is on the cycle.
  [[nodiscard]] std::uint64_t word_of(std::uint64_t node) const {
    return node * spacing_ + (spacing_ == 1 ? 0 : 1 + words_.bits(node) % (spacing_ - 1));
  }
  /// Where a step from that word leads.
  [[nodiscard]] std::uint64_t after(std::uint64_t node) const {
    return word_of(first_ + order_.place((order_.position(node - first_) + 1) % nodes_));
  }
  /// Where a step from word 0 leads.
  [[nodiscard]] std::uint64_t entry() const { return word_of(first_ + order_.place(0)); }
  /// Where so many steps from word 0 lead; at least one.
  [[nodiscard]] std::uint64_t end(std::uint64_t steps) const {
    return word_of(first_ + order_.place((steps - 1) % nodes_));
  }

 private:
  static constexpr std::uint64_t word_stream = 2;  // 0: words that nobody reads, 1: the cycle

  std::uint64_t spacing_;
  std::uint64_t first_;
  std::uint64_t nodes_;
  RandomOrder order_;
  RandomStream words_;
};

LatencyShape latency_shape(const Parameters& parameters) {
  const std::uint64_t bytes = integer_of(parameters, "bytes", word_bytes);
  const std::uint64_t spacing = integer_of(parameters, "spacing", word_bytes);
  if (bytes % word_bytes != 0 || spacing % word_bytes != 0) {
    throw ProblemError("parameters 'bytes' and 'spacing' must be multiples of 4, the size of an index");
  }
  if (bytes < spacing) {
    throw ProblemError(
        fmt::format("a working set of {} bytes has no room for a node of {} bytes", bytes, spacing));
  }
  return {bytes / word_bytes, spacing / word_bytes, integer_of(parameters, "steps")};
}

class Latency final : public BasicWorkload {
 public:
  Latency()
      : BasicWorkload(
            {.name = "latency",
             .doc =
                 "dependent loads through a working set in random order: each returns the address of the "
                 "next",
             .version = 2,
             .parameters = {integer_parameter("bytes", "working set in bytes", "16777216", word_bytes),
                            integer_parameter(
                                "spacing",
                                "bytes from node to node: a cache line, so that each step is another line",
                                "128", word_bytes),
                            integer_parameter(
                                "steps",
                                "number of loads and nodes; to measure memory, steps * spacing must "
                                "exceed the caches",
                                "min(max(bytes // spacing, 16384), 1048576)")},
             // `cycles` is 64 bits as two words, the lower first; who cannot count cycles leaves it alone.
             .buffers = {{"chain", "u32", "max(bytes // 4, 1)"},
                         {"end", "u32", "1", BufferRole::out},
                         {"cycles", "u32", "2", BufferRole::out}},
             .scalars = {passed("steps")},
             .bytes_read = "0",
             .bytes_written = "0",
             .accesses = "steps"}) {}

  void generate(const ProblemSpec& spec, std::size_t /*buffer*/, std::uint64_t seed, std::uint64_t first,
                std::span<std::byte> out) const override {
    random_bytes(RandomStream(seed, 0), first * word_bytes, out);
    const LatencyShape shape = latency_shape(spec.parameters);
    const Chain chain(seed, shape);
    const std::span words(reinterpret_cast<std::uint32_t*>(out.data()), out.size() / word_bytes);
    const auto put = [&](std::uint64_t word, std::uint64_t next) {
      if (word >= first && word < first + words.size())
        words[word - first] = static_cast<std::uint32_t>(next);
    };
    const std::uint64_t end = std::min(shape.nodes(), ceil_div(first + words.size(), shape.spacing));
    for (std::uint64_t node = first / shape.spacing; node < end; ++node) {
      if (const std::uint64_t word = chain.word_of(node); word > 0) put(word, chain.after(node));
    }
    put(0, chain.entry());
  }

  [[nodiscard]] Reference reference(const ProblemSpec& spec, std::uint64_t seed) const override {
    const LatencyShape shape = latency_shape(spec.parameters);
    Reference reference;
    reference.indices["end"] = {Chain(seed, shape).end(shape.steps)};
    return reference;
  }

  [[nodiscard]] Verification check(const ProblemSpec& spec, std::string_view /*precision*/,
                                   const Reference& reference, const BufferReader& read) const override {
    return check_word(spec, end_buffer, reference.indices.at("end").at(0), read);
  }

  [[nodiscard]] std::map<std::string, double, std::less<>> metrics(
      const ProblemSpec& spec, const BufferReader& read) const override {
    std::uint64_t cycles = 0;
    read(cycles_buffer, 0, std::as_writable_bytes(std::span(&cycles, 1)));
    if (cycles == ~std::uint64_t{0}) return {};  // poison: never written
    return {{"cycles_per_access",
             static_cast<double>(cycles) / static_cast<double>(latency_shape(spec.parameters).steps)}};
  }

 private:
  static constexpr std::size_t end_buffer = 1;
  static constexpr std::size_t cycles_buffer = 2;

  void define(ProblemSpec& spec) const override {
    static_cast<void>(latency_shape(spec.parameters));  // throws for what cannot be
  }
};

const WorkloadRegistration latency_registration(std::make_unique<Latency>());

}  // namespace

}  // namespace benchctl
