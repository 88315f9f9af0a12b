/* The driver, and between the marks what was added to it to record. lib/capture/README.md shows these lines; a test counts them. */
#define D2C_IMPLEMENTATION
#include "toy_driver.h"

/* capture: */
d2c capture;
static unsigned char capture_buffer[65536];

static void capture_surface(LPDDRAWI_DDRAWSURFACE_LCL s, d2c_u32 bytes_per_pixel) {
  struct d2c_surface_update update;
  D2C_DDRAW_SURFACE_UPDATE(&update, 0, s, (RECT *)0, D2C_DDRAW_MEMORY(s), bytes_per_pixel);
  d2c_surface_update(&capture, &update);
}
/* :capture */

DWORD toy_pixels[8][16];
static surface_global screen_global;
static surface_more screen_more;
struct surface_local toy_screen;
static surface_global command_global;
static surface_more command_more;
static struct surface_local command_surface;
static const DDPIXELFORMAT display = {32, 0x40, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0};
static ULONG_PTR the_context;

void D3dCreateSurfaceEx(LPDDRAWI_DDRAWSURFACE_LCL surface) {
  /* capture: */
  struct d2c_surface_create create;
  D2C_DDRAW_SURFACE_CREATE(&create, 0, surface, &display);
  d2c_surface_create(&capture, &create);
  /* :capture */
  (void)surface; /* the driver looks surfaces up by their handles */
}

void D3dContextCreate(D3DHAL_CONTEXTCREATEDATA *p) {
  /* capture: */
  struct d2c_context_create create;
  const d2c_u32 runtime = (d2c_u32)p->dwhContext;
  /* :capture */
  the_context = 0x1234;
  p->dwhContext = the_context;
  p->ddrval = 0;
  /* capture: */
  D2C_DDRAW_CONTEXT_CREATE(&create, 0, p, runtime);
  d2c_context_create(&capture, &create);
  /* :capture */
}

static void clear(const unsigned char *at, DWORD count) {
  DWORD color;
  d2c_ddraw_words(&color, at + 4, 1);
  for (at += 16; count != 0; --count, at += 16) {
    RECT area;
    LONG x;
    LONG y;
    d2c_ddraw_words(&area, at, 4);
    for (y = area.top; y < area.bottom; ++y) {
      for (x = area.left; x < area.right; ++x) toy_pixels[y][x] = color;
    }
  }
}

void D3dDrawPrimitives2(D3DHAL_DRAWPRIMITIVES2DATA *p) {
  const unsigned char *at = D2C_DDRAW_MEMORY(p->lpDDCommands) + p->dwCommandOffset;
  /* capture: */
  struct d2c_dp2 call;
  struct d2c_call_result result;
  const struct d2c_u64 number = d2c_next_event(&capture);
  D2C_DDRAW_DP2(&call, 0, p);
  d2c_dp2_call(&capture, &call);
  /* :capture */
  if (at[0] == 42) {
    clear(at + 4, (DWORD)(at[2] | at[3] << 8));
    p->ddrval = 0;
    p->dwErrorOffset = 0;
  } else {
    p->ddrval = (HRESULT)0x88760BB8; /* D3DERR_COMMAND_UNPARSED */
    p->dwErrorOffset = p->dwCommandOffset;
  }
  /* capture: */
  D2C_DDRAW_DP2_RESULT(&result, number, p);
  d2c_call_result(&capture, &result);
  /* :capture */
}

void DdUnlock(LPDDRAWI_DDRAWSURFACE_LCL surface) {
  /* capture: */
  capture_surface(surface, 4);
  /* :capture */
  (void)surface; /* nothing to do: the memory is the screen's own */
}

void DdFlip(LPDDRAWI_DDRAWSURFACE_LCL target) {
  /* capture: */
  struct d2c_present present;
  D2C_DDRAW_FLIP(&present, 0, target);
  d2c_present(&capture, &present);
  /* :capture */
  (void)target;
}

static void make_surfaces(void) {
  toy_screen.lpSurfMore = &screen_more;
  toy_screen.lpGbl = &screen_global;
  toy_screen.ddsCaps.dwCaps = 0x6000; /* 3DDEVICE, VIDEOMEMORY */
  screen_more.dwSurfaceHandle = 1;
  screen_global.fpVidMem = (ULONG_PTR)toy_pixels;
  screen_global.lPitch = 64;
  screen_global.wWidth = 16;
  screen_global.wHeight = 8;
  command_surface.lpSurfMore = &command_more;
  command_surface.lpGbl = &command_global;
}

void toy_capture(d2c_write_fn write, void *user, int is_snapshot) {
  struct d2c_header header;
  make_surfaces();
  d2c_open(&capture, write, user, capture_buffer, sizeof capture_buffer, 0, 0);
  d2c_header_init(&header);
  header.generator = "toy driver";
  header.driver_level = 7;
  if (!is_snapshot) {
    d2c_put_header(&capture, &header);
    return;
  }
  d2c_begin_snapshot(&capture, &header);
  D3dCreateSurfaceEx(&toy_screen);
  capture_surface(&toy_screen, 4);
  {
    struct d2c_context_create create;
    d2c_context_create_init(&create);
    create.context = d2c_pointer((const void *)the_context);
    create.target = 1;
    create.runtime_version = 3;
    d2c_context_create(&capture, &create);
  }
}

void toy_clear(DWORD color, LONG left, LONG top, LONG right, LONG bottom) {
  static DWORD commands[9];
  D3DHAL_DRAWPRIMITIVES2DATA data;
  data.dwhContext = the_context;
  data.dwFlags = 0;
  data.dwVertexType = 0;
  commands[0] = 0x0001002A; /* CLEAR, one rectangle */
  commands[1] = 1;          /* D3DCLEAR_TARGET */
  commands[2] = color;
  commands[3] = commands[4] = 0;
  commands[5] = (DWORD)left;
  commands[6] = (DWORD)top;
  commands[7] = (DWORD)right;
  commands[8] = (DWORD)bottom;
  command_global.fpVidMem = (ULONG_PTR)commands;
  data.lpDDCommands = &command_surface;
  data.dwCommandOffset = 0;
  data.dwCommandLength = sizeof commands;
  data.lpDDVertex = 0;
  data.lpVertices = 0;
  data.dwVertexOffset = data.dwVertexLength = data.dwVertexSize = 0;
  data.dwReqVertexBufSize = data.dwReqCommandBufSize = 0;
  data.lpdwRStates = 0;
  D3dDrawPrimitives2(&data);
}
