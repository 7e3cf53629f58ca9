// The variant tables that golden tests are about.
#pragma once

#include "engine/host.hpp"
#include "model/json.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "worker/messages.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace benchctl::test {

/// The tables of all plugins but what some builds lack: libraries of vendors.
inline Catalogue shipped_tables() {
  static const PluginHost plugins = PluginHost::load({plugin_directory(), test_plugin_directory()});
  for (const char* backend : {"cuda", "opencl", "vulkan", "cpu_avx", "fake"}) {
    if (plugins.find(backend) == nullptr) SKIP("no plugin " << backend);
  }
  Catalogue tables = make_catalogue(loaded_plugins(plugins));
  for (BackendEntry& backend : tables.backends) std::erase_if(backend.variants, &VariantInfo::vendor);
  return tables;
}

/// A plan as far as the compiler needs it.
inline std::string plan_text(KernelPlan plan) {
  nlohmann::json document = encode(verbs::Compile{.plan = std::move(plan)}).at("plan");
  for (nlohmann::json& launch : document.at("launches")) {
    launch.erase("extras");
    launch.erase("constants");
    if (launch.at("options").empty()) launch.erase("options");  // the digests are older
  }
  return one_line(document);
}

}  // namespace benchctl::test
