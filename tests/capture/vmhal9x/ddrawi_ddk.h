/* Stands in for the headers of vmhal9x, which define what those of mingw-w64 leave out. */
#include <d3dhal.h>

#include "../hal_structures.h"
