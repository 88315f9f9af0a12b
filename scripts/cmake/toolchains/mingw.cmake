# Windows by mingw-w64, with the threads of the standard library (the posix model). Nothing but libraries of the system is needed at run time.
set(CMAKE_SYSTEM_NAME Windows)
foreach(language C CXX)
  # GCC bug 54412: the stack of Win64 is aligned to 16 bytes, and GCC takes vectors of 32 there for aligned.
  set(CMAKE_${language}_FLAGS_INIT "${dp2trace_flags} -Wa,-muse-unaligned-vector-move")
endforeach()
set(CMAKE_C_COMPILER ${dp2trace_target}-gcc-posix)
set(CMAKE_CXX_COMPILER ${dp2trace_target}-g++-posix)
set(CMAKE_RC_COMPILER ${dp2trace_target}-windres)
foreach(kind EXE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -static)
endforeach()
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
