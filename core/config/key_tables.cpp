#include "config/key_tables.hpp"

#include "model/words.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace benchctl {

namespace {

using Keys = std::vector<ConfigKey>;

constexpr const char* required = "required";

/// What a launch says, in a `[[kernel.launch]]` of its own or in the kernel. `fallback` holds where a key
/// is not given; empty: that of each key.
Keys launch_keys(const std::string& fallback = {}) {
  Keys keys{
      {"source", "path in the config's folder", "this or `text`", "file with the kernel function"},
      {"text", "text", "this or `source`", "the source itself; may include files of the config's folder"},
      {"entry", "name of a function, or of a template with its arguments",
       "the name of `source` without its end",
       "the kernel function; in languages with templates `add<float, TILE>`, too"},
      {"arguments", "list of names, numbers, expressions and `{ TYPE = expression }`", R"_(`["*"]`)_",
       "in the order of the function's parameters. `*`: all buffers of the workload, then all its scalars. "
       "TYPE is an element type, `dtype`, or, for pointers to local memory, `local_bytes`; without it "
       "whole numbers are passed as `i32`, others as `f32`"},
      {"defines", "table of macros and expressions, or list of names or of `NAME = expression`", "none",
       "macros; in a list of names, one that is neither a parameter nor in `tunables` becomes a tunable "
       "without a default"},
      {"block", "one to three expressions, threads", required,
       "threads per block, or work-items per work-group, in x, y and z"},
      {"grid", "one to three expressions, blocks", required, "blocks, or work-groups, in x, y and z"},
      {"shared_bytes", "expression, bytes", "0",
       "dynamic shared memory of a block; where it is a pointer, `arguments` has the parameter's name"},
      {"local_bytes", "expression, bytes", "0",
       "all shared or local memory of a block; rules points out before compilation"},
      {"options", "list of options, in them `{expression}`", "none",
       "options of the compiler that name no file ([which](user-kernels.md#compiling)); headers of its "
       "toolkit need none"},
      {"constants", "table of symbols and buffers", "none",
       "constant memory of the source, which each execution copies from a buffer"},
      {"extras", "table of names and expressions", "none",
       "what the backend alone understands ([table](user-kernels.md#extras))"},
      {"when", "condition", "`true`", "the launch happens only if this holds"}};
  for (ConfigKey& key : keys) {
    if (!fallback.empty()) key.fallback = fallback;
  }
  return keys;
}

Keys repetition_keys(const std::string& what, const std::string& counter) {
  return {
      {"repeat", "expression", "once",
       "how often " + what + "; expressions of the launch may name `" + counter + "`, which counts from 0"},
      {"swap", "list of pairs of names", "none",
       "with `repeat`: outputs or scratch buffers of one size that change places in `arguments` after each "
       "repetition"}};
}

Keys joined(std::initializer_list<Keys> parts) {
  Keys all;
  for (const Keys& keys : parts) all.insert(all.end(), keys.begin(), keys.end());
  return all;
}

std::vector<ConfigTable> make_tables() {
  return {
      {"the config",
       "The tables of a config.",
       {{"experiment", "table", required, "name, title, roofs"},
        {"measure", "table", "", "how points are measured ([keys](#keys-of-measure))"},
        {"compare", "table", "", "baseline and threshold"},
        {"search", "table", "", "search strategy"},
        {"sweep", "one `[[sweep]]` or more", required, "workloads and axes"},
        {"published", "one `[[published]]` each", "", "published figures"},
        {"kernel", "one `[[kernel]]` each", "", "the config's own kernels"},
        {"workload", "one `[workload.NAME]` each", "", "the config's own workloads"}}},
      {"[experiment]",
       "Name and roofs of the run.",
       {{"name", "word", required, "name of the run, for `runs` and for files"},
        {"title", "text", "`name`", "heading of tables and reports"},
        {"description", "text", "none", "what the experiment is for"},
        {"question", "name of an axis", "the tunable with several values, else the variant",
         "what the first line of the results answers: `tile` asks which tile is fastest"},
        {"roofs", "`run`, `cached` or `none`", "`cached`",
         "roofs of the devices: measure first, take from the store, or use none"},
        {"order", "`random` or `written`", "`random`",
         "order in which problems are measured, by the run's seed or as written. Roofs come first. With a "
         "budget: what computes and moves least comes first"}}},
      {"[compare]",
       "Baseline and threshold of paired rounds and comparisons.",
       {{"baseline", "table of parameters, or `variant`, `device` …", "the vendor's variant of the device",
         "with `mode = \"paired\"`: the point that others of the problem are compared with"},
        {"threshold", "share of the time, 0 to 1", "0.01", "a difference up to this is called `same`"}}},
      {"[search]",
       "For spaces too large to measure completely. `search = { … }` in a sweep applies to that sweep "
       "alone.",
       {{"strategy", "name of a search strategy", "`all`", "the [strategy](#search-strategies)"},
        {"max_points", "integer from 1, points", "the strategy's", "most points per problem and device"},
        {"seed", "integer from 0", "1", "seed of the strategy"},
        {"objective", "name of a metric with a better direction", "`median_ns`",
         "the figure to make best; a reading such as `energy` is then observed"}}},
      {"[[sweep]]",
       "A workload and axes; every combination of values is a point.",
       {{"name", "word", "`sweep-1`, `sweep-2` …", "for messages and for `--set NAME.axis=…`"},
        {"workload", "name of a workload", required, "the workload"},
        {"backends", "list of names", "all that are available", "the backends"},
        {"devices", "list of patterns", "all",
         "device names as in `benchctl list --devices`; `*` stands for any text"},
        {"variants", "list of names or patterns", "all that a backend has", "the implementations"},
        {"parameters", "table: name and value, list or range", "defaults",
         "axes: problem parameters, `layout`, tunables, `cache`, `launch`, `basis`"},
        {"zip", "list of lists of axes", "none", "axes that advance together"},
        {"where", "list of conditions", "none", "points must meet all of them"},
        {"override", "one `[[sweep.override]]` each", "none", "other axes on some devices; later ones win"},
        {"expect", "`right`, `wrong`, or a table by variant", "`right`",
         "`wrong`: the variant shows a mistake"},
        {"measure", "table", "that of the config", "keys of `[measure]` for this sweep"},
        {"search", "table", "that of the config", "keys of `[search]` for this sweep"}}},
      {"[[sweep.override]]",
       "Axes and settings for some devices of a sweep.",
       {{"match", "table", required, "the devices"},
        {"parameters", "table of axes", "none", "replace the sweep's axes of the same names"},
        {"measure", "table", "none", "keys of `[measure]`"}}},
      {"match of [[sweep.override]]",
       "Devices, by at least one of:",
       {{"backend", "name of a backend", "any", "all devices of this backend"},
        {"device_type", "`cpu`, `gpu`, `accelerator` …", "any", "all devices of this type"},
        {"device", "pattern", "any", "device name as in `benchctl list --devices`"}}},
      {"range of an axis",
       "Numbers instead of a list.",
       {{"from", "number", required, "the first"},
        {"to", "number", required, "upper limit"},
        {"step", "number", "this or `times`", "difference of neighbours"},
        {"times", "number", "this or `step`", "ratio of neighbours"}}},
      {"[[published]]",
       "Published figures, as ratios beside ours.",
       {{"source", "text", required, "the publication"},
        {"hardware", "text", "none", "the hardware of the publication"},
        {"metric", "name of a metric", "`median_ns`", "our figure beside them"},
        {"unit", "text", "none", "unit of the published figures"},
        {"match", "table with `workload` at least", required, "condition for our points"},
        {"axis", "a parameter, `variant` or `layout`", required, "what distinguishes the figures"},
        {"values", "list of pairs", required, "value of the axis and published figure"},
        {"relative_to", "a value of the axis", "none", "denominator of the ratios"}}},
      {"[[kernel]]", "A kernel of the config: it becomes a variant of its backend.",
       joined(
           {{{"name", "identifier", required, "the variant's name, new for this workload and backend"},
             {"workload", "name of a workload", required, "the workload that it computes"},
             {"backend", "name of a backend", required, "the backend that compiles and launches it"},
             {"doc", "text", "none", "one sentence for `benchctl list`"},
             {"like", "name of a kernel above", "none",
              "what this table leaves open is as there; of tables in it member by member"},
             {"abstract", "true or false", "false", "it is only for `like` of others"}},
            launch_keys(),
            repetition_keys("the sequence of launches runs", "step"),
            {{"launch", "one `[[kernel.launch]]` each", "one launch",
              "several launches, run in order and timed together"},
             {"scratch", "one `[[kernel.scratch]]` each", "none", "memory beside the workload's buffers"},
             {"tunables", "table: `NAME = default`, or `NAME = { … }`", "none",
              "the kernel's parameters; one without a default must be an axis of every sweep of the "
              "kernel"},
             {"derived", "table: `NAME = expression`", "none",
              "named values for the expressions that follow"},
             {"effort", "expression", "the workload's operations",
              "work of the busiest compute unit, in any unit; scales times from one problem to another"},
             {"among", "list of variants", "none",
              "instead of a source: the kernel is a choice that tries configurations of these variants"},
             {"access", "list of [tables](#access-of-kernel)", "none",
              "memory instructions, from which `benchctl` predicts times"},
             {"undefine", "list of macros", "none", "macros of `defines` that are not defined"},
             {"suffix", "text", "none", "end of the names in `source`, such as `.cl`"},
             {"wrong_on_purpose", "true or false", "false",
              "it shows a mistake: it is measured only where a sweep names it"},
             {"dtypes", "list of element types", "all", "supported values of `dtype`"},
             {"layouts", "list of layouts", "all", "supported layouts"},
             {"precision", "`dtype`, `f64`, `f32`, `tf32`, `f16` or `bf16`", "`dtype`",
              "the precision by which results are judged"},
             {"compute_path", "`fma` or `mma_…`", "`fma`", "the roof of its operations"},
             {"features", "list of words", "none", "required device features, such as `fp64`"},
             {"device_types", "list of `cpu`, `gpu` …", "all", "supported device types"},
             {"architectures", "list of words", "none", "intended architectures, for the record"},
             {"require", "list of conditions", "none", "conditions on points"}}})},
      {"[[kernel.launch]]", "One of several launches; what it leaves open is the kernel's.",
       joined({launch_keys("the kernel's"),
               repetition_keys("this launch runs", "substep"),
               {{"prepare", "true or false", "false",
                 "fills scratch memory once, untimed; may not take the workload's buffers"}}})},
      {"[[kernel.scratch]]",
       "Memory beside the workload's buffers, never checked.",
       {{"name", "identifier", required, "for `arguments`"},
        {"dtype", "element type", "`f32`", "element type"},
        {"count", "expression, elements", required, "number of elements"},
        {"zeroed", "true or false", "false", "set to zero before every execution; timed"}}},
      {"tunable of [[kernel]]",
       "One of `tunables` in braces.",
       {{"default", "number, text or truth value", "none: sweeps must give it", "value without a sweep"},
        {"require", "list of conditions", "none", "conditions on its values"},
        {"values", "list or range", "none",
         "values worth trying, for `benchctl list` and `tune`; of a text, all that it can be, if there is "
         "no `require`"},
        {"by_size", "true or false", "false",
         "its best value depends on the problem's size: a choice also tries the one of least `effort`"},
        {"doc", "text", "none", "one sentence"}}},
      {"access of [[kernel]]",
       "A memory instruction, as all threads execute it side by side. Expressions may also name the place "
       "of a thread: `tx ty tz` in its block, `bx by bz` of its block, `t` its number in the block, `i` in "
       "the launch.",
       {{"read", "name of a buffer, or a list", "this or `write`", "what is loaded"},
        {"write", "name of a buffer, or a list", "this or `read`", "what is stored"},
        {"space", "`global`, `shared` or `constant`", "`global`",
         "the memory; `read` and `write` may be any word where it is not `global`"},
        {"offset", "expression, bytes, or a list", "that of `element`",
         "the first byte that a thread accesses; of several accesses alike, each one's"},
        {"bytes", "expression, bytes", "`sizeof(dtype)`, or that of `elements`", "how many from there on"},
        {"element", "expression, or a list", "this or `offset`", "the same in elements"},
        {"elements", "expression", "1", "how many from there on"},
        {"of", "expression, elements", "none",
         "with `element`: length of the array; what lies behind its end takes no part"},
        {"active", "condition", "`true`", "does the thread take part?"},
        {"times", "expression", "1", "how often each thread does so, at places of the same shape"},
        {"threads", "expression", "those of the launch", "number of threads, in one block"},
        {"launch", "integer from 0", "0", "the number of the `[[kernel.launch]]`"}}},
      {"the table of kernels",
       "A file `kernels/PLUGIN/*.toml` of a plugin. `common.toml` has what all files of its folder begin "
       "with.",
       {{"include", "list of files", "none", "tables whose kernels this one has, too"},
        {"common", "table with keys of `[[kernel]]`", "none",
         "for all kernels of this file; stands above included ones, below this file's own"},
        {"tunable", "one `[tunable.NAME]` each", "none", "what tunables of this name leave open"},
        {"kernel", "one `[[kernel]]` each", "none",
         "kernels; one with name and workload of an included one changes keys of that"}}},
      {"[workload.NAME]",
       "A computation that no built-in workload describes.",
       {{"doc", "text", "none", "one sentence for `benchctl list`"},
        {"parameters", "table: `NAME = default`, `NAME = { … }` or a list of words", "none",
         "problem parameters; the first word of a list is the default"},
        {"buffer", "one `[[workload.NAME.buffer]]` or more", required,
         "memory that kernels read and write"},
        {"scalar", "one `[[workload.NAME.scalar]]` each", "none", "numbers passed to kernels"},
        {"cost", "table", "none", "least work of one execution"},
        {"data", "table", "none", "a program that makes inputs, and what is right"},
        {"check", "table", required, "how results are judged"}}},
      {"parameter of [workload.NAME]",
       "One of `parameters` in braces.",
       {{"default", "number, or expression over those above", "1", "value without a sweep"},
        {"minimum", "number", "1", "least value"},
        {"maximum", "number", "2^31 − 1", "largest value"},
        {"doc", "text", "none", "one sentence"}}},
      {"[[workload.NAME.buffer]]",
       "A buffer of a declared workload.",
       {{"name", "identifier", required, "for `arguments`, and for messages"},
        {"type", "element type or `dtype`", required,
         "`f32`, `f64`, `f16`, `bf16`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, `u32` or `u64`"},
        {"count", "expression, elements", required,
         "number of elements; may name tunables that all kernels of the workload have"},
        {"role", "`in`, `out` or `inout`", required,
         "read; written completely; both, restored before every execution"},
        {"fill",
         "`uniform`, `integers`, `constant`, `index`, `sorted`, `permutation`, `wide`, `huge`, `denormal`, "
         "`special`, `{ KIND = numbers }`, `{ values = list }`, `{ file = path }`, `{ offsets = [first, "
         "last] }` or `{ like = buffer, layout = … }`",
         "`uniform` from −1 to 1; of integers 0 to 255, of `i8` to 127",
         "of `in` and `inout`: the values, drawn from `[measure] seed`"}}},
      {"fill of [[workload.NAME.buffer]]",
       "One that has the numbers of another buffer.",
       {{"like", "name of an input", required, "of the same type, drawn or listed"},
        {"layout", "expression over `i`", "`i`",
         "which element of that one element `i` is, as `i % rows * columns + i // rows`; below 0: 0"}}},
      {"[[workload.NAME.scalar]]",
       "A number passed to every kernel of a declared workload.",
       {{"name", "identifier", required, "for `arguments`"},
        {"type", "element type or `dtype`", "`i32`", "the type passed"},
        {"value", "expression", "the parameter of that name", "the value passed"}}},
      {"cost of [workload.NAME]",
       "Least work of one execution: the basis of rates and shares of roofs.",
       {{"flops", "expression, operations", "0",
         "the textbook's count, the same for all kernels; an FMA counts two"},
        {"bytes_read", "expression, bytes", "those of `in` and `inout`", "least bytes to read"},
        {"bytes_written", "expression, bytes", "those of `out` and `inout`", "least bytes to write"}}},
      {"[workload.NAME.data]",
       "A program that writes `BUFFER.npy` for inputs and truths; needs `--allow-programs`.",
       {{"run", "list of words", required,
         "program and arguments; those that are names of files in the config's folder are passed as their "
         "paths"}}},
      {"[workload.NAME.check]",
       "A result is right if abs(value − truth) ≤ `absolute` + `relative` · abs(truth).",
       {{"kernel", "name of a `[[kernel]]`", "this, `files`, `program` or `data`",
         "a trusted kernel of this workload: its results are the truth"},
        {"files", "table: output and file", "this, `kernel`, `program` or `data`",
         "raw little-endian elements or `.npy`, one file for each output"},
        {"program", "list of words", "this, `kernel`, `files` or `data`",
         "a program that judges each result and writes `answer.json`; needs `--allow-programs`"},
        {"relative", "expression", "0",
         "may name `roundoff`, half the distance from 1 to the next number in the kernel's precision"},
        {"absolute", "expression", "0", "likewise"},
        {"share", "expression", "0", "share of the elements of each output that may be further off"},
        {"max_abs", "expression", "any", "largest error of any element"},
        {"rel_l2", "expression", "any",
         "largest norm of the errors over that of the truth; beside `max_abs` alone, elements do not "
         "count"},
        {"any_order", "list of outputs", "none",
         "their elements are compared in order of size: for compaction, hash tables, neighbours"}}},
      {"the policy",
       "A file for `benchctl compare --policy`.",
       {{"gate", "table", "", "rules for all points"},
        {"rule", "one `[[rule]]` each", "none", "rules for some points; the first that matches counts"}}},
      {"[gate]",
       "Differences between two runs that count as failures.",
       {{"threshold", "share, 0 to 1", "the command's or the config's", "smaller differences are `same`"},
        {"fail", "list of outcomes", R"_(`["slower", "wrong", "failed", "not_comparable"]`)_",
         "outcomes that fail"},
        {"needs_interval", "true or false", "false",
         "a single value without an interval is `not resolved`"},
        {"whole_interval", "true or false", "false",
         "`faster` and `slower` need the whole interval beyond the threshold"},
        {"false_discovery_rate", "true or false", "false",
         "for many points: 5 % of the reported differences may be false on average, instead of any in 5 % "
         "of comparisons"}}},
      {"[[rule]]",
       "The same for some points and one metric; a rule without a key takes that of `[gate]`.",
       {{"match", "table", "all points", "the points"},
        {"metric", "name or pattern of metrics with a better direction", "`median_ns`", "the metric"},
        {"threshold", "share, 0 to 1", "that of `[gate]`", "smaller differences are `same`"},
        {"fail", "list of outcomes", "that of `[gate]`", "outcomes that fail"},
        {"needs_interval", "true or false", "that of `[gate]`",
         "a single value without an interval is `not resolved`"}}},
      {"match of [[rule]]",
       "Points, by patterns.",
       {{"workload", "pattern", "`*`", "workload name"},
        {"variant", "pattern", "`*`", "variant name"},
        {"backend", "pattern", "`*`", "backend name"},
        {"device", "pattern", "`*`", "device name"}}},
      {"the tuning table",
       "Configurations that `benchctl tune` writes and choices pick from.",
       {{"tuning", "table", required, "purpose and origin of the table"},
        {"class", "one `[[class]]` or more", required, "the fastest configurations of a problem"}}},
      {"[tuning]",
       "Purpose and origin of the table.",
       {{"workload", "name of a workload", required, "the workload"},
        {"backend", "name of a backend", required, "the backend"},
        {"architecture", "word", required, "architecture of the device as in `benchctl list --devices`"},
        {"device", "text", "none", "name of the device"},
        {"driver", "text", "none", "driver with its version"},
        {"date", "text", "none", "date of writing"},
        {"command", "text", "none", "command that wrote it"},
        {"revision", "text", "none", "revision of that program"}}},
      {"[[class]]",
       "A problem and its fastest configurations.",
       {{"choice", "name of a variant", required, "the choice that picks from them"},
        {"problem", "table of parameters", required, "sizes and element type"},
        {"ns", "time above 0, ns", "not known", "time of the fastest"},
        {"configurations", "list of tables, at most 8", required, "the fastest first"},
        {"layout", "name of a layout", "none", "where the workload has several"}}},
      {"configuration of [[class]]",
       "A variant with its tunables.",
       {{"variant", "name of a variant", required, "the variant"},
        {"tunables", "table: name and value", "none", "tunables that are not named have their defaults"},
        {"ratio", "number from 1", "1", "its time over that of the fastest"}}}};
}

}  // namespace

const ConfigKey& ConfigTable::at(std::string_view key) const {
  const ConfigKey* found = find_by(keys, key, &ConfigKey::name);
  if (found == nullptr) throw std::logic_error(fmt::format("{} is read for '{}'", name, key));
  return *found;
}

std::vector<std::string> ConfigTable::key_names() const { return names_of(keys, &ConfigKey::name); }

std::span<const ConfigTable> config_tables() {
  static const std::vector<ConfigTable> tables = make_tables();
  return tables;
}

const ConfigTable& config_table(std::string_view name) {
  const ConfigTable* found = find_by(config_tables(), name, &ConfigTable::name);
  if (found == nullptr) throw std::logic_error(fmt::format("no table of keys is called '{}'", name));
  return *found;
}

}  // namespace benchctl
