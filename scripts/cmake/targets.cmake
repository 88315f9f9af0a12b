# Target helpers: dp2trace::options and dp2trace_add_library().

add_library(dp2trace_options INTERFACE)
add_library(dp2trace::options ALIAS dp2trace_options)
target_compile_features(dp2trace_options INTERFACE cxx_std_20)
target_compile_options(dp2trace_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC bugs 105651 and 105762: false alarms in std::string, which a precompiled header no longer silences
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>
  # sizes of 32 bits: what does not fit into them is refused where it is read
  $<$<BOOL:${WASI}>:-Wno-shorten-64-to-32;-Wno-sign-conversion>
  $<$<BOOL:${DP2TRACE_WARNINGS_AS_ERRORS}>:-Werror>)

# For all but the code that runs per token, vertex or pixel (HOT below): optimising the rest takes longer than it ever saves.
add_library(dp2trace_quickly_compiled INTERFACE)
target_compile_options(dp2trace_quickly_compiled INTERFACE
  $<$<CONFIG:Release,RelWithDebInfo>:-O1>
  # what GCC knows of ranges at -O1 is too little for its own warnings about containers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-alloc-size-larger-than;-Wno-stringop-overread;-Wno-maybe-uninitialized>)

# For tests. Optimising them costs more than it saves: most of their time is the library's. Fuzzers look for new paths in the library only.
add_library(dp2trace_test_options INTERFACE)
target_compile_options(dp2trace_test_options INTERFACE -O0 $<$<BOOL:${DP2TRACE_BUILD_FUZZERS}>:-fno-sanitize=fuzzer-no-link>)

# What nearly every unit parses, parsed once: a target takes it by dp2trace_precompile(TARGET).
file(WRITE "${PROJECT_BINARY_DIR}/precompiled/empty.cpp.tmp" "")
file(COPY_FILE "${PROJECT_BINARY_DIR}/precompiled/empty.cpp.tmp" "${PROJECT_BINARY_DIR}/precompiled/empty.cpp" ONLY_IF_DIFFERENT)
set(dp2trace_std_headers <algorithm> <array> <bit> <cmath> <compare> <cstddef> <cstdint> <cstring> <functional> <iterator> <limits>
    <map> <memory> <optional> <set> <span> <string> <string_view> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)
option(DP2TRACE_PRECOMPILE "Precompile the headers of the standard library, {fmt} and doctest" ON)

# dp2trace_add_precompiled(NAME LINK target... HEADERS header...): the target whose precompiled headers others reuse. LINK has what gives
# those their options: compilers take a precompiled header with the very same options only.
function(dp2trace_add_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINK;HEADERS" ${ARGN})
  add_library(${name} OBJECT "${PROJECT_BINARY_DIR}/precompiled/empty.cpp")
  target_link_libraries(${name} PRIVATE dp2trace::options fmt::fmt ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# dp2trace_precompile(TARGET PRECOMPILED): include what you use all the same, as the header checks compile without.
function(dp2trace_precompile target from)
  if(DP2TRACE_PRECOMPILE)
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
  dp2trace_add_precompiled(dp2trace_precompiled LINK dp2trace_quickly_compiled HEADERS ${dp2trace_std_headers})
  dp2trace_add_precompiled(dp2trace_precompiled_hot HEADERS ${dp2trace_std_headers})
  dp2trace_make_shareable(dp2trace_precompiled)
  dp2trace_make_shareable(dp2trace_precompiled_hot)
endif()

# dp2trace_unite(TARGET FILES): where DP2TRACE_UNITE is on, so many files at a time are compiled as one unit, since parsing headers is most of
# the work: 16 in place of 6 take a third less. What is optimised in full stays in small units, since one changed file costs a whole unit.
# Files stay units of their own in meaning: other presets compile each alone. Names in unnamed namespaces are unique in a folder.
option(DP2TRACE_UNITE "Compile files of a folder together: a quicker build of everything, a slower one of a single file" OFF)
function(dp2trace_unite target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DP2TRACE_UNITE} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# dp2trace_add_library(NAME [HOT] SOURCES file... [SYSTEM file...] LINK target... [PRIVATE_LINK target...])
# The target of lib/NAME. A folder sees its own headers and those of the targets that it links: each
# folder is mirrored into a private include root, so an include against the layer order does not compile.
# HOT: it runs per token, vertex or pixel and is optimised in full. SYSTEM: files about folders, locks and threads, which are not there in
# a page (WASI).
function(dp2trace_add_library name)
  cmake_parse_arguments(ARG "HOT" "" "SOURCES;SYSTEM;LINK;PRIVATE_LINK" ${ARGN})
  if(NOT WASI)
    list(APPEND ARG_SOURCES ${ARG_SYSTEM})
  endif()
  set(root "${PROJECT_BINARY_DIR}/include/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/lib/${name}" "${root}/${name}" SYMBOLIC)
  if(ARG_SOURCES)
    add_library(dp2trace_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(dp2trace_${name} PRIVATE dp2trace::options ${ARG_PRIVATE_LINK})
    dp2trace_make_shareable(dp2trace_${name})
    if(ARG_HOT)
      dp2trace_precompile(dp2trace_${name} dp2trace_precompiled_hot)
      dp2trace_unite(dp2trace_${name} 6)
    else()
      target_link_libraries(dp2trace_${name} PRIVATE dp2trace_quickly_compiled)
      dp2trace_precompile(dp2trace_${name} dp2trace_precompiled)
      dp2trace_unite(dp2trace_${name} 16)
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

# A program with libFuzzer's sanitizers takes longer to start than most cases run: there a program is one test. It leaves out statistics,
# comparisons of results over every trace, which other cases make over fewer, and damage by more than one seed, which the fuzzers do.
set(dp2trace_long_comparisons "MergeResults: a million*,Diagnose: no false*,History: every value of the other traces*,mutations: seed 2,mutations: seed 3,mutations: seed 4")

# dp2trace_add_test(NAME SOURCES file... [POSIX file...] LINK target... [LABEL label] [SOURCE_TREE] [SEPARATE] [ALONE file...])
# One doctest executable, built by the target LABEL_tests (default: unit); ctest lists its single cases (with DP2TRACE_BUILD_FUZZERS the
# executable) under the label. SOURCE_TREE: it reads files of the checkout, which DP2TRACE_SOURCE_DIR names, and the cases of the rules as
# files (DP2TRACE_RULE_TRACES). ALONE: files that use names of others for their own parts and are never united; SEPARATE: none of them is
# united. POSIX: files about links, pipes, modes of files and the like, which are not there on Windows.
function(dp2trace_add_test name)
  cmake_parse_arguments(ARG "SOURCE_TREE;SEPARATE" "LABEL" "SOURCES;POSIX;LINK;ALONE" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT WIN32)
    list(APPEND ARG_SOURCES ${ARG_POSIX})
  endif()
  add_executable(${name} ${ARG_SOURCES})
  if(NOT TARGET ${ARG_LABEL}_tests)
    add_custom_target(${ARG_LABEL}_tests)
  endif()
  add_dependencies(${ARG_LABEL}_tests ${name})
  target_link_libraries(${name} PRIVATE dp2trace::options dp2trace_test_options dp2trace_test_main ${ARG_LINK})
  if(ARG_SOURCE_TREE)
    target_compile_definitions(${name} PRIVATE DP2TRACE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" DP2TRACE_RULE_TRACES="${dp2trace_rule_traces}")
    add_dependencies(${name} rule_traces)
  endif()
  dp2trace_precompile(${name} dp2trace_test_precompiled)
  if(NOT ARG_SEPARATE)
    dp2trace_unite(${name} 16)
  endif()
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # What cannot run here cannot be asked for its tests (test_windows.sh runs them by Wine).
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  if(DP2TRACE_BUILD_FUZZERS)
    add_test(NAME ${name} COMMAND ${name} "--test-case-exclude=${dp2trace_long_comparisons}")
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${dp2trace_test_timeout})
    if(ARG_LABEL STREQUAL "roundtrip")
      set_tests_properties(${name} PROPERTIES COST 100) # the longest starts first
    endif()
  else()
    doctest_discover_tests(${name} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${dp2trace_test_timeout})
  endif()
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
