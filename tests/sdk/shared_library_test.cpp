#include <benchctl/rounding.hpp>
#include <benchctl/shared_library.hpp>

#include "support/catch.hpp"

#include <filesystem>
#include <fstream>

using namespace benchctl;

TEST_CASE("the first candidate that loads is opened, and its functions are found", "[sdk][library]") {
  const SharedLibrary maths("mathematics", {"/nowhere/libm.so.6", "libnobody-has-this.so.1", "libm.so.6"});
  CHECK(maths.name() == "libm.so.6");
  double (*cosine)(double) = nullptr;
  maths.bind(cosine, "cos");
  CHECK(cosine(0) == 1);
  CHECK(SharedLibrary().find(cosine, "malloc"));  // of the process
  CHECK_FALSE(maths.find(cosine, "no_such_function"));
  CHECK(cosine == nullptr);
  CHECK_THROWS_MATCHES(
      maths.bind(cosine, "no_such_function"), LibraryError,
      MessageMatches(ContainsSubstring("mathematics (libm.so.6) has no function no_such_function")));
}

TEST_CASE("a library that is not there is an error that names what was tried", "[sdk][library]") {
  CHECK_THROWS_MATCHES(SharedLibrary("nobody's", {"/nowhere/a.so", "libnobody-has-this.so.1"}),
                       LibraryError,
                       MessageMatches(ContainsSubstring("nobody's was not found") &&
                                      ContainsSubstring("(tried /nowhere/a.so, libnobody-has-this.so.1)")));
}

TEST_CASE("a file that is no library is told from one that is missing", "[sdk][library]") {
  const auto file = std::filesystem::temp_directory_path() / "benchctl_no_library.so";
  std::ofstream(file) << "no library\n";
  CHECK_THROWS_MATCHES(SharedLibrary("broken", {file.string()}), LibraryError,
                       MessageMatches(ContainsSubstring("; " + file.string() + ": ")));
  std::filesystem::remove(file);
}
