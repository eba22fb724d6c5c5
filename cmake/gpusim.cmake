# SPDX-License-Identifier: MIT
# Helpers that keep every folder's CMakeLists.txt to a few lines.
find_package(Threads REQUIRED)

add_library(gpusim_options INTERFACE)
target_include_directories(gpusim_options INTERFACE ${PROJECT_SOURCE_DIR})
# Derived metrics are the only floating point; contraction would make them differ between machines.
target_compile_options(gpusim_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  # Every x86-64 processor since 2008 counts bits in one instruction; masks of lanes and sectors are counted all day.
  target_compile_options(gpusim_options INTERFACE -mpopcnt)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps and uninitialised members inside std::string where there are none (GCC bug 105651).
  target_compile_options(gpusim_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(GPUSIM_WERROR)
  target_compile_options(gpusim_options INTERFACE -Werror)
endif()
if(GPUSIM_SANITIZE)
  target_compile_options(gpusim_options INTERFACE
    -fsanitize=${GPUSIM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gpusim_options INTERFACE -fsanitize=${GPUSIM_SANITIZE})
endif()

if(GPUSIM_FUZZ)
  target_compile_options(gpusim_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(gpusim_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# compile_together(<target>)
# With GPUSIM_UNITY a header is read once for up to 16 sources. In anonymous namespaces, too, a name then stands for one
# thing in a folder.
function(compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GPUSIM_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  if(GPUSIM_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # An included source's anonymous namespace is taken for a header's.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# gpusim_module(<name> [DEPENDS <module>...] [LINK <library>...])
# A static library of every .cc in the current folder; DEPENDS names other modules.
function(gpusim_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  list(TRANSFORM ARG_DEPENDS PREPEND gpusim_)
  if(sources)
    add_library(gpusim_${name} STATIC ${sources})
    compile_together(gpusim_${name})
    target_link_libraries(gpusim_${name} PUBLIC gpusim_options ${ARG_DEPENDS} PRIVATE ${ARG_LINK})
  else()
    add_library(gpusim_${name} INTERFACE)
    target_link_libraries(gpusim_${name} INTERFACE gpusim_options ${ARG_DEPENDS})
  endif()
endfunction()

# gpusim_tests(<name> DEPENDS <module>...)
# One Catch2 program of every .cc in the current folder, run by ctest as <name>.
function(gpusim_tests name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  if(NOT sources)
    message(FATAL_ERROR "gpusim_tests(${name}): no *.cc in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND gpusim_)
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE gpusim_options gpusim_test_main ${ARG_DEPENDS} ${ARG_LINK})
  target_compile_definitions(test_${name} PRIVATE
    GPUSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GPUSIM_PROGRAM="$<TARGET_FILE:gpusim>")
  add_test(NAME ${name} COMMAND test_${name} --use-colour no)
endfunction()
