// References as files, and how much is allocated for a problem's buffers.
#include "worker/reference_file.hpp"

#include "support/catch.hpp"
#include "support/paths.hpp"
#include "worker/buffers.hpp"

#include <fstream>

using namespace benchctl;
namespace fs = std::filesystem;

TEST_CASE("references survive the trip through a file; damaged files are refused") {
  const test::TemporaryDirectory folder;
  const fs::path file = folder.path() / "reference";
  Reference reference;
  reference.reals["c"] = {1.5, -0.0, 1e-300, std::numeric_limits<double>::max()};
  reference.reals["empty"] = {};
  reference.indices["rows"] = {0, 7, std::numeric_limits<std::uint64_t>::max()};
  save_reference(reference, file);
  const Reference loaded = load_reference(file);
  CHECK(loaded.reals == reference.reals);
  CHECK(loaded.indices == reference.indices);
  // NumPy reads the first array.
  std::string start(64, '\0');
  std::ifstream(file).read(start.data(), 64);
  CHECK(start == std::string("\x93NUMPY\x01\0\x76\0", 10) +
                     "{'descr': [('c', '<f8')], 'fortran_order': False, 'sha");

  const auto size = fs::file_size(file);
  for (const std::uintmax_t cut : {size - 1, size - 8, size / 2, std::uintmax_t{7}}) {
    save_reference(reference, file);
    fs::resize_file(file, cut);
    CHECK_THROWS_AS(load_reference(file), std::runtime_error);
  }
  folder.write("other", "no array");
  CHECK_THROWS_WITH(load_reference(folder.path() / "other"), ContainsSubstring("damaged"));
  CHECK_THROWS_WITH(load_reference(folder.path() / "absent"), ContainsSubstring("absent"));
  CHECK_THROWS_WITH(save_reference(reference, folder.path() / "no/file"), ContainsSubstring("no/file"));
}

TEST_CASE("a buffer's last pack of 16 bytes is its own, and a guard comes after it", "[engine]") {
  for (std::uint64_t payload = 0; payload <= 1024; ++payload) {
    const std::uint64_t last_pack_ends = (payload + 15) / 16 * 16;
    INFO(payload << " bytes");
    CHECK(guarded_bytes(payload) >= last_pack_ends + 4096);
  }
}
