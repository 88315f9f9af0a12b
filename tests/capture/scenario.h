/* A recording that is the same on every machine and with every compiler. C89, no C library. */
#ifndef DP2TRACE_CAPTURE_SCENARIO_H
#define DP2TRACE_CAPTURE_SCENARIO_H

#include "dp2trace_capture.h"

/* Records about 300 KB: small events, a cube map with all sub-surfaces, rows of a surface, an event larger than the buffer. */
int record_scenario(d2c_write_fn write, void* user, void* buffer, d2c_u32 buffer_size,
                    d2c_u32 flush);

#endif
