// Which configurations are worth trying for which problem: what `benchctl tune` found out, and what a
// choice (VariantInfo::among) picks from.
#pragma once

#include <benchctl/types.hpp>

#include <string>
#include <vector>

namespace benchctl {

/// A variant with its tunables.
struct Configuration {
  std::string variant;
  Parameters tunables;  ///< those that are not named have their defaults
  double ratio = 1;     ///< its time over that of the class's quickest, 1 or more
};

/// Problems of about this size: the configurations that were quickest for it.
struct TunedClass {
  std::string choice;  ///< the variant that picks from them, or one that such a variant is among
  Parameters problem;  ///< sizes and element type
  std::string layout;  ///< empty where the workload has one alone
  std::vector<Configuration> configurations;  ///< the quickest first; at most most_configurations
  double ns = 0;                              ///< time of the fastest; 0: not known
};

inline constexpr std::size_t most_configurations = 8;

/// What was found out on one device for one workload, and where it comes from.
struct TuningTable {
  std::string workload;
  std::string backend;
  std::string architecture;  ///< DeviceInfo::architecture
  std::string device;        ///< its name
  std::string driver;
  std::string date;      ///< 2026-11-26
  std::string command;   ///< the command that wrote the table
  std::string revision;  ///< the program's revision
  std::vector<TunedClass> classes;
};

}  // namespace benchctl
