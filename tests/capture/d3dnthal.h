/*
 * What dp2trace_capture_hal.h names of ddrawint.h and d3dnthal.h, which Debian's mingw-w64 does not have: written from the pages of the Windows
 * Driver Kit documentation, with their members in their order. Only for the tests.
 */
#ifndef DP2TRACE_TEST_D3DNTHAL_H
#define DP2TRACE_TEST_D3DNTHAL_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): C */

#if defined(__clang__) && defined(__cplusplus)
#pragma clang diagnostic ignored "-Wnested-anon-types" /* Microsoft's header has them */
#endif

#ifdef _WIN32
#include <windows.h>
/* which comes first */
#include <d3dtypes.h>
#include <ddraw.h>
#else
#include "toy_ddraw.h"
#define APIENTRY
typedef void* HANDLE;
typedef int BOOL;
typedef unsigned char BYTE;
typedef RECT RECTL;
typedef struct {
  DWORD dwSize, dwDDFX, dwROP, dwDDROP, dwRotationAngle, dwRest[14];
  union {
    DWORD dwFillColor;
  };
  DDCOLORKEY ddckDestColorkey, ddckSrcColorkey;
} DDBLTFX;
typedef struct {
  BYTE blue, green, red, alpha;
} DDARGB;
typedef struct {
  BYTE bytes[16];
} GUID;
typedef RECT* LPD3DRECT;
#endif

typedef struct {
  void* dhpdev;
  ULONG_PTR dwReserved1, dwReserved2;
  void* lpDDVideoPortCaps;
} * PDD_DIRECTDRAW_GLOBAL;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpGbl;
} * PDD_DIRECTDRAW_LOCAL;

typedef struct {
  union {
    DWORD dwBlockSizeY;
    LONG lSlicePitch;
  };
  union {
    void* lpVidMemHeap;
    DWORD dwBlockSizeX;
    DWORD dwUserMemSize;
  };
  ULONG_PTR fpVidMem;
  union {
    LONG lPitch;
    DWORD dwLinearSize;
  };
  LONG yHint, xHint;
  DWORD wHeight, wWidth;
  ULONG_PTR dwReserved1;
  DDPIXELFORMAT ddpfSurface;
  ULONG_PTR fpHeapOffset;
  HANDLE hCreatorProcess;
} DD_SURFACE_GLOBAL, *PDD_SURFACE_GLOBAL;
typedef struct {
  DWORD dwMipMapCount;
  void* lpVideoPort;
  DWORD dwOverlayFlags;
  DDSCAPSEX ddsCapsEx;
  DWORD dwSurfaceHandle;
} DD_SURFACE_MORE, *PDD_SURFACE_MORE;
struct dd_surface_local;
typedef struct dd_attachlist {
  struct dd_attachlist* lpLink;
  struct dd_surface_local* lpAttached;
} DD_ATTACHLIST, *PDD_ATTACHLIST;
typedef struct dd_surface_local {
  PDD_SURFACE_GLOBAL lpGbl;
  DWORD dwFlags;
  DDSCAPS ddsCaps;
  ULONG_PTR dwReserved1;
  union {
    DDCOLORKEY ddckCKSrcOverlay;
    DDCOLORKEY ddckCKSrcBlt;
  };
  union {
    DDCOLORKEY ddckCKDestOverlay;
    DDCOLORKEY ddckCKDestBlt;
  };
  PDD_SURFACE_MORE lpSurfMore;
  PDD_ATTACHLIST lpAttachList, lpAttachListFrom;
  RECT rcOverlaySrc;
} DD_SURFACE_LOCAL, *PDD_SURFACE_LOCAL;

typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  void* lpDDSurfaceDesc;
  PDD_SURFACE_LOCAL* lplpSList;
  DWORD dwSCnt;
  HRESULT ddRVal;
  void* CreateSurface;
} DD_CREATESURFACEDATA, *PDD_CREATESURFACEDATA;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  PDD_SURFACE_LOCAL lpDDSurface;
  HRESULT ddRVal;
  void* DestroySurface;
} DD_DESTROYSURFACEDATA, *PDD_DESTROYSURFACEDATA;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  PDD_SURFACE_LOCAL lpSurfCurr, lpSurfTarg;
  DWORD dwFlags;
  HRESULT ddRVal;
  void* Flip;
  PDD_SURFACE_LOCAL lpSurfCurrLeft, lpSurfTargLeft;
} DD_FLIPDATA, *PDD_FLIPDATA;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  PDD_SURFACE_LOCAL lpDDSurface;
  DWORD bHasRect;
  RECTL rArea;
  void* lpSurfData;
  HRESULT ddRVal;
  void* Lock;
  DWORD dwFlags;
  ULONG_PTR fpProcess;
} DD_LOCKDATA, *PDD_LOCKDATA;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  PDD_SURFACE_LOCAL lpDDSurface;
  HRESULT ddRVal;
  void* Unlock;
} DD_UNLOCKDATA, *PDD_UNLOCKDATA;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  PDD_SURFACE_LOCAL lpDDDestSurface;
  RECTL rDest;
  PDD_SURFACE_LOCAL lpDDSrcSurface;
  RECTL rSrc;
  DWORD dwFlags, dwROPFlags;
  DDBLTFX bltFX;
  HRESULT ddRVal;
  void* Blt;
  BOOL IsClipped;
  RECTL rOrigDest, rOrigSrc;
  DWORD dwRectCnt;
  RECT* prDestRects;
  DWORD dwAFlags;
  DDARGB ddargbScaleFactors;
} DD_BLTDATA, *PDD_BLTDATA;
typedef struct {
  PDD_DIRECTDRAW_GLOBAL lpDD;
  PDD_SURFACE_LOCAL lpDDSurface;
  DWORD dwFlags;
  DDCOLORKEY ckNew;
  HRESULT ddRVal;
  void* SetColorKey;
} DD_SETCOLORKEYDATA, *PDD_SETCOLORKEYDATA;
typedef struct {
  DWORD dwFlags;
  PDD_DIRECTDRAW_LOCAL lpDDLcl;
  PDD_SURFACE_LOCAL lpDDSLcl;
  HRESULT ddRVal;
} DD_CREATESURFACEEXDATA, *PDD_CREATESURFACEEXDATA;
typedef struct {
  DWORD dwFlags;
  PDD_DIRECTDRAW_LOCAL pDDLcl;
  HRESULT ddRVal;
} DD_DESTROYDDLOCALDATA, *PDD_DESTROYDDLOCALDATA;
typedef struct {
  void* dhpdev;
  DWORD dwSize, dwFlags;
  GUID guidInfo;
  DWORD dwExpectedSize;
  void* lpvData;
  DWORD dwActualSize;
  HRESULT ddRVal;
} DD_GETDRIVERINFODATA, *PDD_GETDRIVERINFODATA;

typedef struct {
  DWORD dwSize, dwFlags;
  void* DestroyDriver;
  DWORD(APIENTRY* CreateSurface)(PDD_CREATESURFACEDATA);
  void *SetColorKey, *SetMode, *WaitForVerticalBlank, *CanCreateSurface, *CreatePalette,
      *GetScanLine, *MapMemory;
} DD_CALLBACKS;
typedef struct {
  DWORD dwSize, dwFlags;
  DWORD(APIENTRY* DestroySurface)(PDD_DESTROYSURFACEDATA);
  DWORD(APIENTRY* Flip)(PDD_FLIPDATA);
  void* SetClipList;
  DWORD(APIENTRY* Lock)(PDD_LOCKDATA);
  DWORD(APIENTRY* Unlock)(PDD_UNLOCKDATA);
  DWORD(APIENTRY* Blt)(PDD_BLTDATA);
  DWORD(APIENTRY* SetColorKey)(PDD_SETCOLORKEYDATA);
  void *AddAttachedSurface, *GetBltStatus, *GetFlipStatus, *UpdateOverlay, *SetOverlayPosition,
      *reserved4, *SetPalette;
} DD_SURFACECALLBACKS;
typedef struct {
  DWORD dwSize, dwFlags;
  void* CanCreateD3DBuffer;
  DWORD(APIENTRY* CreateD3DBuffer)(PDD_CREATESURFACEDATA);
  DWORD(APIENTRY* DestroyD3DBuffer)(PDD_DESTROYSURFACEDATA);
  DWORD(APIENTRY* LockD3DBuffer)(PDD_LOCKDATA);
  DWORD(APIENTRY* UnlockD3DBuffer)(PDD_UNLOCKDATA);
} DD_D3DBUFCALLBACKS;
typedef struct {
  DWORD dwSize, dwFlags;
  void* AlphaBlt;
  DWORD(APIENTRY* CreateSurfaceEx)(PDD_CREATESURFACEEXDATA);
  void* GetDriverState;
  DWORD(APIENTRY* DestroyDDLocal)(PDD_DESTROYDDLOCALDATA);
} DD_MISCELLANEOUS2CALLBACKS;

typedef struct {
  union {
    PDD_DIRECTDRAW_GLOBAL lpDDGbl;
    PDD_DIRECTDRAW_LOCAL lpDDLcl;
  };
  union {
    PDD_SURFACE_LOCAL lpDDS;
    PDD_SURFACE_LOCAL lpDDSLcl;
  };
  union {
    PDD_SURFACE_LOCAL lpDDSZ;
    PDD_SURFACE_LOCAL lpDDSZLcl;
  };
  DWORD dwPID;
  ULONG_PTR dwhContext;
  HRESULT ddrval;
} D3DNTHAL_CONTEXTCREATEDATA, *LPD3DNTHAL_CONTEXTCREATEDATA;
typedef struct {
  ULONG_PTR dwhContext;
  HRESULT ddrval;
} D3DNTHAL_CONTEXTDESTROYDATA, *LPD3DNTHAL_CONTEXTDESTROYDATA;
typedef struct {
  DWORD dwPID;
  HRESULT ddrval;
} D3DNTHAL_CONTEXTDESTROYALLDATA, *LPD3DNTHAL_CONTEXTDESTROYALLDATA;
typedef struct {
  ULONG_PTR dwhContext;
  PDD_SURFACE_LOCAL lpDDS, lpDDSZ;
  HRESULT ddrval;
} D3DNTHAL_SETRENDERTARGETDATA, *LPD3DNTHAL_SETRENDERTARGETDATA;
typedef struct {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwFillColor;
  float dvFillDepth;
  DWORD dwFillStencil;
  LPD3DRECT lpRects;
  DWORD dwNumRects;
  HRESULT ddrval;
} D3DNTHAL_CLEAR2DATA, *LPD3DNTHAL_CLEAR2DATA;
typedef struct {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwVertexType;
  PDD_SURFACE_LOCAL lpDDCommands;
  DWORD dwCommandOffset, dwCommandLength;
  union {
    PDD_SURFACE_LOCAL lpDDVertex;
    void* lpVertices;
  };
  DWORD dwVertexOffset, dwVertexLength, dwReqVertexBufSize, dwReqCommandBufSize;
  DWORD* lpdwRStates;
  union {
    DWORD dwVertexSize;
    HRESULT ddrval;
  };
  DWORD dwErrorOffset;
} D3DNTHAL_DRAWPRIMITIVES2DATA, *LPD3DNTHAL_DRAWPRIMITIVES2DATA;

typedef struct {
  DWORD dwSize;
  DWORD(APIENTRY* ContextCreate)(LPD3DNTHAL_CONTEXTCREATEDATA);
  DWORD(APIENTRY* ContextDestroy)(LPD3DNTHAL_CONTEXTDESTROYDATA);
  DWORD(APIENTRY* ContextDestroyAll)(LPD3DNTHAL_CONTEXTDESTROYALLDATA);
  void *SceneCapture, *dwReserved10, *dwReserved11, *dwReserved22, *dwReserved23;
  ULONG_PTR dwReserved;
  void *TextureCreate, *TextureDestroy, *TextureSwap,
      *TextureGetSurf; /* and more that is reserved */
} D3DNTHAL_CALLBACKS;
typedef struct {
  DWORD dwSize, dwFlags;
  DWORD(APIENTRY* SetRenderTarget)(LPD3DNTHAL_SETRENDERTARGETDATA);
  void *dwReserved1, *dwReserved2, *dwReserved3, *dwReserved4;
} D3DNTHAL_CALLBACKS2;
typedef struct {
  DWORD dwSize, dwFlags;
  DWORD(APIENTRY* Clear2)(LPD3DNTHAL_CLEAR2DATA);
  void *lpvReserved, *ValidateTextureStageState;
  DWORD(APIENTRY* DrawPrimitives2)(LPD3DNTHAL_DRAWPRIMITIVES2DATA);
} D3DNTHAL_CALLBACKS3;

/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
#endif
