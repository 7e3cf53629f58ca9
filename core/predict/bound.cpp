#include "predict/bound.hpp"

namespace benchctl::predict {

namespace {

/// Less than this share of the bytes does not make a read-only kernel one that writes.
constexpr double negligible = 0.02;

void raise(Bound& bound, const Roofs& roofs, std::string_view name, double units) {
  if (units <= 0) return;
  const auto roof = roofs.find(name);
  if (roof == roofs.end() || roof->second <= 0) {
    bound.missing += (bound.missing.empty() ? "" : " ") + std::string(name);
    return;
  }
  const double seconds = units / roof->second;
  if (seconds <= bound.seconds) return;
  bound.seconds = seconds;
  bound.by = name;
}

}  // namespace

std::string_view memory_roof(double bytes_read, double bytes_written, bool in_cache) {
  if (in_cache) return "cache_read";
  const double all = bytes_read + bytes_written;
  if (bytes_written <= negligible * all) return "dram_read";
  return bytes_read <= negligible * all ? "dram_write" : "dram_copy";
}

Bound least_time(const Demand& demand, const Roofs& roofs) {
  Bound bound;
  raise(bound, roofs, memory_roof(demand.bytes_read, demand.bytes_written, demand.in_cache),
        demand.bytes_read + demand.bytes_written);
  raise(bound, roofs, "cache_read", demand.cache_bytes);
  raise(bound, roofs, "shared", demand.shared_bytes);
  raise(bound, roofs, demand.flop_roof, demand.flops);
  // Nothing is shorter than a launch; where that was not measured, nothing is missing for it.
  if (bound.seconds > 0 && roofs.contains("launch")) raise(bound, roofs, "launch", 1);
  return bound;
}

}  // namespace benchctl::predict
