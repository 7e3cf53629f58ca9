#include "observe/summary.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace benchctl;

namespace {

SampleBlock with(std::size_t samples, const std::string& id, std::vector<double> values) {
  SampleBlock block;
  block.ns.assign(samples, 1.0);
  block.readings[id] = std::move(values);
  return block;
}

std::vector<ReadingInfo> all_summaries() {
  using enum ReadingSummary;
  std::vector<ReadingInfo> readings;
  for (const auto& [summary, name] : detail::Spellings<ReadingSummary>::table) {
    readings.push_back({"x", "", "", ReadingKind::block, summary});
  }
  return readings;
}

double figure(const std::vector<ObservedBlock>& blocks, ReadingSummary summary) {
  const ReadingInfo reading{"x", "", "", ReadingKind::block, summary};
  const Resources figures = summarize_readings(blocks, {&reading, 1});
  return figures.contains("x") ? figures.at("x") : std::nan("");
}

}  // namespace

TEST_CASE("readings of blocks become one figure as their table says") {
  const SampleBlock first = with(10, "x", {1});
  const SampleBlock second = with(20, "x", {2});
  const SampleBlock third = with(30, "x", {9});
  const std::vector<ObservedBlock> blocks{{&first}, {&second}, {&third}};
  CHECK(figure(blocks, ReadingSummary::median) == 2);
  CHECK(figure(blocks, ReadingSummary::mean) == 4);
  CHECK(figure(blocks, ReadingSummary::maximum) == 9);
  CHECK(figure(blocks, ReadingSummary::sum) == 12);
  CHECK(figure(blocks, ReadingSummary::samples) == 60);
}

TEST_CASE("put-aside blocks count in the number of samples and nowhere else") {
  const SampleBlock good = with(10, "x", {0});
  const SampleBlock bad = with(7, "x", {1});
  const std::vector<ObservedBlock> blocks{{&good, true}, {&bad, false}};
  CHECK(figure(blocks, ReadingSummary::samples) == 7);
  CHECK(figure(blocks, ReadingSummary::sum) == 0);
  CHECK(figure({{&bad, false}}, ReadingSummary::samples) == 7);
  CHECK(std::isnan(figure({{&bad, false}}, ReadingSummary::mean)));
}

TEST_CASE("marked samples are counted one by one where there is a value for each") {
  const SampleBlock block = with(4, "x", {0, 1, 0, 1});
  CHECK(figure({{&block}}, ReadingSummary::samples) == 2);
  const SampleBlock none = with(4, "x", {0});
  CHECK(figure({{&none}}, ReadingSummary::samples) == 0);
}

TEST_CASE("what was not read has no figure, and what is no number is left out") {
  const SampleBlock other = with(4, "y", {1});
  for (const ReadingInfo& reading : all_summaries()) {
    CHECK(summarize_readings(std::vector<ObservedBlock>{{&other}}, {&reading, 1}).empty());
  }
  const SampleBlock gap = with(3, "x", {1, std::nan(""), 3});
  CHECK(figure({{&gap}}, ReadingSummary::mean) == 2);
  const ReadingInfo pass{"x", "", "", ReadingKind::pass, ReadingSummary::mean};
  CHECK(summarize_readings(std::vector<ObservedBlock>{{&gap}}, {&pass, 1}).empty());
}
