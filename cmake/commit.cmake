# SPDX-License-Identifier: MIT
# Writes OUTPUT, which defines the commit that ROOT is at, when it is another than last time; "" outside a repository.
find_package(Git QUIET)
set(commit "")
if(Git_FOUND AND EXISTS ${ROOT}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${ROOT} describe --always --dirty --abbrev=10 --match v[0-9]*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "// Made by cmake/commit.cmake.
#include \"sim/app/shell/version.h\"

namespace gpusim::app {

std::string_view commit() {
  return \"${commit}\";
}

}  // namespace gpusim::app
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
