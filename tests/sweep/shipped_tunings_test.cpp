// The tuning tables that come with the program.
#include <catch2/catch_test_macros.hpp>

#include "config/tuning_file.hpp"
#include "model/point.hpp"
#include "support/gpu_plugin.hpp"
#include "support/paths.hpp"

#include <algorithm>

using namespace benchctl;
using namespace benchctl::test;

// A choice leaves out what it does not know: a renamed tunable would cost it its table without a word.
TEST_CASE("tuning tables name variants and tunables that there are") {
  for (const char* name : {"cuda", "opencl", "vulkan", "cpu_avx"}) {
    Backend* plugin = plugin_backend(name);
    if (plugin == nullptr) continue;
    for (const TuningTable& table : load_tunings(tree_root() / "share/benchctl/tunings", name)) {
      for (const TunedClass& tuned : table.classes) {
        const VariantInfo& choice = variant_of(*plugin, table.workload, tuned.choice);
        for (const Configuration& one : tuned.configurations) {
          CAPTURE(name, table.architecture, to_text(tuned.problem), one.variant);
          CHECK(std::ranges::find(choice.among, one.variant) != choice.among.end());
          const VariantInfo& variant = variant_of(*plugin, table.workload, one.variant);
          for (const auto& [tunable, value] : one.tunables) {
            CAPTURE(tunable);
            const auto found = std::ranges::find(variant.tunables, tunable, &TunableInfo::name);
            REQUIRE(found != variant.tunables.end());
            CHECK(found->default_value.index() == value.index());
          }
        }
      }
    }
  }
}
