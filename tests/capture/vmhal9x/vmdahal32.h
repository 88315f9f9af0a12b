/* As much of the header of vmhal9x as its recorder names. */
typedef struct {
  LPDDHAL_CREATESURFACE CreateSurface;
  LPDDHALSURFCB_DESTROYSURFACE DestroySurface;
  LPDDHALSURFCB_FLIP Flip;
  LPDDHALSURFCB_LOCK Lock;
  LPDDHALSURFCB_UNLOCK Unlock;
  LPDDHALSURFCB_BLT Blt;
  LPDDHALSURFCB_SETCOLORKEY SetColorKey;
} VMDAHALCB32_t;

typedef struct {
  DDPIXELFORMAT ddpf;
  VMDAHALCB32_t cb32;
} VMDAHAL_t;
