/* What the headers of mingw-w64 name and do not define, for recorders of DirectDraw drivers. Source: Windows Driver Kit documentation. */
#ifndef DP2TRACE_HAL_STRUCTURES_H
#define DP2TRACE_HAL_STRUCTURES_H

/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-using): C */

struct _DDHAL_SETCOLORKEYDATA {
  LPDDRAWI_DIRECTDRAW_GBL lpDD;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSurface;
  DWORD dwFlags;
  DDCOLORKEY ckNew;
  HRESULT ddRVal;
};
struct _DDHAL_CREATESURFACEEXDATA {
  DWORD dwFlags;
  LPDDRAWI_DIRECTDRAW_LCL lpDDLcl;
  LPDDRAWI_DDRAWSURFACE_LCL lpDDSLcl;
  HRESULT ddRVal;
};
struct _DDHAL_DESTROYDDLOCALDATA {
  DWORD dwFlags;
  LPDDRAWI_DIRECTDRAW_LCL pDDLcl;
  HRESULT ddRVal;
};
struct _D3DHAL_CLEAR2DATA {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwFillColor;
  float dvFillDepth;
  DWORD dwFillStencil;
  LPD3DRECT lpRects;
  DWORD dwNumRects;
  HRESULT ddrval;
};
struct _D3DHAL_CLEARDATA {
  ULONG_PTR dwhContext;
  DWORD dwFlags, dwFillColor, dwFillDepth;
  LPD3DRECT lpRects;
  DWORD dwNumRects;
  HRESULT ddrval;
};
struct _D3DHAL_RENDERSTATEDATA {
  ULONG_PTR dwhContext;
  DWORD dwOffset, dwCount;
  LPDIRECTDRAWSURFACE lpExeBuf;
  HRESULT ddrval;
};
struct _D3DHAL_RENDERPRIMITIVEDATA {
  ULONG_PTR dwhContext;
  DWORD dwOffset, dwStatus;
  LPDIRECTDRAWSURFACE lpExeBuf;
  DWORD dwTLOffset;
  LPDIRECTDRAWSURFACE lpTLBuf;
  D3DINSTRUCTION diInstruction;
  HRESULT ddrval;
};
struct _D3DHAL_TEXTURECREATEDATA {
  ULONG_PTR dwhContext;
  LPDIRECTDRAWSURFACE lpDDS;
  DWORD dwHandle;
  HRESULT ddrval;
};
struct _D3DHAL_TEXTUREDESTROYDATA {
  ULONG_PTR dwhContext;
  DWORD dwHandle;
  HRESULT ddrval;
};
struct _D3DHAL_TEXTURESWAPDATA {
  ULONG_PTR dwhContext;
  DWORD dwHandle1, dwHandle2;
  HRESULT ddrval;
};
struct _D3DHAL_DRAWONEPRIMITIVEDATA {
  ULONG_PTR dwhContext;
  DWORD dwFlags;
  D3DPRIMITIVETYPE PrimitiveType;
  D3DVERTEXTYPE VertexType;
  LPVOID lpvVertices;
  DWORD dwNumVertices;
  HRESULT ddrval;
};
struct _D3DHAL_DRAWONEINDEXEDPRIMITIVEDATA {
  ULONG_PTR dwhContext;
  DWORD dwFlags;
  D3DPRIMITIVETYPE PrimitiveType;
  D3DVERTEXTYPE VertexType;
  LPVOID lpvVertices;
  DWORD dwNumVertices;
  LPWORD lpwIndices;
  DWORD dwNumIndices;
  HRESULT ddrval;
};
struct _D3DHAL_DRAWPRIMITIVESDATA {
  ULONG_PTR dwhContext;
  DWORD dwFlags;
  LPVOID lpvData;
  HRESULT ddrval;
};

/* NOLINTEND(modernize-deprecated-headers,modernize-use-using) */
#endif
