// What is said to a worker and back: a record for each request, which names its reply, and one codec. A
// plugin is a stranger, so replies are checked where they come in (`accept`): a figure that is not a number
// is left out with a note, and a time that cannot be is a Failure of the point.
#pragma once

#include <benchctl/backend.hpp>

#include "model/point.hpp"
#include "observe/lane_watch.hpp"
#include "plugins/plugin_table.hpp"
#include "sweep/lanes.hpp"
#include "sweep/point_plan.hpp"
#include "workloads/workload.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

/// How a request is spelled.
using Verb = std::string_view;

using Notes = std::map<std::string, std::string, std::less<>>;

/// The reply where there is nothing to tell.
struct Done {};

struct BlasReply {
  std::string build;  ///< as blas_build() tells
};

struct ProblemReply {
  std::uint64_t bytes = 0;  ///< that the problem takes on the device
};

struct PrepareReply {
  Resources resources = {};
  Notes notes = {};
  std::size_t picked = 0;  ///< place of the candidate that is ready
};

struct CheckReply {
  Verification verification;
  double run_ns = 0;   ///< duration of the last execution, as the plugin says
  double host_ns = 0;  ///< its duration by the host's clock
  Resources metrics;   ///< that the kernel left in its outputs
  Notes notes;
};

struct SampleReply {
  SampleBlock block;
  Observed observed = {};
  std::optional<Verification> verification = {};  ///< for what the samples left; absent: not checked
};

/// An execution that lasts less than so many steps of the device's timer is not timed alone.
inline constexpr double least_timer_steps = 10;

/// What the kernel finds in an execution of an audit. Outputs are poisoned before each.
enum class AuditKind : std::uint8_t {
  again,      ///< inputs of the samples, scratch memory as the execution before left it
  known,      ///< inputs of the samples, scratch memory reset
  fresh,      ///< inputs that it had never been given, scratch memory reset
  kept,       ///< such inputs, scratch memory as the execution before left it
  repeated,   ///< the inputs of `fresh` once more, scratch memory reset
  rewritten,  ///< inputs of the samples, just written as those of `fresh` were, scratch memory reset
};

BENCHCTL_WORDS(AuditKind, again, known, fresh, kept, repeated, rewritten)

struct AuditedExecution {
  AuditKind kind = AuditKind::known;
  double ns = 0;           ///< without the waits for a processor, unless they are most of it
  bool held_up = false;    ///< another process had its processor for a while
  double left_out_ns = 0;  ///< what its sample took the host beyond the plugin's time; 0: not known
  double waited_ns = 0;    ///< how much of that may be waits for a processor
};

/// What the host's clock says of samples with few and with many executions.
struct HostTimes {
  double claimed_ns = 0;   ///< per execution, as the plugin says
  double left_out_ns = 0;  ///< what a further execution takes the host beyond that
  double waited_ns = 0;    ///< how much of it may be waits for a processor
  double unwaited_ns = 0;  ///< left_out_ns as it is when the waits of all samples are taken off
  double read_ns = 0;      ///< how much of it falls into reading a result
};

struct AuditReply {
  Verification verification;  ///< the first execution with wrong outputs, or the last one
  std::vector<AuditedExecution> executions;
  std::optional<HostTimes> host;  ///< absent: not taken
};

struct PassReply {
  Resources metrics = {};
  Notes absent = {};
};

struct CompileReply {
  Resources resources;
  std::string log;
  double compile_ns = 0;  ///< 0: the cache had it
};

/// The requests. Problems and what is prepared have numbers that the asking side chooses.
namespace verbs {

/// What is the one plugin that was loaded? The reply does not tell where it lies.
struct Describe {
  static constexpr Verb verb = "describe";
  using Reply = PluginEntry;
};

/// Which library computes references?
struct Blas {
  static constexpr Verb verb = "blas";
  using Reply = BlasReply;
};

/// Lets the plugin's observer watch devices for a moment.
struct Watch {
  static constexpr Verb verb = "watch";
  using Reply = Done;
  std::vector<DeviceInfo> devices;
};

struct Probe {
  static constexpr Verb verb = "probe";
  using Reply = DeviceList;
  std::string backend;
};

/// Opens a device, and lets go of all that was there before.
struct Open {
  static constexpr Verb verb = "open";
  using Reply = Done;
  std::string backend;
  DeviceInfo device;  ///< all that is known of it
  SessionOptions options;
};

/// Which problem of which workload.
struct StatedProblem {
  std::string workload = {};
  std::string definition = {};  ///< Workload::definition()
  Parameters parameters = {};
  std::string layout = {};
};

/// Allocates and fills the buffers of a problem.
struct Problem {
  static constexpr Verb verb = "problem";
  using Reply = ProblemReply;
  std::uint64_t id = 0;
  StatedProblem stated = {};
  std::vector<std::uint64_t> seeds = {};  ///< the sets take the draws of inputs in turn
  std::uint32_t sets = 1;
  bool spare = false;                                  ///< one set more, for audits
  std::vector<std::filesystem::path> references = {};  ///< a file for each draw
};

/// Compiles, loads and binds a variant for a problem: the candidate that is quickest in a trial, if there
/// are several.
struct Prepare {
  static constexpr Verb verb = "prepare";
  using Reply = PrepareReply;
  std::uint64_t id = 0;
  std::uint64_t problem = 0;
  std::string precision = {};  ///< that results are judged by
  std::vector<Candidate> candidates = {};
  std::string label = {};  ///< for profilers
};

/// Executes on poisoned outputs and compares, or compares what the latest samples left.
struct Check {
  static constexpr Verb verb = "check";
  using Reply = CheckReply;
  std::uint64_t prepared = 0;
  bool execute = true;  ///< once on each of `sets` sets
  std::uint32_t sets = 1;
  std::filesystem::path dump = {};  ///< a folder for what was read and written; empty: none
};

struct Sample {
  static constexpr Verb verb = "sample";
  using Reply = SampleReply;
  std::uint64_t prepared = 0;
  SampleRequest request;
  ReadingSelection observe;
  bool discard_first = false;
};

/// Executes on inputs old and new; each execution is timed and its outputs are compared.
struct Audit {
  static constexpr Verb verb = "audit";
  using Reply = AuditReply;
  std::uint64_t prepared = 0;
  SampleRequest request;            ///< as the point's samples are taken
  double seconds = 0;               ///< limit of the audit
  double execution_ns = 0;          ///< as reported
  bool keep_scratch = false;        ///< the first execution on fresh inputs finds scratch memory as it was
  std::uint64_t seed = 0;           ///< seed of the fresh inputs
  std::filesystem::path reference;  ///< reference for these
};

/// Executes in a pass of its own for readings that need one. Nothing is timed in it.
struct Observe {
  static constexpr Verb verb = "observe";
  using Reply = PassReply;
  std::uint64_t prepared = 0;
  SampleRequest request;
  ReadingSelection observe;
  double execution_ns = 0;
};

/// Lets go of a problem with all that was prepared for it.
struct Drop {
  static constexpr Verb verb = "drop";
  using Reply = Done;
  std::uint64_t problem = 0;
};

/// Computes a problem's reference into a file.
struct Reference {
  static constexpr Verb verb = "reference";
  using Reply = Done;
  StatedProblem stated;
  std::uint64_t seed = 0;
  std::filesystem::path file;
};

/// Executes a kernel that is trusted, and writes what it leaves into a file as the reference.
struct Outputs {
  static constexpr Verb verb = "outputs";
  using Reply = Done;
  std::uint64_t prepared = 0;
  std::filesystem::path file;
};

/// Compiles a plan without a device into the disk cache.
struct Compile {
  static constexpr Verb verb = "compile";
  using Reply = CompileReply;
  std::string backend = {};
  std::string architecture = {};
  KernelPlan plan = {};
  SessionOptions options = {};
};

}  // namespace verbs

/// The point's problem.
[[nodiscard]] verbs::StatedProblem state(const Point& point, const Workload& workload);

/// The document of a request or a reply.
template <class Message>
[[nodiscard]] nlohmann::json encode(const Message& message);
/// Throws nlohmann::json::exception or std::invalid_argument for a document of another shape.
template <class Message>
[[nodiscard]] Message decode(const nlohmann::json& document);

/// Checks the reply to a request. Throws Failure: launch_error.
template <class Request>
void accept(const Request& /*request*/, typename Request::Reply& /*reply*/) {}
void accept(const verbs::Prepare& request, PrepareReply& reply);
void accept(const verbs::Check& request, CheckReply& reply);
/// Failure for no sample, for more than were asked for, and for a time that is negative or not a number.
void accept(const verbs::Sample& request, SampleReply& reply);
/// Failure for a sample below a picosecond, 0 among them, in which nothing can have run. (While warming up
/// a coarse clock may not have moved yet.)
void refuse_stopped_clock(const SampleBlock& block);
/// Failure for a time that is negative or not a number.
void accept(const verbs::Audit& request, AuditReply& reply);
void accept(const verbs::Observe& request, PassReply& reply);
void accept(const verbs::Compile& request, CompileReply& reply);

/// The lanes of a backend. Devices without a usable id, and those with the id of an earlier one, are left
/// out and named in BackendLanes::remarks.
[[nodiscard]] BackendLanes lanes_of(const std::string& backend, DeviceList list);

/// The document with every byte that is not UTF-8 replaced by U+FFFD, in texts and in names.
[[nodiscard]] nlohmann::json with_valid_text(nlohmann::json document);

}  // namespace benchctl
