# SPDX-License-Identifier: MIT
# What `cmake --install` puts where, and the packages that `cpack` makes of it.
include(GNUInstallDirs)

install(TARGETS gpusim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY configs traces docs DESTINATION ${CMAKE_INSTALL_DATADIR}/gpusim)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/gpusim)
install(FILES tests/validation/gpus.yaml DESTINATION ${CMAKE_INSTALL_DATADIR}/gpusim/tests/validation)
install(DIRECTORY tests/validation/micro tests/validation/kernels
  DESTINATION ${CMAKE_INSTALL_DATADIR}/gpusim/tests/validation)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gpusim RENAME copyright)
# The licences of the packages inside the page that --html writes.
install(FILES tools/viewer/LICENCES.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gpusim)

# The program writes its own man page and completions, so that they say what it does.
function(install_words_of_program file destination)
  set(path ${PROJECT_BINARY_DIR}/manual/${file})
  install(CODE "
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manual)
    execute_process(COMMAND $<TARGET_FILE:gpusim> help ${ARGN} OUTPUT_FILE ${path} COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${path} DESTINATION ${destination})
endfunction()
install_words_of_program(gpusim.1 ${CMAKE_INSTALL_MANDIR}/man1 --man)
install_words_of_program(gpusim ${CMAKE_INSTALL_DATADIR}/bash-completion/completions --completion bash)
install_words_of_program(_gpusim ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions --completion zsh)
install_words_of_program(gpusim.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d --completion fish)

set(CPACK_GENERATOR "DEB;TZST")
set(CPACK_PACKAGE_CONTACT "The developers of gpusim <developers@gpusim.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Cycle-approximate GPU simulator that says how long a kernel takes and why")
set(CPACK_PACKAGE_NAME gpusim)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox")
include(CPack)
