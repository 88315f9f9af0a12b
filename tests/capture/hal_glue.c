/* The recorder of DirectDraw drivers with the public headers: it is enough that this compiles. */
#include <windows.h>
#include <ddraw.h>
#include <ddrawi.h>
#include <d3dhal.h>
#include "hal_structures.h"

#define D2C_IMPLEMENTATION
#include "dp2trace_capture_hal.h"
