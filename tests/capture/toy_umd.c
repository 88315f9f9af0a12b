/* The recorder of user-mode drivers, as a driver has it. */
#include "d3dumddi.h"
#define D2C_IMPLEMENTATION
#include "dp2trace_capture_umd.h"
