#include "engine/references.hpp"

#include <benchctl/file_draft.hpp>

#include "engine/interrupt.hpp"
#include "model/json.hpp"
#include "model/words.hpp"
#include "workloads/array_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// A file holds an array of NumPy's .npy after the other, each with the name of its output: f8 are reals, u8
// indices.
constexpr std::string_view real_type = "<f8";
constexpr std::string_view index_type = "<u8";

template <class Arrays>
void put_arrays(std::ostream& out, std::string_view type, const Arrays& arrays) {
  for (const auto& [name, numbers] : arrays) {
    out << npy_start(name, type, numbers.size());
    out.write(reinterpret_cast<const char*>(numbers.data()),
              static_cast<std::streamsize>(numbers.size() * sizeof numbers[0]));
  }
}

template <class Number>
std::vector<Number> take_array(std::istream& in, std::uint64_t length, std::uint64_t bytes_left) {
  if (length > bytes_left / sizeof(Number)) throw std::invalid_argument("it is cut short");
  std::vector<Number> numbers(length);
  in.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(length * sizeof(Number)));
  if (!in) throw std::invalid_argument("it cannot be read to its end");
  return numbers;
}

}  // namespace

json reference_request(const Workload& workload, const Point& point, std::uint64_t seed,
                       const fs::path& file) {
  return {{"workload", point.workload},
          {"parameters", to_json(problem_values(workload, point))},
          {"layout", point.layout},
          {"seed", seed},
          {"file", file.string()}};
}

void save_reference(const Reference& reference, const fs::path& file) {
  const FileDraft draft(file);
  std::ofstream out(draft.path(), std::ios::binary | std::ios::trunc);
  put_arrays(out, real_type, reference.reals);
  put_arrays(out, index_type, reference.indices);
  out.close();
  if (!out) {
    throw std::runtime_error(fmt::format("cannot write reference file {}: is the disk full?", file));
  }
  draft.commit();
}

Reference load_reference(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("cannot read reference file {}", file));
  const std::uint64_t size = fs::file_size(file);
  Reference reference;
  try {
    while (in.peek() != std::ifstream::traits_type::eof()) {
      if (!takes_npy_magic(in)) throw std::invalid_argument("an array begins with something else");
      NpyHeader header = read_npy_header(in);
      const std::uint64_t left = size - static_cast<std::uint64_t>(in.tellg());
      if (header.type == real_type) {
        reference.reals[std::move(header.name)] = take_array<double>(in, header.length, left);
      } else if (header.type == index_type) {
        reference.indices[std::move(header.name)] = take_array<std::uint64_t>(in, header.length, left);
      } else {
        throw std::invalid_argument(fmt::format("it holds elements '{}'", header.type));
      }
    }
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(fmt::format("reference file {} is damaged: {}", file, error.what()));
  }
  return reference;
}

void ReferenceWorker::start() {
  channel_ = factory_.start({});
  channel_->call(Verb::define, {{"variants", json::array()}, {"workloads", workloads_.definitions()}},
                 std::chrono::duration<double>(timeout_seconds_));
}

double ReferenceWorker::ask(const json& request) {
  const std::scoped_lock lock(asking_);
  const auto ask_once = [&] {
    try {
      if (channel_ == nullptr) start();
      const Stopwatch watch;
      channel_->call(Verb::reference, request, std::chrono::duration<double>(10 * timeout_seconds_));
      return watch.seconds();
    } catch (const WorkerLost&) {
      channel_.reset();
      throw;
    }
  };
  return retry(ask_once, [&](const WorkerLost&) { return !interrupted_(); });
}

double ReferenceWorker::compute(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const Workload& workload = *workloads_.find(point.workload);
  const auto begun =
      std::ranges::find(begun_, reference_request(workload, point, seed, {}).dump(), &Begun::problem);
  if (begun == begun_.end()) return ask(reference_request(workload, point, seed, file));
  Begun taken = std::move(*begun);
  begun_.erase(begun);
  const double seconds = taken.seconds.get();
  if (taken.file != file) std::filesystem::rename(taken.file, file);
  return seconds;
}

void ReferenceWorker::begin(const Point& point, std::uint64_t seed, const std::filesystem::path& file) {
  const Workload& workload = *workloads_.find(point.workload);
  begun_.push_back(
      {reference_request(workload, point, seed, {}).dump(), file,
       std::async(std::launch::async, [this, request = reference_request(workload, point, seed, file)] {
         return ask(request);
       })});
}

TrustedKernels::Found TrustedKernels::find(const Point& point) const {
  const std::string kernel = workloads_.find(point.workload)->trusted_kernel();
  Found first;
  std::string backends;
  for (const BackendEntry& backend : catalogue_.backends) {
    const VariantInfo* variant = backend.find_variant(point.workload, kernel);
    if (variant == nullptr) continue;
    backends += (backends.empty() ? "" : ", ") + backend.name;
    const auto lanes = std::ranges::find(lanes_, backend.name, &BackendLanes::backend);
    if (lanes == lanes_.end()) continue;
    for (const Lane& lane : lanes->lanes) {
      if (lane.name() == point.device) return {&lane, &backend, variant};
      if (first.lane == nullptr) first = {&lane, &backend, variant};
    }
  }
  if (first.lane != nullptr) return first;
  throw std::runtime_error(
      backends.empty()
          ? fmt::format("trusted kernel '{}' needs a backend that is not installed", kernel)
          : fmt::format("trusted kernel '{}' needs backend {}, but none of its devices is selected", kernel,
                        backends));
}

void TrustedKernels::make_reference(const Point& point, std::uint64_t seed,
                                    const std::filesystem::path& file) {
  const Found found = find(point);
  std::unique_ptr<LaneWorker>& worker = workers_[found.lane->name()];
  if (worker == nullptr) {
    worker = std::make_unique<LaneWorker>(*found.lane, *found.backend, workloads_, factory_, options_,
                                          timeout_seconds_);
  }
  worker->ensure_open();
  constexpr std::uint64_t id = 1;
  Parameters tunables;
  for (const TunableInfo& tunable : found.variant->tunables) tunables[tunable.name] = tunable.default_value;
  for (const std::string& name : workloads_.find(point.workload)->size_tunables())
    tunables[name] = point.tunables.at(name);
  worker->set_up({.id = id, .point = point, .seeds = {seed}});
  const auto drop = [&] {
    if (worker->running()) worker->call(Verb::drop, {{"problem", id}});
  };
  try {
    worker->prepare({id,
                     id,
                     found.variant->name,
                     tunables,
                     {},
                     fmt::format("{}/{} as reference", point.workload, found.variant->name)});
    worker->call(Verb::reference, {{"prepared", id}, {"file", file.string()}}, 9 * timeout_seconds_);
  } catch (const Failure& failure) {
    drop();
    throw Failure(failure.kind(),
                  fmt::format("trusted kernel '{}': {}", found.variant->name, failure.what()));
  }
  drop();
}

}  // namespace benchctl
