# Flags shared by every target of Tally, and the function that makes one folder one library.
find_package(PkgConfig REQUIRED)

add_library(tally_options INTERFACE)
target_include_directories(tally_options INTERFACE ${tally_SOURCE_DIR})
target_compile_options(tally_options INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast
  -Wcast-qual -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Local shadows only: an environ is no shadow of unistd.h's. GCC 12 sees overlaps in std::string that are not
  # there (GCC bug 105651).
  target_compile_options(tally_options INTERFACE -Wshadow=local -Wno-restrict)
endif()
if(TALLY_WERROR)
  target_compile_options(tally_options INTERFACE -Werror)
endif()
target_compile_definitions(tally_options INTERFACE TALLY_VERSION="${PROJECT_VERSION}")
if(TALLY_SANITIZE)
  set(TALLY_STATIC OFF)
  add_compile_options(-fsanitize=${TALLY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TALLY_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    add_compile_options(-fno-sanitize=function)  # what dlsym(3) finds has the C library's own types
  endif()
endif()
# For what runs while Tally is built, and what runs in little memory.
function(tally_never_sanitized name)
  target_compile_options(${name} PRIVATE -fno-sanitize=all)
  target_link_options(${name} PRIVATE -fno-sanitize=all)
  if(TALLY_SANITIZE)  # precompiled headers are
    set_target_properties(${name} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
if(TALLY_FUZZ)
  # What libFuzzer is guided by: which branches of our code an input takes.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Debian has no static libfmt, so we compile one (base/fmt_library.cc says what that saves).
find_package(fmt REQUIRED)
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(tally_fmt STATIC ${tally_SOURCE_DIR}/base/fmt_library.cc)
  target_link_libraries(tally_options INTERFACE tally_fmt)
else()
  target_compile_definitions(tally_options INTERFACE FMT_HEADER_ONLY=1)
endif()

# Headers that most files include are parsed once, not by each of them: more than a quarter of what a build takes (GCC 12). A
# file names what it needs all the same, for scripts/test --clang does without.
function(tally_precompiled name)
  add_library(${name} OBJECT ${tally_SOURCE_DIR}/cmake/nothing.cc)
  if(TALLY_PRECOMPILED)
    target_precompile_headers(${name} PRIVATE <algorithm> <filesystem> <functional> <map> <memory> <optional> <string>
      <string_view> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()
function(tally_use_precompiled name from)
  if(TALLY_PRECOMPILED)
    target_precompile_headers(${name} REUSE_FROM ${from})
  endif()
endfunction()
tally_precompiled(tally_precompiled)
target_link_libraries(tally_precompiled PRIVATE tally_options)

add_custom_target(executables)  # ours, tests included, but not the programs that tests run

# tally_library(NAME SOURCES... LINK targets...)
function(tally_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(tally_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(tally_${name} PUBLIC tally_options ${ARG_LINK})
  tally_use_precompiled(tally_${name} tally_precompiled)
endfunction()

# tally_executable(NAME SOURCES... LINK targets...): static unless told otherwise
function(tally_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tally_options ${ARG_LINK})
  tally_use_precompiled(${name} tally_precompiled)
  add_dependencies(executables ${name})
  if(TALLY_STATIC)
    target_sources(${name} PRIVATE ${tally_SOURCE_DIR}/cmake/unwinding.cc)
    target_link_options(${name} PRIVATE -static -Wl,--eh-frame-hdr -Wl,--wrap=__register_frame_info
      -Wl,--wrap=__deregister_frame_info)
  endif()
endfunction()
