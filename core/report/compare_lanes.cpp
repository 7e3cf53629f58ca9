// Which device of one run is which of the other, and whether their results may be compared.
#include "report/compare.hpp"

#include <algorithm>

namespace benchctl {

namespace {

std::string property(const DeviceInfo& device, const std::string& name) {
  const auto found = device.properties.find(name);
  return found != device.properties.end() ? found->second : std::string();
}

bool same_place_and_product(const Lane& a, const Lane& b) {
  return a.name() == b.name() && a.device.name == b.device.name;
}

bool same_identity(const Lane& a, const Lane& b) {
  const std::string uuid = property(a.device, "uuid");
  return a.backend == b.backend && a.device.name == b.device.name && !uuid.empty() &&
         uuid == property(b.device, "uuid");
}

/// Two platforms of one backend may offer the same device.
bool same_identity_and_place(const Lane& a, const Lane& b) {
  return same_identity(a, b) && a.name() == b.name();
}

bool same_product(const Lane& a, const Lane& b) {
  return a.backend == b.backend && a.device.name == b.device.name;
}

bool same_place(const Lane& a, const Lane& b) { return a.name() == b.name(); }

/// For each lane of base the place of its partner among those of new.
std::vector<std::optional<std::size_t>> partners(const std::vector<Lane>& base,
                                                 const std::vector<Lane>& fresh) {
  std::vector<std::optional<std::size_t>> found(base.size());
  std::vector<bool> taken(fresh.size(), false);
  for (const auto rule :
       {same_identity_and_place, same_identity, same_place_and_product, same_product, same_place}) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      for (std::size_t j = 0; j < fresh.size() && !found[i]; ++j) {
        if (taken[j] || !rule(base[i], fresh[j])) continue;
        found[i] = j;
        taken[j] = true;
      }
    }
  }
  return found;
}

ComparedLane judged(const Circumstances& base, const Circumstances& fresh, const Lane& lane,
                    const Lane& partner) {
  Lane renamed = partner;
  renamed.device.id = lane.device.id;
  const ComparabilityVerdict verdict =
      compare_circumstances({base.environment, {lane}}, {fresh.environment, {renamed}});
  ComparedLane result{lane.name(), partner.name(), verdict.verdict, false, {}};
  for (const Difference& difference : verdict.differences) {
    if (difference.weight == EnvironmentClass::information) continue;
    result.reasons.push_back(difference.reason);
    result.host_differs = result.host_differs ||
                          (difference.lane.empty() && difference.weight == EnvironmentClass::must_match);
  }
  return result;
}

}  // namespace

std::vector<ComparedLane> match_lanes(const Circumstances& base, const Circumstances& fresh) {
  const auto found = partners(base.lanes, fresh.lanes);
  std::vector<ComparedLane> lanes;
  std::vector<bool> taken(fresh.lanes.size(), false);
  for (std::size_t i = 0; i < base.lanes.size(); ++i) {
    if (found[i]) {
      lanes.push_back(judged(base, fresh, base.lanes[i], fresh.lanes[*found[i]]));
      taken[*found[i]] = true;
    } else {
      lanes.push_back({base.lanes[i].name(), "", Comparability::not_comparable, false, {}});
    }
  }
  for (std::size_t j = 0; j < fresh.lanes.size(); ++j) {
    if (!taken[j]) lanes.push_back({"", fresh.lanes[j].name(), Comparability::not_comparable, false, {}});
  }
  return lanes;
}

}  // namespace benchctl
