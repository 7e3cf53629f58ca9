// How much is allocated for a problem's buffers.
#include "worker/buffers.hpp"
#include "support/catch.hpp"

using namespace benchctl;

TEST_CASE("a buffer's last pack of 16 bytes is its own, and a guard comes after it", "[engine]") {
  for (std::uint64_t payload = 0; payload <= 1024; ++payload) {
    const std::uint64_t last_pack_ends = (payload + 15) / 16 * 16;
    INFO(payload << " bytes");
    CHECK(guarded_bytes(payload) >= last_pack_ends + 4096);
  }
}
