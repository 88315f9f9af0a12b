# Writes version.cpp with the commit of the checkout, where it has changed. Run at every build:
# cmake -DSOURCE_DIR=checkout -DVERSION=0.1.0 -DINPUT=version.cpp.in -DOUTPUT=version.cpp -P version.cmake
set(VERSION_WITH_COMMIT "${VERSION}")
find_program(git git)
if(git)
  execute_process(COMMAND "${git}" -C "${SOURCE_DIR}" describe --always --dirty=+ --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(VERSION_WITH_COMMIT "${VERSION} (${commit})")
  endif()
endif()
configure_file("${INPUT}" "${OUTPUT}" @ONLY)
