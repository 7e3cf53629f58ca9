# Third-party packages that the core needs. A plugin looks for its own and is left out without them.
# Libraries are linked statically where a static one exists, so that a bundle runs elsewhere.
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(CLI11 REQUIRED)
# SQLiteCpp asks for SQLite by CMake's own module, which takes the library that this variable names.
find_library(SQLite3_LIBRARY NAMES libsqlite3.a sqlite3)
find_package(SQLiteCpp REQUIRED)
find_package(Threads REQUIRED)

find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)

# toml++ header-only: Debian's own CMake target forces its shared library.
add_library(benchctl_tomlplusplus INTERFACE)
target_include_directories(benchctl_tomlplusplus SYSTEM INTERFACE "${TOMLPLUSPLUS_INCLUDE_DIR}")
target_compile_definitions(benchctl_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)

add_library(benchctl_xxhash INTERFACE)
target_include_directories(benchctl_xxhash SYSTEM INTERFACE "${XXHASH_INCLUDE_DIR}")
# Without the hints: what they force is an error where -Og inlines less.
target_compile_definitions(benchctl_xxhash INTERFACE XXH_INLINE_ALL XXH_NO_INLINE_HINTS=1)

# Boost.DLL and Boost.Process: headers only, on std::filesystem.
add_library(benchctl_boost INTERFACE)
target_link_libraries(benchctl_boost INTERFACE Boost::headers Threads::Threads ${CMAKE_DL_LIBS})
target_compile_definitions(benchctl_boost INTERFACE BOOST_DLL_USE_STD_FS BOOST_PROCESS_USE_STD_FS)
