# shellcheck shell=bash disable=SC2034 # read by tools/setup
# What benchctl needs from the system's packages, as data. To be sourced.
#
# One line per need: for | kind | system | package(s) | least version | what for
#   for       run (build and run benchctl), tests (tools/setup --tests) or dev (tools/setup --dev)
#   kind      required (it fails without) or optional (something is left out without it)
#   system    any, or the one whose names these are
#   packages  alternatives by '/': any installed one will do, the first is what gets installed
# PACKAGE@SUITE is fetched from that suite of the distribution.
packages='
run   | required | any          | cmake                                | 3.25 | configures the build
run   | required | any          | ninja-build                          |      | runs the build
run   | required | any          | g++                                  | 4:12 | compiles C++20
run   | required | any          | libfmt-dev                           | 9    | formats text
run   | required | any          | nlohmann-json3-dev                   | 3.9  | reads and writes JSON
run   | required | any          | libcli11-dev                         | 2    | parses the command line
run   | required | any          | libtomlplusplus-dev                  | 3    | reads configs
run   | required | any          | libsqlitecpp-dev                     | 3    | SQLite for C++: the store of results
run   | required | any          | libsqlite3-dev                       |      | SQLite itself
run   | required | any          | libxxhash-dev                        |      | hashes content
run   | required | any          | libopenblas-pthread-dev/libopenblas-openmp-dev/libopenblas-serial-dev | | OpenBLAS: computes references, and is the yardstick on CPUs
run   | required | debian 12    | libboost1.81-dev/libboost1.83-dev    | 1.81 | Boost: processes, shared libraries, mathematics
run   | required | ubuntu 24.04 | libboost-dev/libboost1.83-dev        | 1.81 | Boost: processes, shared libraries, mathematics
run   | optional | any          | opencl-headers/opencl-c-headers      |      | builds the OpenCL plugin
run   | optional | any          | ocl-icd-opencl-dev/nvidia-opencl-dev |      | builds the OpenCL plugin: finds drivers
run   | optional | any          | pocl-opencl-icd                      |      | OpenCL on the CPU
run   | optional | any          | libclblast-dev                       |      | CLBlast: the yardstick on OpenCL devices
run   | optional | any          | libvulkan-dev                        |      | builds the Vulkan plugin: finds drivers
run   | optional | any          | libshaderc-dev                       |      | builds the Vulkan plugin: compiles its kernels
run   | optional | any          | spirv-tools                          |      | builds the Vulkan plugin: a part of its compiler
run   | optional | any          | npm/nodejs                           |      | Node.js and npm: put the page of HTML reports together
tests | required | debian 12    | libcatch2-dev@bookworm-backports     | 3    | Catch2: the tests
tests | required | ubuntu 24.04 | catch2                               | 3    | Catch2: the tests
tests | optional | debian 12    | chromium                             |      | Chromium: opens HTML reports in a test
tests | optional | any          | oclgrind                             |      | simulates an OpenCL device
tests | optional | any          | mesa-vulkan-drivers                  |      | lavapipe: Vulkan on the CPU
tests | optional | any          | vulkan-validationlayers              |      | checks how the Vulkan plugin calls its driver
tests | optional | any          | shellcheck                           |      | checks the scripts
tests | optional | any          | ccache                               |      | keeps what was compiled before
tests | optional | any          | python3                              |      | runs the campaign, and checks the tables of docs/experiments
tests | optional | any          | python3-pytest                       |      | tests the Python package
tests | optional | any          | python3-pandas                       |      | tests the Python package: DataFrames, and NumPy with them
tests | optional | any          | python3-matplotlib                   |      | tests the Python package: pictures
tests | optional | any          | mypy                                 |      | checks the types of the Python package
tests | optional | any          | python3-nbclient                     |      | runs the notebook of examples/
tests | optional | any          | python3-ipykernel                    |      | runs the notebook of examples/
tests | optional | any          | python3-pip                          |      | tests how the Python package is installed
dev   | required | any          | clang-format-14/clang-format         |      | checks the formatting
dev   | required | any          | clang-tidy-14/clang-tidy             |      | lints
dev   | optional | any          | clang-14                             |      | fuzzes
dev   | optional | any          | libclang-rt-14-dev                   |      | fuzzes: libFuzzer
dev   | required | any          | doxygen                              |      | documents the headers of the SDK
'
