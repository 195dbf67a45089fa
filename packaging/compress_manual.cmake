# Manual pages are compressed in packages, as Debian's are (CPACK_PRE_BUILD_SCRIPTS: before the archives are made).
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1)
if(NOT pages)
  message(FATAL_ERROR "There are no manual pages in ${CPACK_TEMPORARY_INSTALL_DIRECTORY}.")
endif()
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
