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

# Readers, reports, commands and systems are compiled in two thirds of the time so, and do not take the time that a run
# takes. Tests are not optimised at all: what takes their time is what they test.
set(GPUSIM_LIGHT_FLAGS "-O1" CACHE STRING "Flags of what need not be fast, behind those of the build type")
set(GPUSIM_TEST_FLAGS "-O0" CACHE STRING "Flags of the sources of tests, behind those of the build type")

# Sources of one translation unit with GPUSIM_UNITY, which reads their headers once.
set(GPUSIM_UNIT_SIZE 16)

# compile_together(<target> [ALSO <source>...] <source>...)
# With GPUSIM_UNITY the target compiles files that include its sources, and those of ALSO, which other targets list.
# They are included by their paths below the project, so that a compiler cache knows them in another clone. In anonymous
# namespaces, too, a name then stands for one thing in what is compiled together.
function(compile_together target)
  if(NOT GPUSIM_UNITY)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "ALSO" ${ARGN})
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  set(unit_size ${GPUSIM_UNIT_SIZE})
  if(ARG_ALSO)
    list(APPEND sources ${ARG_ALSO})
    list(LENGTH sources unit_size)
  endif()
  list(GET sources -1 last)
  set(number 0)
  set(text "")
  foreach(source IN LISTS sources)
    math(EXPR unit "${number} / ${unit_size}")
    math(EXPR number "${number} + 1")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${unit}.cc)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(APPEND text "#include \"${path}\"\n")
    math(EXPR filled "${number} % ${unit_size}")
    if(filled EQUAL 0 OR source STREQUAL last)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      target_sources(${target} PRIVATE ${file})
      set(text "")
    endif()
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # An included source's anonymous namespace is taken for a header's.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# gpusim_target_of(<out> <folder>)
# The folder of a module or of a test program as a word: machine/mem/l2 becomes machine_mem_l2.
function(gpusim_target_of out folder)
  string(REPLACE "/" "_" name ${folder})
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# gpusim_targets(<out> <module>...)
# The targets of modules, which are named by their folders below sim/. A name that ends in a slash is every module of
# that group that has been defined so far.
function(gpusim_targets out)
  get_property(known GLOBAL PROPERTY GPUSIM_MODULES)
  set(targets "")
  foreach(name IN LISTS ARGN)
    set(modules ${name})
    if(name MATCHES "/$")
      set(modules ${known})
      list(FILTER modules INCLUDE REGEX "^${name}")
    endif()
    foreach(module IN LISTS modules)
      gpusim_target_of(target ${module})
      list(APPEND targets gpusim_${target})
    endforeach()
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# compile_module(<target> <folder> <source>...)
# As compile_together; the first module of a group of GPUSIM_GROUPS compiles the sources of the whole group.
function(compile_module target folder)
  set(others "")
  foreach(group IN LISTS GPUSIM_GROUPS)
    separate_arguments(modules UNIX_COMMAND ${group})
    list(POP_FRONT modules first)
    if(folder IN_LIST modules AND GPUSIM_UNITY)
      set_source_files_properties(${ARGN} PROPERTIES HEADER_FILE_ONLY ON)
      set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
      return()
    elseif(folder STREQUAL first)
      list(TRANSFORM modules REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/sim/\\1/*.cc" OUTPUT_VARIABLE patterns)
      file(GLOB others CONFIGURE_DEPENDS ${patterns})
    endif()
  endforeach()
  compile_together(${target} ${ARGN} ALSO ${others})
endfunction()

# gpusim_link_groups()
# Called when all modules are there: those of a group need what the first one has compiled, which uses what they use.
function(gpusim_link_groups)
  if(NOT GPUSIM_UNITY)
    return()
  endif()
  foreach(group IN LISTS GPUSIM_GROUPS)
    separate_arguments(modules UNIX_COMMAND ${group})
    list(POP_FRONT modules first)
    gpusim_targets(leader ${first})
    foreach(module IN LISTS modules)
      gpusim_targets(target ${module})
      get_target_property(libraries ${target} LINK_LIBRARIES)
      list(REMOVE_ITEM libraries ${leader})
      # Files that CMake made stay in the module's own library.
      target_link_libraries(${leader} PRIVATE ${target} ${libraries})
      target_link_libraries(${target} PUBLIC ${leader})
    endforeach()
  endforeach()
endfunction()

# gpusim_module([DEPENDS <module>...] [LINK <library>...])
# A static library of every .cc in the current folder below sim/: sim/machine/sm becomes gpusim_machine_sm. DEPENDS
# names other modules.
function(gpusim_module)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/sim ${CMAKE_CURRENT_SOURCE_DIR})
  gpusim_target_of(name ${folder})
  gpusim_targets(modules ${ARG_DEPENDS})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  if(sources)
    add_library(gpusim_${name} STATIC ${sources})
    compile_module(gpusim_${name} ${folder} ${sources})
    if(folder MATCHES "^(app|commands|output|system)/|^code/(launch|compile)$|^input/(sass|text)$|^model/arch$"
        AND NOT folder STREQUAL system/run)
      target_compile_options(gpusim_${name} PRIVATE ${GPUSIM_LIGHT_FLAGS})
    endif()
    target_link_libraries(gpusim_${name} PUBLIC gpusim_options ${modules} PRIVATE ${ARG_LINK})
  else()
    add_library(gpusim_${name} INTERFACE)
    target_link_libraries(gpusim_${name} INTERFACE gpusim_options ${modules})
  endif()
  set_property(GLOBAL APPEND PROPERTY GPUSIM_MODULES ${folder})
endfunction()

# gpusim_source_digest(<function> HEADER <header> MODULES <folder>... [FILES <file>...])
# Gives the current module a function, which <header> declares: a digest of the sources of folders below sim/, and of
# files. What was stored of another digest does not count.
function(gpusim_source_digest function)
  cmake_parse_arguments(ARG "" "HEADER" "MODULES;FILES" ${ARGN})
  list(TRANSFORM ARG_FILES PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  foreach(module IN LISTS ARG_MODULES)
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/sim/${module}/*.h ${PROJECT_SOURCE_DIR}/sim/${module}/*.cc)
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cc)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DMODULES=${ARG_MODULES}" "-DFILES=${ARG_FILES}" -DROOT=${PROJECT_SOURCE_DIR}
      -DOUTPUT=${output} -DFUNCTION=${function} -DHEADER=${ARG_HEADER}
      -P ${PROJECT_SOURCE_DIR}/cmake/model_digest.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/model_digest.cmake
    VERBATIM)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/sim ${CMAKE_CURRENT_SOURCE_DIR})
  gpusim_target_of(name ${folder})
  target_sources(gpusim_${name} PRIVATE ${output})
  add_custom_target(gpusim_${function} DEPENDS ${output})
endfunction()

# gpusim_protobuf(<name> <library>)
# Makes the C++ of <name>.proto of the current module, as an object library whose warnings are not ours: the module
# includes sim/<its folder>/<name>.pb.h.
function(gpusim_protobuf name library)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(form ${PROJECT_BINARY_DIR}/proto/${folder}/${name}.pb)
  add_custom_command(OUTPUT ${form}.cc ${form}.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/proto
    COMMAND protobuf::protoc --proto_path=${PROJECT_SOURCE_DIR} --cpp_out=${PROJECT_BINARY_DIR}/proto
      ${folder}/${name}.proto
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS ${name}.proto
    VERBATIM)
  add_library(${library} OBJECT ${form}.cc ${form}.h)
  set_target_properties(${library} PROPERTIES CXX_CLANG_TIDY "")
  target_compile_options(${library} PRIVATE -w)
  target_include_directories(${library} SYSTEM PUBLIC ${PROJECT_BINARY_DIR}/proto)
  target_link_libraries(${library} PUBLIC gpusim_options protobuf::libprotobuf-lite)
  file(RELATIVE_PATH module ${PROJECT_SOURCE_DIR}/sim ${CMAKE_CURRENT_SOURCE_DIR})
  gpusim_target_of(target ${module})
  target_link_libraries(gpusim_${target} PRIVATE ${library})
endfunction()

# gpusim_page(<name> <namespace> <header>)
# Puts tools/viewer/dist/<name>.html into the current module as a string of the program, so that users need neither Node
# nor a file beside the program. <header> declares std::string_view <namespace>::<name>().
function(gpusim_page name namespace header)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/sim ${CMAKE_CURRENT_SOURCE_DIR})
  gpusim_target_of(target ${folder})
  set(source ${PROJECT_SOURCE_DIR}/tools/viewer/dist/${name}.html)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} page)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/page.cc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc @ONLY)
  target_sources(gpusim_${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
endfunction()

# gpusim_program(<name> [DEPENDS <module>...])
# A program of every .cc in the current folder.
function(gpusim_program name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  gpusim_targets(modules ${ARG_DEPENDS})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  add_executable(${name} ${sources})
  compile_together(${name} ${sources})
  target_link_libraries(${name} PRIVATE gpusim_options ${modules})
endfunction()

# gpusim_tests([SEPARATE] [DEPENDS <module>...] [LINK <library>...])
# One Catch2 program of every .cc in the current folder below tests/, run by ctest under the folder's name:
# tests/machine/sm becomes test_machine_sm and machine_sm. SEPARATE: sources use one name for different things. Cases
# that are tagged [.slow], as CMake reads the sources, are a second test, machine_sm_slow, which tools/test --all runs.
function(gpusim_tests)
  cmake_parse_arguments(ARG "SEPARATE" "" "DEPENDS;LINK" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  gpusim_target_of(name ${folder})
  gpusim_targets(modules ${ARG_DEPENDS})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  if(NOT sources)
    message(FATAL_ERROR "gpusim_tests: no *.cc in ${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  add_executable(test_${name} ${sources})
  target_compile_options(test_${name} PRIVATE ${GPUSIM_TEST_FLAGS})
  if(NOT ARG_SEPARATE)
    compile_together(test_${name} ${sources})
  endif()
  if(TARGET gpusim_test_headers)
    target_precompile_headers(test_${name} REUSE_FROM gpusim_test_headers)
  endif()
  target_link_libraries(test_${name} PRIVATE gpusim_options gpusim_test_main ${modules} ${ARG_LINK})
  target_compile_definitions(test_${name} PRIVATE
    GPUSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GPUSIM_PROGRAM="$<TARGET_FILE:gpusim>")
  add_test(NAME ${name} COMMAND test_${name} --use-colour no)
  # What tools/test builds without --all: every test program, but not the fuzz targets.
  if(NOT TARGET default_tests)
    add_custom_target(default_tests)
  endif()
  add_dependencies(default_tests test_${name})
  foreach(source IN LISTS sources)
    file(STRINGS ${source} slow LIMIT_COUNT 1 REGEX "\\[\\.slow\\]")
    if(slow)
      add_test(NAME ${name}_slow COMMAND test_${name} --use-colour no [.slow])
      set_tests_properties(${name}_slow PROPERTIES LABELS slow TIMEOUT 1800)
      break()
    endif()
  endforeach()
endfunction()
