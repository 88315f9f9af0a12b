#define D2C_IMPLEMENTATION
#include "dp2trace_capture_ring.h"
