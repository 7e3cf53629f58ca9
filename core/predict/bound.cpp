#include "predict/bound.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl::predict {

namespace {

/// Less than this share of the bytes does not make a read-only kernel one that writes.
constexpr double negligible = 0.02;

void note_missing(Bound& bound, std::string_view name) {
  if (bound.missing.find(name) != std::string::npos) return;
  bound.missing += (bound.missing.empty() ? "" : " ") + std::string(name);
}

/// Seconds for that many units under a roof; 0 when it is not known.
double seconds_under(const Roofs& roofs, std::string_view name, double units) {
  const auto roof = roofs.find(name);
  return roof == roofs.end() || roof->second <= 0 ? 0 : units / roof->second;
}

/// The longer of both times decides.
void raise(Bound& bound, const Bound& other) {
  if (!other.missing.empty()) note_missing(bound, other.missing);
  if (other.seconds <= bound.seconds) return;
  bound.seconds = other.seconds;
  bound.by = other.by;
}

Bound under(const Roofs& roofs, std::string_view name, double units) {
  Bound bound;
  if (units <= 0) return bound;
  bound.seconds = seconds_under(roofs, name, units);
  if (bound.seconds > 0) {
    bound.by = name;
  } else {
    note_missing(bound, name);
  }
  return bound;
}

/// The time of streams, all of whose pieces have neighbours.
Bound stream_time(double bytes_read, double bytes_written, const Roofs& roofs) {
  const double all = bytes_read + bytes_written;
  if (bytes_written <= negligible * all) return under(roofs, "dram_read", all);
  if (bytes_read <= negligible * all) return under(roofs, "dram_write", all);
  const std::string_view more = bytes_read > bytes_written ? "dram_read" : "dram_write";
  const double rest = std::abs(bytes_read - bytes_written);
  if (seconds_under(roofs, more, rest) == 0) return under(roofs, "dram_copy", all);
  Bound both = under(roofs, "dram_copy", all - rest);
  if (!both.missing.empty()) return both;
  const Bound single = under(roofs, more, rest);
  if (single.seconds > both.seconds) both.by = single.by;
  both.seconds += single.seconds;
  return both;
}

}  // namespace

Bound memory_time(double bytes_read, double bytes_written, const Roofs& roofs, double bytes_apart) {
  Bound bound = stream_time(bytes_read, bytes_written, roofs);
  if (bytes_apart <= 0 || bound.seconds == 0) return bound;
  const Bound apart = under(roofs, "dram_read_apart", bytes_apart);
  const double in_streams = seconds_under(roofs, "dram_read", bytes_apart);
  if (apart.seconds == 0 || in_streams == 0) {
    note_missing(bound, "dram_read_apart");
    return bound;
  }
  bound.seconds += std::max(0.0, apart.seconds - in_streams);
  if (bytes_apart > (bytes_read + bytes_written) / 2) bound.by = apart.by;
  return bound;
}

Bound least_time(const Demand& demand, const Roofs& roofs) {
  Bound bound = demand.in_cache
                    ? under(roofs, "cache_read", demand.bytes_read + demand.bytes_written)
                    : memory_time(demand.bytes_read, demand.bytes_written, roofs, demand.bytes_apart);
  raise(bound, under(roofs, "cache_read", demand.cache_bytes));
  raise(bound, under(roofs, "shared", demand.shared_bytes));
  raise(bound, under(roofs, demand.flop_roof, demand.flops));
  // Where launching was not measured, nothing is missing for it.
  const double launching = seconds_under(roofs, demand.launch_roof, demand.launches);
  if (bound.seconds == 0 || launching == 0) return bound;
  const bool decides = launching > bound.seconds;
  if (demand.launch_cost == LaunchCost::before) {
    bound.seconds += launching;
  } else {
    bound.seconds = std::max(bound.seconds, launching);
  }
  if (decides) bound.by = demand.launch_roof;
  return bound;
}

}  // namespace benchctl::predict
