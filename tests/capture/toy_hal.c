/* The recorder of DirectDraw drivers, as a driver has it. */
#include "toy_hal.h"
#define D2C_IMPLEMENTATION
#include "dp2trace_capture_hal.h"
