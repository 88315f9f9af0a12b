# WebAssembly with the system interface of WASI, for the engine of the page (scripts/build_web.sh). What the standard library does not have
# there (files, threads) is in lib/os/wasi.
set(dp2trace_target wasm32-wasi)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(WASI ON)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
  set(CMAKE_${language}_FLAGS_INIT "-msimd128")
endforeach()
get_filename_component(dp2trace_wasi "${CMAKE_CURRENT_LIST_DIR}/../../../lib/os/wasi" ABSOLUTE)
# Nothing catches an exception there: a throw ends the program (lib/os/wasi/exceptions.cpp), and code with try compiles.
string(APPEND CMAKE_CXX_FLAGS_INIT " -fexceptions -isystem ${dp2trace_wasi}/include")
# Highway has no vectors of doubles there before 1.1; its portable target does, and the compiler makes SIMD128 of it.
string(APPEND CMAKE_CXX_FLAGS_INIT " -DHWY_COMPILE_ONLY_EMU128")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_HAVE_PTHREAD_H ON)
set(CMAKE_HAVE_LIBC_PTHREAD ON)
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
