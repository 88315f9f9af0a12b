/* As much of ddrawi.h and d3dhal.h as dp2trace_capture_hal.h names, with the member names of the public headers. */
#ifndef DP2TRACE_TOY_HAL_H
#define DP2TRACE_TOY_HAL_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): C */

#include "toy_ddraw.h"

#define PASCAL
typedef unsigned char BYTE;

struct
    _DDRAWI_DDRAWSURFACE_INT { /* NOLINT(bugprone-reserved-identifier): the name of the public header */
  void* lpVtbl;
  LPDDRAWI_DDRAWSURFACE_LCL lpLcl;
};
typedef struct lpddhal_createsurfacedata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL* lplpSList;
  DWORD dwSCnt;
  HRESULT ddRVal;
} * LPDDHAL_CREATESURFACEDATA;
typedef struct lpddhal_destroysurfacedata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
  HRESULT ddRVal;
} * LPDDHAL_DESTROYSURFACEDATA;
typedef struct lpddhal_flipdata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL lpSurfCurr, lpSurfTarg;
  DWORD dwFlags;
  HRESULT ddRVal;
} * LPDDHAL_FLIPDATA;
typedef struct lpddhal_lockdata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
  DWORD bHasRect;
  RECT rArea;
  void* lpSurfData;
  HRESULT ddRVal;
  DWORD dwFlags;
} * LPDDHAL_LOCKDATA;
typedef struct lpddhal_unlockdata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
  HRESULT ddRVal;
} * LPDDHAL_UNLOCKDATA;
typedef struct ddbltfx_tag {
  DWORD dwDDFX;
  DWORD dwFillColor;
  DDCOLORKEY ddckSrcColorkey;
} DDBLTFX;
typedef struct lpddhal_bltdata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL lpDDDestSurface;
  RECT rDest;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSrcSurface;
  RECT rSrc;
  DWORD dwFlags, dwROPFlags;
  DDBLTFX bltFX;
  HRESULT ddRVal;
  int IsClipped;
} * LPDDHAL_BLTDATA;
typedef struct lpddhal_setcolorkeydata_tag {
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
  DWORD dwFlags;
  DDCOLORKEY ckNew;
  HRESULT ddRVal;
} * LPDDHAL_SETCOLORKEYDATA;
typedef struct lpddhal_createsurfaceexdata_tag {
  DWORD dwFlags;
  void* lpDDLcl;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSLcl;
  HRESULT ddRVal;
} * LPDDHAL_CREATESURFACEEXDATA;
typedef struct lpddhal_destroyddlocaldata_tag {
  DWORD dwFlags;
  void* pDDLcl;
  HRESULT ddRVal;
} * LPDDHAL_DESTROYDDLOCALDATA;
typedef struct lpddhal_getdriverinfodata_tag {
  DWORD dwSize, dwFlags;
  BYTE guidInfo[16];
  DWORD dwExpectedSize;
  void* lpvData;
  DWORD dwActualSize;
  HRESULT ddRVal;
} * LPDDHAL_GETDRIVERINFODATA;

typedef D3DHAL_CONTEXTCREATEDATA* LPD3DHAL_CONTEXTCREATEDATA;
typedef struct lpd3dhal_contextdestroydata_tag {
  ULONG_PTR dwhContext;
  HRESULT ddrval;
} * LPD3DHAL_CONTEXTDESTROYDATA;
typedef struct lpd3dhal_contextdestroyalldata_tag {
  DWORD dwPID;
  HRESULT ddrval;
} * LPD3DHAL_CONTEXTDESTROYALLDATA;
typedef struct lpd3dhal_setrendertargetdata_tag {
  ULONG_PTR dwhContext;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDS, lpDDSZ;
  HRESULT ddrval;
} * LPD3DHAL_SETRENDERTARGETDATA;
typedef struct lpd3dhal_clear2data_tag {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwFillColor;
  float dvFillDepth;
  DWORD dwFillStencil;
  RECT* lpRects;
  DWORD dwNumRects;
  HRESULT ddrval;
} * LPD3DHAL_CLEAR2DATA;
typedef struct lpd3dhal_cleardata_tag {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwFillColor, dwFillDepth;
  RECT* lpRects;
  DWORD dwNumRects;
  HRESULT ddrval;
} * LPD3DHAL_CLEARDATA;
typedef D3DHAL_DRAWPRIMITIVES2DATA* LPD3DHAL_DRAWPRIMITIVES2DATA;
typedef struct lpd3dhal_renderstatedata_tag {
  ULONG_PTR dwhContext;
  DWORD dwOffset, dwCount;
  void* lpExeBuf;
  HRESULT ddrval;
} * LPD3DHAL_RENDERSTATEDATA;
typedef struct lpd3dhal_renderprimitivedata_tag {
  ULONG_PTR dwhContext;
  DWORD dwOffset, dwStatus;
  void* lpExeBuf;
  DWORD dwTLOffset;
  void* lpTLBuf;
  struct {
    BYTE bOpcode, bSize;
    WORD wCount;
  } diInstruction;
  HRESULT ddrval;
} * LPD3DHAL_RENDERPRIMITIVEDATA;
typedef struct lpd3dhal_texturecreatedata_tag {
  ULONG_PTR dwhContext;
  void* lpDDS;
  DWORD dwHandle;
  HRESULT ddrval;
} * LPD3DHAL_TEXTURECREATEDATA;
typedef struct lpd3dhal_texturedestroydata_tag {
  ULONG_PTR dwhContext;
  DWORD dwHandle;
  HRESULT ddrval;
} * LPD3DHAL_TEXTUREDESTROYDATA;
typedef struct lpd3dhal_textureswapdata_tag {
  ULONG_PTR dwhContext;
  DWORD dwHandle1, dwHandle2;
  HRESULT ddrval;
} * LPD3DHAL_TEXTURESWAPDATA;
typedef struct lpd3dhal_drawoneprimitivedata_tag {
  ULONG_PTR dwhContext;
  DWORD dwFlags, PrimitiveType, VertexType;
  void* lpvVertices;
  DWORD dwNumVertices;
  HRESULT ddrval;
} * LPD3DHAL_DRAWONEPRIMITIVEDATA;
typedef struct lpd3dhal_drawoneindexedprimitivedata_tag {
  ULONG_PTR dwhContext;
  DWORD dwFlags, PrimitiveType, VertexType;
  void* lpvVertices;
  DWORD dwNumVertices;
  WORD* lpwIndices;
  DWORD dwNumIndices;
  HRESULT ddrval;
} * LPD3DHAL_DRAWONEINDEXEDPRIMITIVEDATA;
typedef struct lpd3dhal_drawprimitivesdata_tag {
  ULONG_PTR dwhContext;
  DWORD dwFlags;
  void* lpvData;
  HRESULT ddrval;
} * LPD3DHAL_DRAWPRIMITIVESDATA;

typedef struct ddhal_ddcallbacks_tag {
  DWORD (*CreateSurface)(LPDDHAL_CREATESURFACEDATA);
} DDHAL_DDCALLBACKS;
typedef struct ddhal_ddsurfacecallbacks_tag {
  DWORD (*DestroySurface)(LPDDHAL_DESTROYSURFACEDATA);
  DWORD (*Flip)(LPDDHAL_FLIPDATA);
  DWORD (*Lock)(LPDDHAL_LOCKDATA);
  DWORD (*Unlock)(LPDDHAL_UNLOCKDATA);
  DWORD (*Blt)(LPDDHAL_BLTDATA);
  DWORD (*SetColorKey)(LPDDHAL_SETCOLORKEYDATA);
} DDHAL_DDSURFACECALLBACKS;
typedef struct ddhal_ddexebufcallbacks_tag {
  DWORD (*CreateExecuteBuffer)(LPDDHAL_CREATESURFACEDATA);
  DWORD (*DestroyExecuteBuffer)(LPDDHAL_DESTROYSURFACEDATA);
  DWORD (*UnlockExecuteBuffer)(LPDDHAL_UNLOCKDATA);
} DDHAL_DDEXEBUFCALLBACKS;
typedef struct ddhal_ddmiscellaneous2callbacks_tag {
  DWORD (*CreateSurfaceEx)(LPDDHAL_CREATESURFACEEXDATA);
  DWORD (*DestroyDDLocal)(LPDDHAL_DESTROYDDLOCALDATA);
} DDHAL_DDMISCELLANEOUS2CALLBACKS;
typedef struct d3dhal_callbacks_tag {
  DWORD (*ContextCreate)(LPD3DHAL_CONTEXTCREATEDATA);
  DWORD (*ContextDestroy)(LPD3DHAL_CONTEXTDESTROYDATA);
  DWORD (*ContextDestroyAll)(LPD3DHAL_CONTEXTDESTROYALLDATA);
  DWORD (*RenderState)(LPD3DHAL_RENDERSTATEDATA);
  DWORD (*RenderPrimitive)(LPD3DHAL_RENDERPRIMITIVEDATA);
  DWORD (*TextureCreate)(LPD3DHAL_TEXTURECREATEDATA);
  DWORD (*TextureDestroy)(LPD3DHAL_TEXTUREDESTROYDATA);
  DWORD (*TextureSwap)(LPD3DHAL_TEXTURESWAPDATA);
} D3DHAL_CALLBACKS;
typedef struct d3dhal_callbacks2_tag {
  DWORD (*SetRenderTarget)(LPD3DHAL_SETRENDERTARGETDATA);
  DWORD (*Clear)(LPD3DHAL_CLEARDATA);
  DWORD (*DrawOnePrimitive)(LPD3DHAL_DRAWONEPRIMITIVEDATA);
  DWORD (*DrawOneIndexedPrimitive)(LPD3DHAL_DRAWONEINDEXEDPRIMITIVEDATA);
  DWORD (*DrawPrimitives)(LPD3DHAL_DRAWPRIMITIVESDATA);
} D3DHAL_CALLBACKS2;
typedef struct d3dhal_callbacks3_tag {
  DWORD (*Clear2)(LPD3DHAL_CLEAR2DATA);
  DWORD (*DrawPrimitives2)(LPD3DHAL_DRAWPRIMITIVES2DATA);
} D3DHAL_CALLBACKS3;

/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
#endif
