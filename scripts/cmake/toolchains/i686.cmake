# 32-bit x86: numbers as on x86-64, of SSE2 and not of the x87 with its 80 bits; callers of the library may have the stack aligned to 4 bytes.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(dp2trace_flags "-msse2 -mfpmath=sse -mstackrealign")
