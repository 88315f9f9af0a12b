/* As much of a DirectDraw driver's structures as the toy driver needs, with the member names of the public headers. */
#ifndef DP2TRACE_TOY_DDRAW_H
#define DP2TRACE_TOY_DDRAW_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): C */

#include <stddef.h>

typedef unsigned int DWORD;
typedef unsigned short WORD;
typedef int LONG;
typedef size_t ULONG_PTR;
typedef int HRESULT;

typedef struct {
  DWORD dwCaps;
} DDSCAPS;
typedef struct {
  DWORD dwCaps2, dwCaps3, dwCaps4;
} DDSCAPSEX;
typedef struct {
  DWORD dwColorSpaceLowValue, dwColorSpaceHighValue;
} DDCOLORKEY;
typedef struct {
  DWORD dwSize, dwFlags, dwFourCC, dwRGBBitCount, dwRBitMask, dwGBitMask, dwBBitMask,
      dwRGBAlphaBitMask;
} DDPIXELFORMAT;
typedef struct {
  LONG left, top, right, bottom;
} RECT;

typedef struct {
  unsigned char peRed, peGreen, peBlue, peFlags;
} PALETTEENTRY;
typedef struct {
  DWORD dwFlags;
  PALETTEENTRY* lpColorTable;
} palette_global;
typedef struct {
  palette_global* lpGbl;
} palette_local;
typedef struct {
  palette_local* lpLcl;
} palette_interface;

struct surface_local;
typedef struct attach_list {
  struct attach_list* lpLink;
  struct surface_local* lpAttached;
} * LPATTACHLIST;
typedef struct {
  DWORD dwBlockSizeY;
  ULONG_PTR fpVidMem;
  LONG lPitch;
  DWORD dwLinearSize; /* shares the place of lPitch in the public structure */
  WORD wHeight, wWidth;
  DDPIXELFORMAT ddpfSurface;
} surface_global;
typedef struct {
  DDSCAPSEX ddsCapsEx;
  DWORD dwSurfaceHandle;
} surface_more;
typedef struct surface_local {
  surface_more* lpSurfMore;
  surface_global* lpGbl;
  LPATTACHLIST lpAttachList;
  DWORD dwFlags;
  DDSCAPS ddsCaps;
  palette_interface* lpDDPalette;
  DDCOLORKEY ddckCKSrcBlt;
} * LPDDRAWI_DDRAWSURFACE_LCL;

typedef struct {
  void* lpDDLcl;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSLcl, lpDDSZLcl;
  DWORD dwPID;
  ULONG_PTR dwhContext;
  HRESULT ddrval;
} D3DHAL_CONTEXTCREATEDATA;
typedef struct {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwVertexType;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDCommands;
  DWORD dwCommandOffset, dwCommandLength;
  LPDDRAWI_DDRAWSURFACE_LCL
  lpDDVertex; /* these two share a place in the public structure, and so do */
  void* lpVertices;
  DWORD dwVertexOffset, dwVertexLength, dwReqVertexBufSize, dwReqCommandBufSize;
  DWORD* lpdwRStates;
  DWORD dwVertexSize; /* these two */
  HRESULT ddrval;
  DWORD dwErrorOffset;
} D3DHAL_DRAWPRIMITIVES2DATA;

/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
#endif
