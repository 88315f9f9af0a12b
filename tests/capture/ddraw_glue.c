/* Every macro of dp2trace_capture_ddraw.h on the structures of the public headers: it is enough that this compiles. */
#include <windows.h>
#include <ddraw.h>
#include <ddrawi.h>
#include <d3dhal.h>

#define D2C_IMPLEMENTATION
#include "dp2trace_capture_ddraw.h"

static d2c capture;

void use_surfaces(LPDDRAWI_DDRAWSURFACE_LCL surface, LPDDPIXELFORMAT display, RECT *area);
void use_surfaces(LPDDRAWI_DDRAWSURFACE_LCL surface, LPDDPIXELFORMAT display, RECT *area) {
  struct d2c_surface_create create;
  struct d2c_surface_destroy destroy;
  struct d2c_surface_update update;
  struct d2c_present present;
  static struct d2c_sub_surface subs[90];
  D2C_DDRAW_SURFACE_CREATE(&create, 0, surface, display);
  D2C_DDRAW_SUB_SURFACES(&create, LPDDRAWI_DDRAWSURFACE_LCL, LPATTACHLIST, surface, subs, 90);
  d2c_surface_create(&capture, &create);
  D2C_DDRAW_SURFACE_UPDATE(&update, 0, surface, area, D2C_DDRAW_MEMORY(surface), 4);
  d2c_surface_update(&capture, &update);
  D2C_DDRAW_BUFFER_UPDATE(&update, 0, surface, 16, 64);
  d2c_surface_update(&capture, &update);
  D2C_DDRAW_SURFACE_DESTROY(&destroy, 0, surface);
  d2c_surface_destroy(&capture, &destroy);
  D2C_DDRAW_FLIP(&present, 0, surface);
  d2c_present(&capture, &present);
}

void use_calls(LPD3DHAL_CONTEXTCREATEDATA create, LPD3DHAL_CONTEXTDESTROYDATA destroy, LPD3DHAL_DRAWPRIMITIVES2DATA p);
void use_calls(LPD3DHAL_CONTEXTCREATEDATA create, LPD3DHAL_CONTEXTDESTROYDATA destroy, LPD3DHAL_DRAWPRIMITIVES2DATA p) {
  struct d2c_context_create created;
  struct d2c_context_destroy destroyed;
  struct d2c_dp2 call;
  struct d2c_call_result result;
  const struct d2c_u64 number = d2c_next_event(&capture);
  D2C_DDRAW_CONTEXT_CREATE(&created, 0, create, 3);
  d2c_context_create(&capture, &created);
  D2C_DDRAW_CONTEXT_DESTROY(&destroyed, 0, destroy);
  d2c_context_destroy(&capture, &destroyed);
  D2C_DDRAW_DP2(&call, 0, p);
  d2c_dp2_call(&capture, &call);
  D2C_DDRAW_DP2_RESULT(&result, number, p);
  d2c_call_result(&capture, &result);
}

void use_blt(LPDDHAL_BLTDATA p);
void use_blt(LPDDHAL_BLTDATA p) {
  struct d2c_blt blt;
  D2C_DDRAW_BLT(&blt, 0, p);
  d2c_blt(&capture, &blt);
}

/* Structures that the headers of mingw-w64 name and do not define. Source: Windows Driver Kit documentation. */
struct clear_data {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwFillColor;
  float dvFillDepth;
  DWORD dwFillStencil;
  RECT *lpRects;
  DWORD dwNumRects;
};
struct draw_data {
  ULONG_PTR dwhContext;
  DWORD PrimitiveType;
  void *lpvVertices;
  DWORD dwNumVertices;
  WORD *lpwIndices;
  DWORD dwNumIndices;
  void *lpvData;
};
struct execute_data {
  ULONG_PTR dwhContext;
  DWORD dwOffset, dwTLOffset, dwCount;
  struct {
    BYTE bOpcode, bSize;
    WORD wCount;
  } diInstruction;
};

void use_old(const struct clear_data *clear, LPD3DHAL_SETRENDERTARGETDATA target, const struct draw_data *draw,
             const struct execute_data *execute, const void *exe, const void *tl);
void use_old(const struct clear_data *clear, LPD3DHAL_SETRENDERTARGETDATA target, const struct draw_data *draw,
             const struct execute_data *execute, const void *exe, const void *tl) {
  D2C_DDRAW_CLEAR2(&capture, 0, clear);
  D2C_DDRAW_CLEAR(&capture, 0, clear);
  D2C_DDRAW_SET_RENDER_TARGET(&capture, 0, target);
  D2C_DDRAW_DRAW_PRIMITIVES(&capture, 0, draw);
  D2C_DDRAW_DRAW_ONE_PRIMITIVE(&capture, 0, draw);
  D2C_DDRAW_DRAW_ONE_INDEXED_PRIMITIVE(&capture, 0, draw);
  D2C_DDRAW_RENDER_PRIMITIVE(&capture, 0, execute, exe, tl);
  D2C_DDRAW_RENDER_STATE(&capture, 0, execute, exe);
}
