# Target helpers: dp2trace::options and dp2trace_add_library().

add_library(dp2trace_options INTERFACE)
add_library(dp2trace::options ALIAS dp2trace_options)
target_compile_features(dp2trace_options INTERFACE cxx_std_20)
target_compile_options(dp2trace_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC bugs 105651 and 105762: false alarms in std::string, which a precompiled header no longer silences
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>
  $<$<BOOL:${DP2TRACE_WARNINGS_AS_ERRORS}>:-Werror>)

# For units of which most is code of others' templates (CLI11, doctest): optimising it takes longer than it ever saves.
add_library(dp2trace_quickly_compiled INTERFACE)
target_compile_options(dp2trace_quickly_compiled INTERFACE
  $<$<CONFIG:Release,RelWithDebInfo>:-O1>
  # what GCC 12 knows of ranges at -O1 is too little for its own warnings about containers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-alloc-size-larger-than;-Wno-stringop-overread;-Wno-maybe-uninitialized>)

# What nearly every unit parses, parsed once: a target takes it by dp2trace_precompile(TARGET).
file(WRITE "${PROJECT_BINARY_DIR}/precompiled/empty.cpp.tmp" "")
file(COPY_FILE "${PROJECT_BINARY_DIR}/precompiled/empty.cpp.tmp" "${PROJECT_BINARY_DIR}/precompiled/empty.cpp" ONLY_IF_DIFFERENT)
set(dp2trace_std_headers <algorithm> <array> <bit> <cmath> <compare> <cstddef> <cstdint> <cstring> <functional> <iterator> <limits>
    <map> <memory> <optional> <set> <span> <string> <string_view> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)
option(DP2TRACE_PRECOMPILE "Precompile the headers of the standard library, {fmt} and doctest" ON)

# dp2trace_add_precompiled(NAME HEADER...): the target whose precompiled headers others reuse.
function(dp2trace_add_precompiled name)
  add_library(${name} OBJECT "${PROJECT_BINARY_DIR}/precompiled/empty.cpp")
  target_link_libraries(${name} PRIVATE dp2trace::options fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# dp2trace_precompile(TARGET [PRECOMPILED]): PRECOMPILED is dp2trace_precompiled unless given. Include what you use all the same: the header
# checks compile without.
function(dp2trace_precompile target)
  if(DP2TRACE_PRECOMPILE)
    set(from ${ARGN} dp2trace_precompiled)
    list(GET from 0 from)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()

# The folders of lib/ are compiled once, for the program and for the shared library alike. With nothing visible from outside,
# position-independent code is as fast as that of position-independent programs.
function(dp2trace_make_shareable target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

if(DP2TRACE_PRECOMPILE)
  dp2trace_add_precompiled(dp2trace_precompiled ${dp2trace_std_headers})
  dp2trace_make_shareable(dp2trace_precompiled)
endif()

# dp2trace_unite(TARGET): where DP2TRACE_UNITE is on, six files at a time are compiled as one unit, since parsing headers is most of the work.
# Files stay units of their own in meaning: other presets compile each alone. Names in unnamed namespaces are unique in a folder.
option(DP2TRACE_UNITE "Compile files of a folder together: a quicker build of everything, a slower one of a single file" OFF)
function(dp2trace_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DP2TRACE_UNITE} UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# dp2trace_add_library(NAME [SEPARATE] SOURCES file... LINK target... [PRIVATE_LINK target...])
# The target of lib/NAME. A folder sees its own headers and those of the targets that it links: each
# folder is mirrored into a private include root, so an include against the layer order does not compile.
# SEPARATE: its files use the same names for their own parts and are never united.
function(dp2trace_add_library name)
  cmake_parse_arguments(ARG "SEPARATE" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  set(root "${PROJECT_BINARY_DIR}/include/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/lib/${name}" "${root}/${name}" SYMBOLIC)
  if(ARG_SOURCES)
    add_library(dp2trace_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(dp2trace_${name} PRIVATE dp2trace::options ${ARG_PRIVATE_LINK})
    dp2trace_make_shareable(dp2trace_${name})
    dp2trace_precompile(dp2trace_${name})
    if(NOT ARG_SEPARATE)
      dp2trace_unite(dp2trace_${name})
    endif()
  else()
    add_library(dp2trace_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(dp2trace::${name} ALIAS dp2trace_${name})
  target_compile_features(dp2trace_${name} ${scope} cxx_std_20)
  target_include_directories(dp2trace_${name} ${scope} "${root}")
  target_link_libraries(dp2trace_${name} ${scope} ${ARG_LINK})
endfunction()

# Seconds that a test may take. Sanitizers make one up to ten times as slow.
set(dp2trace_test_timeout 300)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(dp2trace_test_timeout 3000)
endif()

# dp2trace_add_test(NAME SOURCES file... LINK target... [LABEL label] [SOURCE_TREE] [SEPARATE] [ALONE file...])
# One doctest executable; ctest lists its single cases under the label (default: unit, built by the target unit_tests). SOURCE_TREE: it reads
# files of the checkout, which DP2TRACE_SOURCE_DIR names. ALONE: files that use names of others for their own parts and are never united;
# SEPARATE: all of them are.
function(dp2trace_add_test name)
  cmake_parse_arguments(ARG "SOURCE_TREE;SEPARATE" "LABEL" "SOURCES;LINK;ALONE" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  if(ARG_LABEL STREQUAL "unit")
    if(NOT TARGET unit_tests)
      add_custom_target(unit_tests)
    endif()
    add_dependencies(unit_tests ${name})
  endif()
  target_link_libraries(${name} PRIVATE dp2trace::options dp2trace_quickly_compiled dp2trace_test_main ${ARG_LINK})
  if(ARG_SOURCE_TREE)
    target_compile_definitions(${name} PRIVATE DP2TRACE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  endif()
  dp2trace_precompile(${name} dp2trace_test_precompiled)
  if(NOT ARG_SEPARATE)
    dp2trace_unite(${name})
  endif()
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  doctest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${dp2trace_test_timeout})
endfunction()

# dp2trace_embed(VARIABLE HEADER INCLUDED.h NAMESPACE NAME TABLE FUNCTION FILES file...): a source with the bytes of files in html/ of this
# folder; VARIABLE is its path. See embed.cmake for what the header declares.
function(dp2trace_embed variable)
  cmake_parse_arguments(ARG "" "HEADER;NAMESPACE;TABLE" "FILES" ${ARGN})
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/html")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/html_files.cpp")
  list(TRANSFORM ARG_FILES PREPEND "${folder}/" OUTPUT_VARIABLE sources)
  list(JOIN ARG_FILES "," list)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" -DHEADER=${ARG_HEADER} -DNAMESPACE=${ARG_NAMESPACE} -DTABLE=${ARG_TABLE}
            "-DFOLDER=${folder}" -DFILES=${list} -P "${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake"
    VERBATIM)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()
