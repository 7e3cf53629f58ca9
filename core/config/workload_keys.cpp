#include "config/key_tables.hpp"

namespace benchctl {

namespace {

constexpr const char* needed = "required";

}  // namespace

std::vector<ConfigTable> workload_tables() {
  return {
      {"[workload.NAME]",
       "A computation that no built-in workload describes.",
       {{"doc", "text", "none", "one sentence for `benchctl list`"},
        {"parameters", "table: `NAME = default`, `NAME = { … }` or a list of words", "none",
         "problem parameters; the first word of a list is the default"},
        {"buffer", "one `[[workload.NAME.buffer]]` or more", needed, "memory that kernels read and write"},
        {"scalar", "one `[[workload.NAME.scalar]]` each", "none", "numbers passed to kernels"},
        {"cost", "table", "none", "least work of one execution"},
        {"data", "table", "none", "a program that makes inputs, and what is right"},
        {"check", "table", needed, "how results are judged"}}},
      {"parameter of [workload.NAME]",
       "One of `parameters` in braces.",
       {{"default", "number, or expression over those above", "1", "value without a sweep"},
        {"minimum", "number", "1", "least value"},
        {"maximum", "number", "2^31 − 1", "largest value"},
        {"doc", "text", "none", "one sentence"}}},
      {"[[workload.NAME.buffer]]",
       "A buffer of a declared workload.",
       {{"name", "identifier", needed, "for `arguments`, and for messages"},
        {"type", "element type or `dtype`", needed,
         "`f32`, `f64`, `f16`, `bf16`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, `u32` or `u64`"},
        {"count", "expression, elements", needed,
         "number of elements; may name tunables that all kernels of the workload have"},
        {"role", "`in`, `out` or `inout`", needed,
         "read; written completely; both, restored before every execution"},
        {"fill",
         "`uniform`, `integers`, `constant`, `index`, `sorted`, `permutation`, `wide`, `huge`, "
         "`denormal`, `special`, `{ KIND = numbers }`, `{ values = list }`, `{ file = path }`, "
         "`{ offsets = [first, last] }` or `{ like = buffer, layout = … }`",
         "`uniform` from −1 to 1; of integers 0 to 255, of `i8` to 127",
         "of `in` and `inout`: the values, drawn from `[measure] seed`"}}},
      {"fill of [[workload.NAME.buffer]]",
       "One that has the numbers of another buffer.",
       {{"like", "name of an input", needed, "of the same type, drawn or listed"},
        {"layout", "expression over `i`", "`i`",
         "which element of that one element `i` is, as `i % rows * columns + i // rows`; below 0: 0"}}},
      {"[[workload.NAME.scalar]]",
       "A number passed to every kernel of a declared workload.",
       {{"name", "identifier", needed, "for `arguments`"},
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
       {{"run", "list of words", needed,
         "program and arguments; those that are names of files in the config's folder are passed as "
         "their paths"}}},
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
         "their elements are compared in order of size: for compaction, hash tables, neighbours"}}}};
}

}  // namespace benchctl
