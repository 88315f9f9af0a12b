# Target helpers: dp2trace::options and dp2trace_add_library().

add_library(dp2trace_options INTERFACE)
add_library(dp2trace::options ALIAS dp2trace_options)
target_compile_features(dp2trace_options INTERFACE cxx_std_20)
target_compile_options(dp2trace_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC bug 105651: false alarms in std::string concatenation
  $<$<BOOL:${DP2TRACE_WARNINGS_AS_ERRORS}>:-Werror>)

# dp2trace_add_library(NAME SOURCES file... LINK target... [PRIVATE_LINK target...])
# The target of lib/NAME. A folder sees its own headers and those of the targets that it links: each
# folder is mirrored into a private include root, so an include against the layer order does not compile.
function(dp2trace_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/include/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/lib/${name}" "${root}/${name}" SYMBOLIC)
  if(ARG_SOURCES)
    add_library(dp2trace_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(dp2trace_${name} PRIVATE dp2trace::options ${ARG_PRIVATE_LINK})
  else()
    add_library(dp2trace_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(dp2trace::${name} ALIAS dp2trace_${name})
  target_compile_features(dp2trace_${name} ${scope} cxx_std_20)
  target_include_directories(dp2trace_${name} ${scope} "${root}")
  target_link_libraries(dp2trace_${name} ${scope} ${ARG_LINK})
endfunction()

# dp2trace_add_test(NAME SOURCES file... LINK target... [LABEL label])
# One doctest executable; ctest lists its single cases under the label (default: unit).
function(dp2trace_add_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE dp2trace::options dp2trace_test_main ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE DP2TRACE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  doctest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT 300)
endfunction()
