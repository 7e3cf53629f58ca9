# shellcheck shell=bash disable=SC2034 # read by tools/setup
# What benchctl needs from the system's packages, as data. To be sourced.
#
# One line per need: kind | package(s) | least version | what for
#   kind      required (no build without it) or optional (something is left out without it)
#   packages  alternatives by '/': any installed one will do, the first is what gets installed
# PACKAGE@SUITE is fetched from that suite of the distribution.

packages_common='
required | cmake                            | 3.25 | configures the build
required | ninja-build                      |      | runs the build
required | g++                              | 4:12 | compiles C++20
required | libfmt-dev                       | 9    | formats text
required | nlohmann-json3-dev               | 3.9  | reads and writes JSON
required | libcli11-dev                     | 2    | parses the command line
required | libtomlplusplus-dev              | 3    | reads configs
required | libsqlitecpp-dev                 | 3    | SQLite for C++: the store of results
required | libsqlite3-dev                   |      | SQLite itself
required | libhwloc-dev                     | 2    | tells cores and caches
required | libxxhash-dev                    |      | hashes content
required | libopenblas-pthread-dev/libopenblas-openmp-dev/libopenblas-serial-dev | | OpenBLAS: computes references, and is the yardstick on CPUs
optional | opencl-headers/opencl-c-headers  |      | builds the OpenCL plugin
optional | ocl-icd-opencl-dev/nvidia-opencl-dev |  | builds the OpenCL plugin: finds drivers
optional | pocl-opencl-icd                  |      | OpenCL on the CPU
optional | oclgrind                         |      | simulates an OpenCL device for tests
optional | libclblast-dev                   |      | CLBlast: the yardstick on OpenCL devices
optional | npm/nodejs                       |      | Node.js and npm: put the page of HTML reports together
'

packages_debian_12='
required | libboost1.81-dev/libboost1.83-dev | 1.81 | Boost: processes, shared libraries, mathematics
required | libcatch2-dev@bookworm-backports  | 3    | Catch2: the tests
optional | chromium                          |      | Chromium: opens HTML reports in a test
'

packages_ubuntu_24_04='
required | libboost-dev/libboost1.83-dev     | 1.81 | Boost: processes, shared libraries, mathematics
required | catch2                            | 3    | Catch2: the tests
'

packages_developer='
required | clang-format-14/clang-format      |      | checks the formatting
required | clang-tidy-14/clang-tidy          |      | lints
required | doxygen                           |      | documents the headers of the SDK
required | python3                           |      | makes the tables of docs/experiments from results
'
