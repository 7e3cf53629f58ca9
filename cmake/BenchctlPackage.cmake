# The CMake package: what find_package(benchctl) finds, in an installed tree and in the build tree, which has the
# same layout. The package's version is the SDK's, since that decides which plugins can be loaded.
include(CMakePackageConfigHelpers)

set(BENCHCTL_PACKAGE_DIR "lib/cmake/benchctl")

file(STRINGS "${CMAKE_SOURCE_DIR}/core/sdk/include/benchctl/plugin.hpp" numbers
  REGEX "^#define BENCHCTL_SDK_(MAJOR|MINOR) [0-9]+$")
if(NOT numbers MATCHES "SDK_MAJOR ([0-9]+);.*SDK_MINOR ([0-9]+)$")
  message(FATAL_ERROR "no SDK version in benchctl/plugin.hpp")
endif()
set(BENCHCTL_SDK_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")

set(package "${CMAKE_BINARY_DIR}/${BENCHCTL_PACKAGE_DIR}")
configure_file("${CMAKE_SOURCE_DIR}/cmake/benchctlConfig.cmake.in" "${package}/benchctlConfig.cmake" @ONLY)
# The rule by which plugins are loaded: the same major number, and a minor one that is not newer.
write_basic_package_version_file("${package}/benchctlConfigVersion.cmake" VERSION "${BENCHCTL_SDK_VERSION}"
  COMPATIBILITY SameMajorVersion)
configure_file("${CMAKE_SOURCE_DIR}/cmake/BenchctlPlugin.cmake" "${package}/BenchctlPlugin.cmake" COPYONLY)
export(EXPORT benchctl_targets NAMESPACE benchctl:: FILE "${package}/benchctlTargets.cmake")

install(EXPORT benchctl_targets NAMESPACE benchctl:: FILE benchctlTargets.cmake
  DESTINATION "${BENCHCTL_PACKAGE_DIR}" COMPONENT sdk)
install(FILES "${package}/benchctlConfig.cmake" "${package}/benchctlConfigVersion.cmake"
  "${package}/BenchctlPlugin.cmake" DESTINATION "${BENCHCTL_PACKAGE_DIR}" COMPONENT sdk)
