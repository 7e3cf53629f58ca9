// What a content key is made of.
#include "engine/content_key.hpp"
#include "store/schema.hpp"
#include "support/paths.hpp"
#include "sweep/fixtures.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;

TEST_CASE("a content key is made as the schema version says") {
  const test::TemporaryDirectory folder;
  folder.write("kernel.cl", "kernel");
  VariantInfo variant = test::variant("tiled", {{"tile", std::int64_t{8}, "rows", {"tile >= 1"}}});
  variant.kernel.emplace();
  variant.kernel->launches.emplace_back().source = "kernel.cl";
  BackendEntry backend;
  backend.name = "fake";
  backend.variants = {variant};
  backend.kernel_directory = folder.path();
  PluginEntry plugin;
  plugin.digest = "digest";
  Lane lane;
  lane.backend = "fake";
  lane.device.id = "0";
  lane.device.name = "Device";
  lane.device.driver = "1.0";
  Point point;
  point.workload = "grid";
  point.variant = "tiled";
  point.problem = {{"n", std::int64_t{64}}, {"dtype", std::string("f32")}, {"scale", 0.5}};
  point.layout = "soa";
  point.tunables = {{"tile", std::int64_t{8}}};

  INFO(
      "With another key nothing that was measured before is found again. If that is needed, raise "
      "schema_version as core/store/schema.hpp says and put the new key here. If not, leave a new field "
      "out "
      "of the hashed text while it has its default.");
  CHECK(schema_version == 6);
  CHECK(ContentKeys("OMP_NUM_THREADS=1\n").key(point, lane, backend, plugin, false) ==
        "7e695fa8896851db71c6f0746b7570cf");
}
