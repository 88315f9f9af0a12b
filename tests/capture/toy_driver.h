/* A display driver that can do one thing: clear rectangles of a surface. It records itself. */
#ifndef DP2TRACE_TOY_DRIVER_H
#define DP2TRACE_TOY_DRIVER_H

#include "toy_ddraw.h"

#include "dp2trace_capture_ddraw.h"

#ifdef __cplusplus
extern "C" {
#endif

extern d2c capture;

/* Starts the recording, from the beginning or with a snapshot of the screen. */
void toy_capture(d2c_write_fn write, void* user, int is_snapshot);

/* The entry points. */
void D3dCreateSurfaceEx(LPDDRAWI_DDRAWSURFACE_LCL surface);
void D3dContextCreate(D3DHAL_CONTEXTCREATEDATA* p);
void D3dDrawPrimitives2(D3DHAL_DRAWPRIMITIVES2DATA* p);
void DdUnlock(LPDDRAWI_DDRAWSURFACE_LCL surface);
void DdFlip(LPDDRAWI_DDRAWSURFACE_LCL target);

/* The screen: 16 x 8 pixels of 32 bits, handle 1. */
extern struct surface_local toy_screen;
extern DWORD toy_pixels[8][16];
/* Clears a rectangle, through the entry points above. */
void toy_clear(DWORD color, LONG left, LONG top, LONG right, LONG bottom);

#ifdef __cplusplus
}
#endif

#endif
