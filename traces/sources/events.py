"""Traces that show events rather than operations."""

import struct

from .dp2 import Stream, dwords
from .opcodes import CLEAR_TARGET, clear
from .packets import CONTEXT, DEVICE, PROCESS, TARGET, Packets
from .trace import (
    BLUE,
    DIFFUSE,
    RED,
    TRIANGLE,
    WHITE,
    XYZRHW,
    Trace,
    blob,
    checkerboard,
    screen_vertices,
)


def traces():
    """Yields (name, Trace)."""
    t = Trace(
        None, 7, d3d9ex=True, os_profile="win7", palette_order="rgbx",
        caps=[{"name": "max_texture_width", "value": 2048}],
        formats=["X8R8G8B8", "D24S8", "DXT1"])  # fmt: skip
    text = "A header with capabilities, a marker with a source position"
    yield "header", t.add("marker", text=text, source="capture.trace", position=12)

    yield "surfaces", surfaces()
    yield "buffers", buffers()
    yield "frames", frames()
    yield "failed-calls", failed_calls()
    yield "kmt-objects", kmt_objects()
    yield "recording", recording()


def surfaces():
    """Surfaces of every shape, and the ways to write and read them."""
    t = Trace("Surfaces of every shape; writes and reads of rectangles, boxes and byte ranges", 9)
    t.target(1, flip_chain=[20, 21])
    t.depth(2)
    t.texture(3, 16, 3, handles=[4, 5])
    t.add(
        "surface_create", handle=6, caps=["TEXTURE", "COMPLEX", "VIDEOMEMORY"],
        caps2=["CUBEMAP", "CUBEMAP_POSITIVEX", "CUBEMAP_NEGATIVEZ"], format="A8R8G8B8", width=4,
        height=4, faces=["POSITIVEX", "NEGATIVEZ"], empty_face_color=0xFF00FF00,
        sub_surfaces=[{"handle": 7, "face": 5, "caps2": ["CUBEMAP", "CUBEMAP_NEGATIVEZ"]}],
    )  # fmt: skip
    t.texture(8, 4, caps2=["VOLUME"], depth=4)
    t.texture(9, 8, pixel_format="DXT1")
    t.add(
        "surface_create", handle=10, caps=["TEXTURE", "SYSTEMMEMORY"], width=4, height=4, pitch=16,
        pixel_format={"flags": ["RGB", "ALPHAPIXELS"], "bit_count": 16, "red_mask": 0x7C00,
                      "green_mask": 0x03E0, "blue_mask": 0x001F, "alpha_mask": 0x8000},
        color_key={"low": 0x7C1F, "high": 0x7C1F},
    )  # fmt: skip
    t.add("surface_create", handle=11, kind="target", caps=["3DDEVICE", "VIDEOMEMORY"], caps3=[4],
          format="X8R8G8B8", width=64, height=64, samples=4, sample_quality=0)  # fmt: skip
    t.update(3, checkerboard(16, WHITE, RED))
    t.update(4, checkerboard(2, BLUE, RED), rect=[2, 2, 4, 4])
    t.update(3, checkerboard(4, WHITE, WHITE), level=2, flags=["WAIT", "NOSYSLOCK"])
    t.update(6, checkerboard(4, BLUE, BLUE), face=5)
    box = [1, 0, 3, 2, 1, 3]  # left, top, right, bottom, front, back
    t.update(8, bytes(range(48)), box=box, pitch=12, slice_pitch=24)
    t.update(9, bytes.fromhex("00f8e007aaaaaaaa") * 4)
    t.add("surface_read", handle=1)
    t.add("surface_read", handle=3, level=1, rect=[-1, 0, 4, 4], flags=["READONLY"])
    t.add("surface_read", handle=8, box=box)
    t.add("blt", src=3, src_level=1, src_rect=[0, 0, 8, 8], dest=1, dest_rect=[8, 8, 24, 24],
          flags=0x01000000)  # fmt: skip
    t.add("blt", kind="color_fill", dest=1, dest_rect=[0, 0, 4, 4], fill=0x00FF0000, ddrval=0)
    t.add("blt", kind="depth_fill", dest=2, fill=0xFFFFFF00)
    t.add("blt", src=10, dest=10, src_color_key={"low": 1, "high": 2}, dest_color_key={"low": 3})
    return t.add("surface_destroy", handle=6).add("surface_destroy", handle=3)


def buffers():
    """Vertices in a buffer, a second space, results of the call."""
    t = Trace("A call with its vertices in a buffer, swapped buffers and every result", 7)
    t.target()
    t.add("surface_create", handle=2, kind="command_buffer", caps=["EXECUTEBUFFER", "SYSTEMMEMORY"],
          caps2=["COMMANDBUFFER"], format="VERTEXDATA", width=4096)  # fmt: skip
    t.buffer(3, bytes(40) + screen_vertices(TRIANGLE), memory="SYSTEMMEMORY")
    t.add("surface_update", handle=3, range={"offset": 36, "size": 4}, data=blob(dwords(WHITE)))
    t.context(process=4711, ddrval=0)
    s = Stream(8).op("RENDERSTATE", (9, 1)).op("TRIANGLELIST", fixed=(0,), count=1)
    t.dp2(
        s, flags=["EXECUTEBUFFER", "SWAPVERTEXBUFFER", "SWAPCOMMANDBUFFER", "REQVERTEXBUFSIZE",
                  "REQCOMMANDBUFSIZE"],
        vertex_type=XYZRHW | DIFFUSE, vertex_size=20, vertex_offset=40, vertex_length=3,
        command_offset=8, command_buffer_size=4096, vertex_buffer_size=100, vertex_buffer=3,
        req_vertex_buf_size=65536, req_command_buf_size=8192, commands_pointer=0x8A001000,
        vertices_pointer=0x8A002000, rstates_pointer=0x00401000, rstates=blob(bytes(64)), ddrval=0,
        flags_out=["EXECUTEBUFFER", "VIDMEMVERTEXBUF"], commands_pointer_out=0x8A003000,
        vertices_pointer_out=0x8A004000)  # fmt: skip
    t.add("surface_create", space=1, handle=1, kind="target", caps=["3DDEVICE", "VIDEOMEMORY"],
          format="X8R8G8B8", width=32, height=32)  # fmt: skip
    t.add("context_create", space=1, context=1, target=1, runtime_version=3)
    t.add("dp2", space=1, context=1,
          commands=[{"raw": clear(Stream(), rect=(0, 0, 32, 32)).data.hex()}])  # fmt: skip
    t.add("present", space=1, handle=1, rect=[0, 0, 32, 16])
    t.add("context_destroy", space=1, context=1).add("surface_destroy", space=1, handle=1)
    return t.end(present=False)


def frames():
    """Three frames, the last one without a present."""
    t = Trace("Two frames, a read between them, and drawing after the last present", 7)
    t.target().context()
    t.draw(clear(Stream(), BLUE).op("TRIANGLELIST", fixed=(0,), count=1)).present()
    t.add("surface_read", handle=1, rect=[8, 8, 16, 16], flags=["READONLY"])
    t.draw(clear(Stream(), RED).op("TRIANGLELIST", fixed=(0,), count=1)).present()
    return t.dp2(Stream().op("CLEAR", fixed=(CLEAR_TARGET, WHITE, 0, 0, (0, 0, 8, 8)), count=1))


def failed_calls():
    """Calls that did not succeed."""
    t = Trace("Recorded failures: a flip was pending, then a command was not handled", 7)
    t.target().context()
    s = Stream().op("RENDERSTATE", (9, 1)).op("TRIANGLELIST", fixed=(0,), count=1)
    t.draw(s, ddrval=0x8876021C)  # DDERR_WASSTILLDRAWING
    return t.draw(s, ddrval=0x88760BB8, error_offset=12).end()  # D3DERR_COMMAND_UNPARSED


def recording():
    """What a driver records of itself: results behind their calls, its own pixels, a second session."""
    t = Trace("A snapshot: surfaces with contents, then the state", 7, start="snapshot",
              raw_caps=bytes(212).hex())  # fmt: skip
    t.target(width=4, height=4).context()
    t.update(1, checkerboard(4, WHITE, WHITE))
    t.dp2(Stream().op("VIEWPORTINFO", (0, 0, 4, 4)).op("RENDERSTATE", (9, 1)))
    s = Stream().op("TRIANGLELIST", fixed=(0,), count=1)
    t.draw(s)
    call = len(t.events) - 1
    t.add("call_result", call=call, ddrval=0x88760BB8, error_offset=0, flags_out=["VIDMEMVERTEXBUF"],
          commands_pointer_out=0x8A003000, vertices_pointer_out=0x8A004000)  # fmt: skip
    t.add("picture", handle=1, rect=[0, 0, 4, 4], format="X8R8G8B8", pitch=16,
          data=blob(checkerboard(4, WHITE, WHITE)))  # fmt: skip
    t.add("present", handle=1)
    t.add("header", generator="make_traces.py", driver_level=7)
    t.add("marker", text="the driver was loaded again: everything is gone")
    t.target(width=4, height=4)
    return t.add("picture", handle=1, pixel_format={"flags": ["RGB"], "bit_count": 32,
                 "red_mask": 0xFF0000, "green_mask": 0xFF00, "blue_mask": 0xFF},
                 data=blob(checkerboard(4, 0, 0))).add("present", handle=1)  # fmt: skip


def kmt_objects():
    """Every event of the kernel interface."""
    packets = Packets("Every event of the kernel interface", 64)
    t = packets.trace
    common = {"process": PROCESS, "status": 0}
    t.add("sync_create", **common, device=DEVICE, sync=0x40000100, info=bytes(68).hex())
    t.add("sync_create", **common, device=DEVICE, sync=0x40000104, type=2)
    t.add("lock", **common, device=DEVICE, allocation=TARGET, flags=["ReadOnly"],
          data_pointer=0x7FFE0000, pages=[0, 2])  # fmt: skip
    t.add("unlock", **common, device=DEVICE, allocations=[TARGET])
    t.add("offer", **common, device=DEVICE, allocations=[TARGET], priority=2)
    t.add("reclaim", **common, device=DEVICE, allocations=[TARGET], discarded=[1])
    t.add("sync_wait", **common, context=CONTEXT, objects=[0x40000100], fence_value=7)
    t.add("sync_signal", **common, context=CONTEXT, objects=[0x40000100, 0x40000104])
    t.add("kmt_context_create", **common, device=DEVICE, context=0x40000044, kind="virtual",
          client_hint=9, private_driver_data=blob(b"driver"), no_patching=True)  # fmt: skip
    t.add("submit_command", **common, commands=0x100000000, command_length=256,
          broadcast_context=[0x40000044], private_driver_data=blob(bytes(8)),
          written_primaries=[TARGET])  # fmt: skip
    t.add("kmt_present", **common, context=CONTEXT, source=TARGET, flags=1,
          dst_rect=[0, 0, 64, 64], src_rect=[0, 0, 64, 64], sub_rects=[[0, 0, 32, 64]],
          present_count=1, queued_present_count=1)  # fmt: skip
    t.add("allocation_create", **common, device=DEVICE, flags=["CreateResource", "CreateShared"],
          resource_out=0x40000200, global_share=0xC0000004,
          allocations=[{"allocation": 0xC0000200, "flags": 1, "system_memory": 0,
                        "private_driver_data": blob(struct.pack("<2I", 64, 64))}],
          private_runtime_data=blob(b"runtime"), private_driver_data=blob(b"driver"))  # fmt: skip
    t.add("resource_open", **common, device=DEVICE, global_share=0xC0000004, resource=0x40000204,
          allocations=[{"allocation": 0xC0000240}])  # fmt: skip
    t.add("allocation_destroy", **common, device=DEVICE, resource=0x40000200)
    t.add("allocation_destroy", **common, device=DEVICE, allocations=[0xC0000240])
    t.add("sync_destroy", **common, sync=0x40000104)
    packets.unbind(3)
    t.add("kmt_context_destroy", **common, context=0x40000044)
    return packets.end()
