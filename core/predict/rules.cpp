#include "predict/rules.hpp"

#include "model/words.hpp"

#include <algorithm>
#include <map>

namespace benchctl::predict {

namespace {

/// Bytes of the widest access; 0 without an active thread.
std::uint32_t width_of(std::span<const Access> accesses) {
  const auto widest = std::ranges::max_element(accesses, {}, &Access::bytes);
  return widest == accesses.end() ? 0 : widest->bytes;
}

/// Thread n of those that take part asks for word n of an aligned segment of 4-, 8- or 16-byte words.
bool in_order(std::span<const Access> accesses, std::uint32_t width, std::uint32_t group) {
  if (width != 4 && width != 8 && width != 16) return false;
  const std::uint64_t segment = std::uint64_t{width} * group;
  const auto first = std::ranges::find_if(accesses, [](const Access& access) { return access.bytes > 0; });
  const std::uint64_t base = first->offset / segment * segment;
  for (std::size_t n = 0; n < accesses.size(); ++n) {
    const Access& access = accesses[n];
    if (access.bytes > 0 && (access.bytes != width || access.offset != base + n * width)) return false;
  }
  return true;
}

Transactions by_order(std::span<const Access> accesses, const RuleSet& rules, std::uint32_t piece) {
  const std::uint32_t width = width_of(accesses);
  if (in_order(accesses, width, rules.group)) {
    // Words of 16 bytes fill two segments of 128.
    return {width == 16 ? 2U : 1U, std::uint64_t{width} * rules.group};
  }
  Transactions result;
  for (const Access& access : accesses) {
    if (access.bytes == 0) continue;
    const std::uint64_t own = pieces(std::span(&access, 1), piece);
    result.count += own;
    result.bytes += own * piece;
  }
  return result;
}

/// The smallest aligned part of a segment that holds bytes [first, last), down to `least` bytes.
std::uint64_t halved(Extent segment, std::uint64_t first, std::uint64_t last, std::uint64_t least) {
  while (segment.end - segment.begin > least) {
    const std::uint64_t middle = segment.begin + (segment.end - segment.begin) / 2;
    if (first >= middle) {
      segment.begin = middle;
    } else if (last <= middle) {
      segment.end = middle;
    } else {
      break;
    }
  }
  return segment.end - segment.begin;
}

Transactions by_segments(std::span<const Access> accesses, std::uint32_t least) {
  const std::uint64_t size = std::min<std::uint64_t>(128, std::uint64_t{least} * width_of(accesses));
  std::map<std::uint64_t, Extent> used;  // of each segment, from the first byte to behind the last
  for (const Extent& extent : united(accesses)) {
    for (std::uint64_t begin = extent.begin / size * size; begin < extent.end; begin += size) {
      const Extent part{std::max(begin, extent.begin), std::min(begin + size, extent.end)};
      used.try_emplace(begin, part).first->second.end = part.end;
    }
  }
  Transactions result;
  for (const auto& [begin, part] : used) {
    ++result.count;
    result.bytes += halved({begin, begin + size}, part.begin, part.end, least);
  }
  return result;
}

/// Threads whose words of more than 4 bytes are served together: a half or a quarter of the group.
std::uint64_t served_together(std::uint32_t width, const RuleSet& rules) {
  if (rules.coalescing != Coalescing::pieces) return rules.group;
  return rules.group / std::clamp<std::uint64_t>(width / 4, 1, 4);
}

}  // namespace

const RuleSet* find_rules(std::string_view id) { return find_by(rule_sets, id, &RuleSet::id); }

Transactions transactions(std::span<const Access> accesses, AccessKind kind, const RuleSet& rules) {
  if (width_of(accesses) == 0) return {};
  const std::uint32_t piece = kind == AccessKind::read ? rules.load_bytes : rules.store_bytes;
  switch (rules.coalescing) {
    case Coalescing::in_order:
      return by_order(accesses, rules, piece);
    case Coalescing::least_segments:
      return by_segments(accesses, piece);
    case Coalescing::pieces:
      break;
  }
  const std::uint64_t count = pieces(accesses, piece);
  return {count, count * piece};
}

AccessCost access_cost(const Pattern& pattern, const RuleSet& rules) {
  const bool global = pattern.spec->space == AccessSpace::global;
  const std::uint64_t group = global ? served_together(width_of(pattern.sample), rules) : rules.group;
  AccessCost result;
  pattern.each_part(group, [&](std::span<const Access> request) {
    if (width_of(request) == 0) return;
    ++result.requests;
    if (global) {
      const Transactions made = transactions(request, pattern.spec->kind, rules);
      result.transactions += made.count;
      result.moved_bytes += made.bytes;
      result.used_bytes += length(united(request));
      return;
    }
    const Turns turns = pattern.spec->space == AccessSpace::shared ? bank_cycles(request, rules.banks, 4)
                                                                   : constant_turns(request);
    result.turns += turns.cycles;
    result.best_turns += turns.conflict_free;
  });
  return result;
}

}  // namespace benchctl::predict
