/*
 * All that records vmhal9x, a DirectDraw and Direct3D driver of Windows 9x (https://github.com/JHRobotics/vmhal9x), beside append_file.c. It has
 * its callbacks of surfaces in a structure of its own: they are put into a table, recorded there, and put back.
 */
#include <windows.h>

#include <ddraw.h>
#include <ddrawi.h>
/* of vmhal9x */
#include "ddrawi_ddk.h"

#include "d3dhal_ddk.h"
#include "vmdahal32.h"

#define D2C_IMPLEMENTATION
#include "dp2trace_capture_hal.h"

int append_to_file(void* user, const void* bytes, d2c_u32 size);
void record_directdraw(VMDAHAL_t* hal, DWORD level);
void record_direct3d(void* callbacks, DDHAL_DDEXEBUFCALLBACKS* buffers);
void record_driver_info(LPDDHAL_GETDRIVERINFODATA p);

static d2c capture;
static struct d2c_hal recording;
static char buffer[65536];
static char path[] = "C:\\TRACE.DP2T";

void record_directdraw(VMDAHAL_t* hal, DWORD level) {
  static DDHAL_DDCALLBACKS draw;
  static DDHAL_DDSURFACECALLBACKS surfaces;
  VMDAHALCB32_t* const own = &hal->cb32;
  struct d2c_header header;
  d2c_open(&capture, append_to_file, path, buffer, sizeof buffer, 0, 0);
  d2c_header_init(&header);
  header.driver_level = level;
  d2c_put_header(&capture, &header);
  d2c_hal_init(&recording, &capture, level, &hal->ddpf);
  draw.CreateSurface = own->CreateSurface;
  d2c_hal_directdraw(&recording, &draw);
  own->CreateSurface = draw.CreateSurface;
  surfaces.DestroySurface = own->DestroySurface;
  surfaces.Flip = own->Flip;
  surfaces.Lock = own->Lock;
  surfaces.Unlock = own->Unlock;
  surfaces.Blt = own->Blt;
  surfaces.SetColorKey = own->SetColorKey;
  d2c_hal_surfaces(&recording, &surfaces);
  own->DestroySurface = surfaces.DestroySurface;
  own->Flip = surfaces.Flip;
  own->Lock = surfaces.Lock;
  own->Unlock = surfaces.Unlock;
  own->Blt = surfaces.Blt;
  own->SetColorKey = surfaces.SetColorKey;
}

void record_direct3d(void* callbacks, DDHAL_DDEXEBUFCALLBACKS* buffers) {
  d2c_hal_direct3d(&recording, (D3DHAL_CALLBACKS*)callbacks);
  d2c_hal_buffers(&recording, buffers);
}

void record_driver_info(LPDDHAL_GETDRIVERINFODATA p) {
  d2c_hal_driver_info(&recording, p);
}
