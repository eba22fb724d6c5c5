# SPDX-License-Identifier: MIT
# Writes OUTPUT, which defines FUNCTION, declared in HEADER: a digest of sources that decide what is stored of a
# simulation, those of MODULES below ROOT/sim, and FILES below ROOT. Run as a script when one of them has changed.
set(text "")
foreach(module IN LISTS MODULES)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/sim/${module}/*.h ${ROOT}/sim/${module}/*.cc)
  list(SORT files)
  list(PREPEND FILES ${files})
endforeach()
foreach(file IN LISTS FILES)
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND text "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${text}")
string(SUBSTRING ${digest} 0 12 digest)
# Always written, so that the file is newer than what it was made from.
file(WRITE ${OUTPUT} "// Made by cmake/model_digest.cmake.
#include \"${HEADER}\"

namespace gpusim::sweep {

std::string_view ${FUNCTION}() {
  return \"${digest}\";
}

}  // namespace gpusim::sweep
")
