set(dp2trace_target i686-w64-mingw32)
include("${CMAKE_CURRENT_LIST_DIR}/i686.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/mingw.cmake")
