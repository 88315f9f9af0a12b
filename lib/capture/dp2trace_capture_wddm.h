/*
 * dp2trace_capture_wddm.h: dp2trace_capture.h for drivers that submit command buffers: user-mode display drivers (pfnRenderCb) and OpenGL
 * drivers (D3DKMTRender). These are macros: include the driver headers of yours (d3dumddi.h, or d3dkmthk.h), then this one. Nothing here
 * names a type of theirs.
 *
 *   D2C_WDDM_CONTEXT_CREATE(&context, device, p);             after pfnCreateContextCb
 *   d2c_kmt_context_create(&capture, &context);
 *
 *   D2C_WDDM_RENDER(&packet, p, commands, allocations, patches);   before pfnRenderCb, p: D3DDDICB_RENDER, and where the driver wrote
 *   call = d2c_next_event(&capture);
 *   d2c_render(&capture, &packet);
 *   ... pfnRenderCb ...
 *   D2C_WDDM_RENDER_RESULT(&result, call, p, status);         after it: status, and the buffers of the next packet
 *   d2c_call_result(&capture, &result);
 *
 * A packet remembers where it was written, so that readers can tell whether the driver went on to the buffers that it was given
 * (KMT-OUT-010: it must always update its pointers). Recorded before the callback, a packet survives a crash in it; nothing may be
 * recorded between a packet and its result.
 *
 * Source: Windows Driver Kit documentation, D3DDDICB_RENDER and D3DDDICB_CREATECONTEXT (d3dumddi.h), D3DKMT_RENDER and
 * D3DKMT_CREATECONTEXT (d3dkmthk.h).
 */
#ifndef DP2TRACE_CAPTURE_WDDM_H
#define DP2TRACE_CAPTURE_WDDM_H

#include "dp2trace_capture.h"

#define D2C__ALLOCATION_SIZE 8u      /* of a D3DDDI_ALLOCATIONLIST */
#define D2C__PATCH_LOCATION_SIZE 24u /* of a D3DDDI_PATCHLOCATIONLIST */

/* Handles that are pointers in user mode, as the numbers that the trace knows them by. */
#define D2C__WDDM_HANDLE(handle) ((d2c_u32)((size_t)(handle)&0xFFFFFFFFu))

/* pfnCreateContextCb and D3DKMTCreateContext, after them. `device`: the number of a d2c_device_create(). */
#define D2C_WDDM_CONTEXT_CREATE(event, device_, p)                                  \
  do {                                                                              \
    d2c_kmt_context_create_init(event);                                             \
    (event)->device = (device_);                                                    \
    (event)->context = D2C__WDDM_HANDLE((p)->hContext);                             \
    (event)->has_triple = 1;                                                        \
    (event)->triple.command_buffer = d2c_pointer((p)->pCommandBuffer);              \
    (event)->triple.command_buffer_size = (d2c_u32)(p)->CommandBufferSize;          \
    (event)->triple.allocation_list = d2c_pointer((p)->pAllocationList);            \
    (event)->triple.allocation_list_size = (d2c_u32)(p)->AllocationListSize;        \
    (event)->triple.patch_location_list = d2c_pointer((p)->pPatchLocationList);     \
    (event)->triple.patch_location_list_size = (d2c_u32)(p)->PatchLocationListSize; \
  } while (0)

#define D2C__WDDM_RENDER(event, p, commands, allocations, allocation_count_, patches, patch_count) \
  do {                                                                                             \
    d2c_render_init(event);                                                                        \
    (event)->context = D2C__WDDM_HANDLE((p)->hContext);                                            \
    (event)->command_offset = (d2c_u32)(p)->CommandOffset;                                         \
    (event)->new_command_buffer_size = (d2c_u32)(p)->NewCommandBufferSize;                         \
    (event)->new_allocation_list_size = (d2c_u32)(p)->NewAllocationListSize;                       \
    (event)->new_patch_location_list_size = (d2c_u32)(p)->NewPatchLocationListSize;                \
    (event)->flags = (d2c_u32)(p)->Flags.Value;                                                    \
    (event)->broadcast_context_count = (d2c_u32)(p)->BroadcastContextCount;                        \
    (event)->command_buffer = d2c_bytes_of((commands), (d2c_u32)(p)->CommandLength);               \
    (event)->allocation_list =                                                                     \
        d2c_bytes_of((allocations), (d2c_u32)(allocation_count_)*D2C__ALLOCATION_SIZE);            \
    (event)->patch_location_list =                                                                 \
        d2c_bytes_of((patches), (d2c_u32)(patch_count)*D2C__PATCH_LOCATION_SIZE);                  \
    (event)->has_buffers = 1;                                                                      \
    (event)->buffers.command_buffer = d2c_pointer(commands);                                       \
    (event)->buffers.allocation_list = d2c_pointer(allocations);                                   \
    (event)->buffers.patch_location_list = d2c_pointer(patches);                                   \
  } while (0)

/* pfnRenderCb, before it: a D3DDDICB_RENDER, and the buffer and lists that the driver filled. CommandLength counts from byte 0. */
#define D2C_WDDM_RENDER(event, p, commands, allocations, patches)                 \
  D2C__WDDM_RENDER(event, p, commands, allocations, (p)->NumAllocations, patches, \
                   (p)->NumPatchLocations)

/* D3DKMTRender, before it: a D3DKMT_RENDER. */
#define D2C_KMT_RENDER(event, p, commands, allocations, patches)                       \
  do {                                                                                 \
    D2C__WDDM_RENDER(event, p, commands, allocations, (p)->AllocationCount, patches,   \
                     (p)->PatchLocationCount);                                         \
    (event)->broadcast_context = (const d2c_u32*)(const void*)(p)->BroadcastContext;   \
    (event)->broadcast_context_items =                                                 \
        (event)->broadcast_context_count < 64 ? (event)->broadcast_context_count : 64; \
  } while (0)

/* After either of them, for the event `call_`, a d2c_u64: the status (an HRESULT or NTSTATUS), and what the next packet is written into. */
#define D2C_WDDM_RENDER_RESULT(event, call_, p, status_)                            \
  do {                                                                              \
    d2c_call_result_init(event);                                                    \
    (event)->call = (call_);                                                        \
    (event)->ddrval = (d2c_u32)(status_);                                           \
    (event)->has_out = 1;                                                           \
    (event)->out.command_buffer = d2c_pointer((p)->pNewCommandBuffer);              \
    (event)->out.command_buffer_size = (d2c_u32)(p)->NewCommandBufferSize;          \
    (event)->out.allocation_list = d2c_pointer((p)->pNewAllocationList);            \
    (event)->out.allocation_list_size = (d2c_u32)(p)->NewAllocationListSize;        \
    (event)->out.patch_location_list = d2c_pointer((p)->pNewPatchLocationList);     \
    (event)->out.patch_location_list_size = (d2c_u32)(p)->NewPatchLocationListSize; \
    (event)->queued_buffer_count = (d2c_u32)(p)->QueuedBufferCount;                 \
  } while (0)

#endif /* DP2TRACE_CAPTURE_WDDM_H */
