#include "config/key_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace benchctl {

namespace {

constexpr const char* required = "required";

std::vector<ConfigTable> general_tables() {
  return {
      {"the config",
       "The tables of a config.",
       {{"experiment", "table", required, "what the run is called"},
        {"measure", "table", "", "how points are measured, see the keys of `[measure]`"},
        {"compare", "table", "", "what points are compared with, and which difference matters"},
        {"search", "table", "", "for spaces too large to try every point"},
        {"sweep", "one `[[sweep]]` or more", required, "which points there are"},
        {"reference", "one `[[reference]]` each", "", "published figures to show beside ours"},
        {"kernel", "one `[[kernel]]` each", "", "kernels that the config brings"},
        {"workload", "one `[workload.NAME]` each", "", "computations that the config declares"}}},
      {"[experiment]",
       "What the run is called, and what roofs it uses.",
       {{"name", "word", required, "name of the run, for `runs` and for files"},
        {"title", "text", "`name`", "heading of tables and reports"},
        {"description", "text", "none", "what the experiment is for"},
        {"roofs", "`run`, `cached` or `none`", "`cached`",
         "roofs of the devices: measured first, taken from the store, or not used"}}},
      {"[compare]",
       "What points are compared with, and which difference matters.",
       {{"baseline", "table of parameters, or `variant`, `device` …", "the vendor's variant of the device",
         "with `mode = \"paired\"`: the point that the others of its problem are held against"},
        {"threshold", "share of the time, 0 to 1", "0.01", "a difference up to this is called `same`"}}},
      {"[search]",
       "Which points of a space are tried, and in which order; as `search = { … }` of a sweep for that "
       "alone.",
       {{"strategy", "name of a search strategy", "`all`", "how the next points are chosen"},
        {"max_points", "integer from 1, points", "the strategy's", "tried per problem and device at most"},
        {"seed", "integer from 0", "1", "of the strategy's choices"}}}};
}

std::vector<ConfigTable> sweep_tables() {
  return {
      {"[[sweep]]",
       "A workload and the axes whose combinations are points.",
       {{"name", "word", "`sweep-1`, `sweep-2` …", "for messages and for `--set NAME.axis=…`"},
        {"workload", "name of a workload", required, "what is computed"},
        {"backends", "list of names", "all that are available", "who computes it"},
        {"devices", "list of patterns", "all",
         "on which devices, by names as `benchctl devices` shows them; `*` stands for any text"},
        {"variants", "list of names or patterns", "all that a backend has", "by which implementations"},
        {"parameters", "table: name and value, list or range", "defaults",
         "axes: parameters of the problem, `layout`, tunables, `cache`, `launch`, `basis`"},
        {"zip", "list of lists of axes", "none", "axes that advance together"},
        {"where", "list of conditions", "none", "a point that breaks one of them is left out"},
        {"override", "one `[[sweep.override]]` each", "none", "other axes on some devices; later ones win"},
        {"expect", "`right`, `wrong`, or a table by variant", "`right`",
         "`wrong` marks what is there to show a mistake"},
        {"measure", "table", "that of the config", "keys of `[measure]` for this sweep"},
        {"search", "table", "that of the config", "keys of `[search]` for this sweep"}}},
      {"[[sweep.override]]",
       "Axes and settings for some devices of a sweep.",
       {{"match", "table", required, "for which devices"},
        {"parameters", "table of axes", "none", "in place of the sweep's axes of the same names"},
        {"measure", "table", "none", "keys of `[measure]`"}}},
      {"match of [[sweep.override]]",
       "Devices, by at least one of:",
       {{"backend", "name of a backend", "any", "all devices of this backend"},
        {"device_type", "`cpu`, `gpu`, `accelerator` …", "any", "all devices of this type"},
        {"device", "pattern", "any", "of the device's name, as `benchctl devices` shows it"}}},
      {"range of an axis",
       "Numbers from one to another, in place of a list.",
       {{"from", "number", required, "the first"},
        {"to", "number", required, "the last one at most"},
        {"step", "number", "this or `times`", "from one to the next by addition"},
        {"times", "number", "this or `step`", "from one to the next by multiplication"}}},
      {"[[reference]]",
       "Published figures, shown as ratios beside ours.",
       {{"source", "text", required, "where they were published"},
        {"hardware", "text", "none", "what they were measured on"},
        {"metric", "name of a metric", "`median_ns`", "which of our figures stands beside them"},
        {"unit", "text", "none", "that of the published figures"},
        {"match", "table with `workload` at least", required, "what our points must be"},
        {"axis", "a parameter, `variant` or `layout`", required, "what the figures differ in"},
        {"values", "list of pairs", required, "value of the axis and published figure"},
        {"relative_to", "a value of the axis", "none", "the place that ratios are taken to"},
        {"device", "table", "none", "that hardware by its data sheet: adds what is predicted for it"}}},
      {"device of [[reference]]",
       "Hardware that is not there, by its data sheet. The longest of four times is predicted: arithmetic, "
       "memory, "
       "cache, shared memory; one whose rate is not given does not count.",
       {{"multiprocessors", "number", required, "how many"},
        {"clock_mhz", "number, MHz", required, "of the arithmetic units"},
        {"fma_per_clock", "number", "none", "multiply-adds in f32 of one multiprocessor"},
        {"shared_bytes_per_clock", "number, bytes", "none", "of one multiprocessor's shared memory"},
        {"cache_bytes_per_clock", "number, bytes", "none", "of the last cache"},
        {"memory_gbytes_per_s", "number, GB/s", "none", "of the device's memory"}}}};
}

/// What a launch says, in a `[[kernel.launch]]` of its own or in the kernel.
std::vector<ConfigKey> launch_keys() {
  return {
      {"source", "path in the config's folder", "this or `text`",
       "the file that holds the kernel function"},
      {"text", "text", "this or `source`",
       "the source itself; it may include files of the config's folder"},
      {"entry", "identifier", required,
       "name of the kernel function (`extern \"C\"` where the language is C++)"},
      {"arguments", "list of names", R"_(`["*"]`)_",
       "buffers, scratch buffers and scalars in the order of the function's parameters; `*`: all buffers "
       "of the workload, then all its scalars; or an expression that gives a name"},
      {"defines", "table of macros and expressions, or list of names", "none",
       "macros; a name of the list that is neither a parameter nor in `tunables` is a tunable without a "
       "default"},
      {"block", "one to three expressions, threads", required,
       "threads per block, or work-items per work-group, in x, y and z"},
      {"grid", "one to three expressions, blocks", required, "blocks, or work-groups, in x, y and z"},
      {"shared_bytes", "expression, bytes", "0",
       "dynamic shared memory of a block, where the backend has such"},
      {"local_bytes", "expression, bytes", "0",
       "all shared or local memory of a block: rules points out before anything is compiled"},
      {"when", "condition", "`true`", "the launch is left out where it does not hold"}};
}

ConfigTable kernel_table() {
  ConfigTable table{"[[kernel]]", "A kernel that the config brings: a variant of its backend.", {}};
  table.keys = {{"name", "identifier", required, "the variant's name, new for this workload and backend"},
                {"workload", "name of a workload", required, "what it computes"},
                {"backend", "name of a backend", required, "what compiles and launches it"},
                {"doc", "text", "none", "one sentence for `benchctl list`"}};
  for (ConfigKey& key : launch_keys()) table.keys.push_back(std::move(key));
  const std::vector<ConfigKey> rest{
      {"launch", "one `[[kernel.launch]]` each", "one launch",
       "several launches, run in order: together they are what is timed"},
      {"scratch", "one `[[kernel.scratch]]` each", "none", "memory beside the workload's buffers"},
      {"tunables", "table: `NAME = default`, or `NAME = { … }`", "none",
       "its own parameters; one without a default must be an axis of every sweep that has the kernel"},
      {"derived", "table: `NAME = expression`", "none",
       "names for intermediate values; expressions that follow may use them"},
      {"effort", "expression", "the workload's operations",
       "what the busiest compute unit does, in any unit: scales times from one problem to another"},
      {"among", "list of variants", "none",
       "in place of a source: the kernel is a choice that tries configurations of these variants"},
      {"dtypes", "list of element types", "all", "values of the parameter `dtype` that it is for"},
      {"layouts", "list of layouts", "all", "layouts of the workload that it takes"},
      {"precision", "`dtype`, `f64`, `f32`, `tf32`, `f16` or `bf16`", "`dtype`",
       "what its result is judged by"},
      {"compute_path", "`fma` or `mma_…`", "`fma`", "the roof that its operations are compared with"},
      {"features", "list of words", "none", "what the device must offer, such as `fp64`"},
      {"device_types", "list of `cpu`, `gpu` …", "all", "types of devices that it is for"},
      {"architectures", "list of words", "none", "those that it is meant for, for the record"},
      {"require", "list of conditions", "none", "what a point must meet"}};
  table.keys.insert(table.keys.end(), rest.begin(), rest.end());
  return table;
}

std::vector<ConfigTable> kernel_tables() {
  ConfigTable launch{"[[kernel.launch]]", "One of several launches; what it leaves open is the kernel's.",
                     launch_keys()};
  for (ConfigKey& key : launch.keys) key.fallback = "the kernel's";
  return {
      kernel_table(),
      std::move(launch),
      {"[[kernel.scratch]]",
       "Memory beside the workload's buffers, never checked.",
       {{"name", "identifier", required, "for `arguments`"},
        {"dtype", "element type", "`f32`", "of its elements"},
        {"count", "expression, elements", required, "how many"},
        {"zeroed", "true or false", "false", "before every execution, inside the timed window"}}},
      {"tunable of [[kernel]]",
       "One of `tunables` in braces.",
       {{"default", "number, text or truth value", "none: sweeps must give it", "where nothing is swept"},
        {"require", "list of conditions", "none", "what its values must meet"},
        {"values", "list or range", "none", "worth trying, for `benchctl list`"},
        {"by_size", "true or false", "false",
         "its best value depends on the problem's size: a choice also tries the one of least `effort`"},
        {"doc", "text", "none", "one sentence"}}}};
}

std::vector<ConfigTable> workload_tables() {
  return {{"[workload.NAME]",
           "A computation that no built-in workload describes.",
           {{"doc", "text", "none", "one sentence for `benchctl list`"},
            {"parameters", "table: `NAME = default`, `NAME = { … }` or a list of words", "none",
             "what a problem differs in; of a list the first word is the default"},
            {"buffer", "one `[[workload.NAME.buffer]]` or more", required,
             "memory that kernels read and write"},
            {"scalar", "one `[[workload.NAME.scalar]]` each", "none", "numbers that kernels are given"},
            {"cost", "table", "none", "least work of one execution"},
            {"check", "table", required, "what is right"}}},
          {"parameter of [workload.NAME]",
           "One of `parameters` in braces.",
           {{"default", "number, or expression over those above", "1", "where nothing is swept"},
            {"minimum", "number", "1", "least value"},
            {"maximum", "number", "2^31 − 1", "largest value"},
            {"doc", "text", "none", "one sentence"}}},
          {"[[workload.NAME.buffer]]",
           "A buffer of a declared workload.",
           {{"name", "identifier", required, "for `arguments`, and for messages"},
            {"type", "`f32`, `f64`, `i32`, `u32`, `u8` or `dtype`", required, "of its elements"},
            {"count", "expression, elements", required, "how many"},
            {"role", "`in`, `out` or `inout`", required,
             "read, written whole, or both: restored before every execution"},
            {"fill",
             "`uniform`, `integers`, `constant`, `index`, `wide`, `huge`, `denormal`, `special`, or "
             "`{ KIND = numbers }`",
             "`uniform` from −1 to 1; of integers 0 to 255",
             "of `in` and `inout`: how elements are drawn from `[measure] seed`"}}},
          {"[[workload.NAME.scalar]]",
           "A number that every kernel of a declared workload is given.",
           {{"name", "identifier", required, "for `arguments`"},
            {"type", "`i32`, `u32`, `f32`, `f64` or `dtype`", "`i32`", "as which it is passed"},
            {"value", "expression", "the parameter of that name", "what is passed"}}},
          {"cost of [workload.NAME]",
           "Least work of one execution, from which rates and shares of roofs are made.",
           {{"flops", "expression, operations", "0",
             "those of the textbook, the same for all kernels; an FMA counts two"},
            {"bytes_read", "expression, bytes", "those of `in` and `inout`", "that must be read at least"},
            {"bytes_written", "expression, bytes", "those of `out` and `inout`",
             "that must be written at least"}}},
          {"[workload.NAME.check]",
           "What is right: abs(value − truth) may be `absolute` + `relative` · abs(truth).",
           {{"kernel", "name of a `[[kernel]]`", "this or `files`",
             "a trusted kernel of this workload: what it leaves is the truth"},
            {"files", "table: output and file", "this or `kernel`",
             "raw little-endian elements or `.npy`, one file for each output"},
            {"relative", "expression", "0",
             "may name `roundoff`, half the distance from 1 to the next number in the kernel's precision"},
            {"absolute", "expression", "0", "likewise"}}}};
}

std::vector<ConfigTable> policy_tables() {
  return {{"the policy",
           "A file for `benchctl compare --policy`.",
           {{"gate", "table", "", "what holds for all points"},
            {"rule", "one `[[rule]]` each", "none", "what holds for some; the first that matches counts"}}},
          {"[gate]",
           "Which differences between two runs count as failure.",
           {{"threshold", "share, 0 to 1", "the command's or the config's", "a smaller one is `same`"},
            {"fail", "list of outcomes", R"_(`["slower", "wrong", "failed", "not_comparable"]`)_",
             "outcomes that fail"},
            {"needs_interval", "true or false", "false",
             "a single value without an interval is `not resolved`"},
            {"whole_interval", "true or false", "false",
             "`faster` and `slower` need the whole interval beyond the threshold"},
            {"false_discovery_rate", "true or false", "false",
             "for many points: 5 % of the differences that are called may be false, instead of any in 5 % "
             "of comparisons"}}},
          {"[[rule]]",
           "The same for some points and one metric.",
           {{"match", "table", "all points", "which points"},
            {"metric", "name or pattern of metrics with a better direction", "`median_ns`", "which figure"},
            {"threshold", "share, 0 to 1", "that of `[gate]`", "a smaller difference is `same`"},
            {"fail", "list of outcomes", "that of `[gate]`", "outcomes that fail"},
            {"needs_interval", "true or false", "that of `[gate]`",
             "a single value without an interval is `not resolved`"}}},
          {"match of [[rule]]",
           "Points, by patterns.",
           {{"workload", "pattern", "`*`", "of the workload's name"},
            {"variant", "pattern", "`*`", "of the variant's name"},
            {"backend", "pattern", "`*`", "of the backend's name"},
            {"device", "pattern", "`*`", "of the device's name"}}}};
}

std::vector<ConfigTable> tuning_tables() {
  return {{"the tuning table",
           "A file of configurations that `benchctl tune` writes and choices pick from.",
           {{"tuning", "table", required, "what the table is for, and where it comes from"},
            {"class", "one `[[class]]` or more", required, "the quickest configurations of a problem"}}},
          {"[tuning]",
           "What the table is for, and where it comes from.",
           {{"workload", "name of a workload", required, "what was computed"},
            {"backend", "name of a backend", required, "by whom"},
            {"architecture", "word", required, "of the device, as `benchctl devices` shows it"},
            {"device", "text", "none", "name of the device"},
            {"driver", "text", "none", "driver with its version"},
            {"date", "text", "none", "when it was written"},
            {"command", "text", "none", "what wrote it"},
            {"revision", "text", "none", "of the program that wrote it"}}},
          {"[[class]]",
           "A problem, and the configurations that were quickest for it.",
           {{"choice", "name of a variant", required, "who picks from them"},
            {"problem", "table of parameters", required, "sizes and element type"},
            {"ns", "time above 0, ns", "not known", "that the quickest took"},
            {"configurations", "list of tables, at most 8", required, "the quickest first"},
            {"layout", "name of a layout", "none", "where the workload has several"}}},
          {"configuration of [[class]]",
           "A variant with its tunables.",
           {{"variant", "name of a variant", required, "which one"},
            {"tunables", "table: name and value", "none", "those that are not named have their defaults"},
            {"ratio", "number from 1", "1", "its time over that of the quickest"}}}};
}

std::vector<ConfigTable> make_tables() {
  std::vector<ConfigTable> all;
  for (auto make :
       {general_tables, sweep_tables, kernel_tables, workload_tables, policy_tables, tuning_tables}) {
    for (ConfigTable& table : make()) all.push_back(std::move(table));
  }
  return all;
}

}  // namespace

bool ConfigTable::has(std::string_view key) const {
  return std::ranges::find(keys, key, &ConfigKey::name) != keys.end();
}

std::vector<std::string> ConfigTable::key_names() const {
  std::vector<std::string> names;
  for (const ConfigKey& key : keys) names.push_back(key.name);
  return names;
}

std::span<const ConfigTable> config_tables() {
  static const std::vector<ConfigTable> tables = make_tables();
  return tables;
}

const ConfigTable& config_table(std::string_view name) {
  const auto found = std::ranges::find(config_tables(), name, &ConfigTable::name);
  if (found == config_tables().end())
    throw std::logic_error(fmt::format("no table of keys is called '{}'", name));
  return *found;
}

}  // namespace benchctl
