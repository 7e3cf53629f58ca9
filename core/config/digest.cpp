#include "config/digest.hpp"

#include "model/words.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>

namespace benchctl {

namespace {

std::string hex(XXH128_hash_t hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

}  // namespace

std::string digest_text(std::string_view text) { return hex(XXH3_128bits(text.data(), text.size())); }

std::string digest_file(const std::filesystem::path& file) {
  const auto require = [&](bool went_well) {
    if (!went_well)
      throw std::system_error(errno, std::generic_category(), fmt::format("cannot read {}", file));
  };
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  require(in.is_open());
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  XXH3_128bits_reset(state.get());
  std::array<char, 65536> piece;
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    XXH3_128bits_update(state.get(), piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  require(!in.bad());
  return hex(XXH3_128bits_digest(state.get()));
}

}  // namespace benchctl
