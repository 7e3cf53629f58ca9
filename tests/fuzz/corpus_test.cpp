// Every input of the corpus, and some that are too large to keep, through its target.
#include "fuzz/target.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "worker/messages.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace benchctl;

namespace {

using Target = void (*)(std::string_view);

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

/// `more`: inputs beside those of the corpus.
void run_corpus(const std::string& name, Target target, const std::vector<std::string>& more = {}) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::fuzz_corpus_directory() / name)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  REQUIRE_FALSE(files.empty());
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    CHECK_NOTHROW(target(bytes_of(file)));
  }
  for (const std::string& input : more) {
    CAPTURE(input.substr(0, 80), input.size());
    CHECK_NOTHROW(target(input));
  }
}

/// The corpus has the frame of a reply, and its reader takes it. BENCHCTL_WRITE_GOLDEN writes it.
template <class Reply>
void check_frame(const std::string& name, const Reply& reply) {
  CAPTURE(name);
  const nlohmann::json answer = encode(reply);
  std::string bytes(4, '\0');
  nlohmann::json::to_cbor({{"reply", answer}}, nlohmann::detail::output_adapter<char>(bytes));
  const auto length = static_cast<std::uint32_t>(bytes.size() - 4);
  std::memcpy(bytes.data(), &length, 4);
  const std::filesystem::path file = test::fuzz_corpus_directory() / "frame" / (name + ".cbor");
  if (std::getenv("BENCHCTL_WRITE_GOLDEN") != nullptr)
    REQUIRE(std::ofstream(file, std::ios::binary) << bytes);
  CHECK(bytes_of(file) == bytes);
  CHECK_NOTHROW(decode<Reply>(with_valid_text(answer)));
}

}  // namespace

TEST_CASE("frames of the corpus are replies as workers write them") {
  const std::string latin1 = "gr\xfc\xdf";
  check_frame("sample", SampleReply{{{43.5, 44, 0.25}, 7, true, {{"steal_ns", {1, 2, 3}}}, "n"}, {}, {}});
  check_frame("sample_odd", SampleReply{{{NAN, INFINITY, -1}, 0, true, {{"r", {NAN, 1e308}}}, latin1},
                                        {{{"x", latin1}}, "again"},
                                        Verification{}});
  check_frame("prepare", PrepareReply{{{"registers", 40}}, {{"kernel", "k"}}, 0});
  check_frame("prepare_odd", PrepareReply{{{latin1, -INFINITY}}, {{latin1, latin1}}, SIZE_MAX});
  check_frame("check_odd", CheckReply{{}, NAN, -1, {{"cycles", INFINITY}}, {{"k", latin1}}});
  check_frame("audit_odd",
              AuditReply{{}, {{AuditKind::fresh, NAN, true}}, HostTimes{NAN, -1, INFINITY, 0}});
  check_frame("observe_odd", PassReply{{{"energy", NAN}}, {{latin1, ""}}});
  DeviceInfo device;
  device.id = "0";
  device.name = latin1;
  device.timer_step_ns = NAN;
  check_frame("probe_odd", DeviceList{{device, device}, latin1});
}

TEST_CASE("configs of the corpus") {
  run_corpus(
      "config", fuzz::config,
      {repeated("a.", 30'000) + "a = 1\n",  // 60 KB of one key
       "a = " + repeated("[", 30'000), "a = " + repeated("{a=", 20'000),
       "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n" + repeated("k = 1; ", 10'000),
       repeated("[[sweep]]\n", 20'000), "a = \"" + repeated("\xE9", 50'000) + "\"\n"});
}

TEST_CASE("expressions of the corpus") {
  run_corpus("expression", fuzz::expression,
             {repeated("(", 100'000), repeated("-", 999) + "1", repeated("1+", 499) + "1",
              repeated("not ", 200) + "flag", "min(" + repeated("1,", 400) + "1)"});
}

TEST_CASE("frames of the corpus") {
  run_corpus(
      "frame", fuzz::frame,
      {std::string("\x00\x80\x00\x00", 4) + repeated("\x81", 32'768),            // lists in lists
       std::string("\x00\x80\x00\x00", 4) + repeated("\xA1\x61\x61", 10'923)});  // objects in objects
}

TEST_CASE("stored rows of the corpus") {
  run_corpus("stored_rows", fuzz::stored_rows_by_all,
             {"runs.environment_json=" + repeated("[", 20'000) + repeated("]", 20'000),
              "points.problem_json=" + repeated("{\"a\":", 20'000) + "1" + repeated("}", 20'000),
              "points.reason=" + repeated("a|b\\", 10'000)});
}

TEST_CASE("imported documents of the corpus") {
  run_corpus("imported_json", fuzz::imported_json,
             {repeated("[", 100'000), repeated("[", 100'000) + repeated("]", 100'000),
              R"({"schema":"benchctl.report","runs":[{"environment":)" + repeated("[", 100'000) +
                  repeated("]", 100'000) + "}",
              R"({"schema":)" + repeated("[", 100'000) + repeated("]", 100'000) + "}"});
}

TEST_CASE("sources of the corpus") {
  run_corpus("includes", fuzz::includes,
             {repeated("#include \"a.h\"\n", 20'000), repeated("#/**/include/*", 10'000),
              repeated("#", 60'000), repeated("/*", 60'000), repeated("#include\\\n", 20'000)});
}

TEST_CASE("globs of the corpus") {
  run_corpus("glob", fuzz::glob,
             {repeated("*a", 500) + std::string(1, '\0') + repeated("a", 2'000),
              repeated("*", 5'000) + "b" + std::string(1, '\0') + repeated("a", 2'000)});
}
