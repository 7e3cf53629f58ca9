// What a run shows of its progress, by a scripted clock.
#include "report/progress_line.hpp"
#include "report/format.hpp"
#include "support/catch.hpp"

using namespace benchctl;

namespace {

Point point_of(std::int64_t n) {
  Point point;
  point.workload = "matmul";
  point.variant = "tiled";
  point.device = "fake:0";
  point.problem = {{"n", n}};
  return point;
}

}  // namespace

TEST_CASE("the time that is left follows from the points that are done") {
  double now = 100;
  ProgressLine line([&] { return now; });
  line.start(4);
  CHECK(line.counter() == "[0/4]");
  now += 24;
  CHECK_FALSE(line.count());
  CHECK(line.counter() == "[1/4] ~72 s left");
  now += 576;
  CHECK(line.counter() == "[1/4] ~30 min left");
  now += 6600;
  CHECK_FALSE(line.count());
  CHECK(line.counter() == "[2/4] ~2.0 h left");
  CHECK_FALSE(line.count());
  CHECK(line.count());
  CHECK(line.counter() == "[4/4]");
  CHECK_FALSE(line.count());  // measured again
  CHECK(line.counter() == "[finals]");
}

TEST_CASE("where nothing can be drawn over a line is due every ten seconds") {
  double now = 0;
  ProgressLine line([&] { return now; });
  line.start(1);
  now = 9.9;
  CHECK_FALSE(line.is_due());
  now = 10;
  CHECK(line.is_due());
  CHECK_FALSE(line.is_due());
  now = 19.9;
  CHECK_FALSE(line.is_due());
  now = 20.5;
  CHECK(line.is_due());
}

TEST_CASE("a line says what is done, and fits") {
  double now = 0;
  ProgressLine line([&] { return now; });
  line.start(3);
  const Point point = point_of(1024);
  const std::string work = "[0/3]  compiling: " + point.label();
  CHECK(line.text(point, "compiling", 0) == work);
  now = 2;
  for (int done = 0; done < 2; ++done) CHECK_FALSE(line.count());
  const std::string head = "[2/3] ~1 s left  sampling: " + point.label();
  CHECK(line.text(point, "sampling", columns_of(head)) == head);
  const std::string cut = line.text(point, "sampling", columns_of(head) - 1);
  CHECK(columns_of(cut) == columns_of(head) - 1);
  CHECK(cut == head.substr(0, head.size() - 2) + "…");
}
