# Writes the first trace of traces/malformed/RULE and traces/accepted/RULE of every rule as rows of a C++ table.
# cmake -DTRACES=traces -DOUTPUT=rule_examples.inc -P embed_traces.cmake
set(max_size 16384)  # bytes of a trace that is still worth reading on a screen

# Sets PATH and TEXT to the first JSON trace of a folder; the text is empty where there is none or it is long.
function(first_trace folder path_variable text_variable)
  file(GLOB files RELATIVE "${TRACES}" "${TRACES}/${folder}/*.json" "${TRACES}/${folder}/*.dp2t")
  list(SORT files)
  set(path "")
  set(text "")
  if(files)
    list(GET files 0 path)
    file(SIZE "${TRACES}/${path}" size)
    if(path MATCHES "\\.json$" AND size LESS_EQUAL max_size)
      file(READ "${TRACES}/${path}" text)
    endif()
  endif()
  set(${path_variable} "${path}" PARENT_SCOPE)
  set(${text_variable} "${text}" PARENT_SCOPE)
endfunction()

file(GLOB malformed RELATIVE "${TRACES}/malformed" "${TRACES}/malformed/*")
file(GLOB accepted RELATIVE "${TRACES}/accepted" "${TRACES}/accepted/*")
set(rules ${malformed} ${accepted})
list(REMOVE_DUPLICATES rules)
list(SORT rules)
set(rows "")
foreach(rule IN LISTS rules)
  first_trace("malformed/${rule}" broken_path broken_text)
  first_trace("accepted/${rule}" legal_path legal_text)
  string(APPEND rows "{\"${rule}\", {\"${broken_path}\", R\"dp2t(${broken_text})dp2t\"sv}, {\"${legal_path}\", R\"dp2t(${legal_text})dp2t\"sv}},\n")
endforeach()
file(WRITE "${OUTPUT}" "${rows}")
