/* The recorder of DirectDraw drivers, as a driver of Windows 2000 and XP has it. */
#include "d3dnthal.h"
#define D2C_HAL_NT
#define D2C_IMPLEMENTATION
#include "dp2trace_capture_hal.h"
