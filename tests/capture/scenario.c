#include "scenario.h"

static d2c_u8 pixels[200000];
static struct d2c_sub_surface subs[90];
static d2c_u8 index_memory[65536];

static void fill(void) {
  d2c_u32 i;
  d2c_u32 value = 12345;
  for (i = 0; i < sizeof pixels; ++i) {
    value = value * 1103515245u + 12345u;
    pixels[i] = (d2c_u8)(value >> 16 & 0xFF);
  }
  for (i = 0; i < 90; ++i) {
    d2c_u8 *at = (d2c_u8 *)&subs[i];
    size_t k;
    for (k = 0; k < sizeof subs[i]; ++k) at[k] = 0;
    subs[i].handle = 100 + i;
    subs[i].face = i / 15;
    subs[i].level = i % 15;
    subs[i].has_pitch = i & 1;
    subs[i].pitch = 4096u >> (i % 15);
  }
}

static void header(d2c *c) {
  static struct d2c_cap_value caps[2];
  static const d2c_u32 formats[3] = {21, 22, 77};
  struct d2c_header event;
  d2c_header_init(&event);
  event.generator = "scenario.c";
  event.driver_level = 7;
  caps[0].name = "max_texture_width";
  caps[0].value = 2048;
  caps[1].name = "guard_band_left";
  caps[1].value = 0xC47A0000u;
  event.caps = caps;
  event.caps_items = 2;
  event.formats = formats;
  event.formats_items = 3;
  event.raw_caps = d2c_bytes_of(pixels, 212);
  d2c_put_header(c, &event);
}

static void surfaces(d2c *c) {
  struct d2c_surface_create create;
  struct d2c_surface_update update;
  d2c_surface_create_init(&create);
  create.handle = 1;
  create.kind = D2C_SURFACE_KIND_TARGET;
  create.has_pixel_format = 1;
  create.pixel_format.size = 32;
  create.pixel_format.flags = 0x40;
  create.pixel_format.bit_count = 32;
  create.pixel_format.red_mask = 0xFF0000u;
  create.pixel_format.green_mask = 0xFF00u;
  create.pixel_format.blue_mask = 0xFFu;
  create.width = 64;
  create.height = 48;
  create.has_color_key = 1;
  d2c_surface_create(c, &create);
  d2c_surface_create_init(&create);
  create.handle = 99;
  create.caps = 0x1008;
  create.caps2 = 0xFE00u;
  create.format = 21;
  create.width = create.height = 16384;
  create.levels = 15;
  create.faces = 0x3F;
  create.sub_surfaces = subs;
  create.sub_surfaces_items = 90;
  d2c_surface_create(c, &create);
  d2c_surface_update_init(&update);
  update.handle = 1;
  update.has_rect = 1;
  update.rect.left = 8;
  update.rect.right = 40;
  update.rect.bottom = 48;
  update.data = d2c_rows_of(pixels + 32, 128, 48, 256);
  d2c_surface_update(c, &update);
  d2c_surface_update_init(&update);
  update.handle = 99;
  update.level = 6;
  update.data = d2c_bytes_of(pixels, sizeof pixels);
  d2c_surface_update(c, &update);
}

static void call(d2c *c) {
  static const d2c_u8 token[4] = {8, 0, 1, 0};
  static const d2c_u32 state[2] = {7, 1};
  struct d2c_dp2 event;
  struct d2c_bytes records;
  struct d2c_call_result result;
  d2c_dp2_init(&event);
  event.context = d2c_u64_of(0x12, 0x8A001000u);
  event.flags = 1;
  event.vertex_type = 0x44;
  event.vertex_size = 20;
  event.has_vertex_length = 1;
  event.vertex_length = 3;
  event.commands = d2c_bytes_of(token, 4);
  records = d2c_bytes_of(state, 8);
  event.commands.next = &records;
  event.vertices = d2c_bytes_of(pixels, 60);
  d2c_call_result_init(&result);
  result.call = d2c_next_event(c);
  d2c_dp2_call(c, &event);
  result.has_flags_out = 1;
  result.response = d2c_bytes_of(pixels, 5);
  result.raw_out = d2c_bytes_of(pixels, 7);
  result.has_out = 1;
  result.out.command_buffer_size = 4096;
  result.queued_buffer_count = 2;
  result.has_new_command_buffer_out = 1;
  result.new_command_buffer_out = d2c_u64_of(1, 2);
  d2c_call_result(c, &result);
}

static void packet(d2c *c) {
  static const d2c_u32 contexts[3] = {1, 2, 3};
  static struct d2c_allocation_info infos[2];
  struct d2c_render event;
  struct d2c_allocation_create create;
  d2c_render_init(&event);
  event.process = 4711;
  event.context = 0x40000044u;
  event.broadcast_context = contexts;
  event.broadcast_context_items = 3;
  event.broadcast_context_count = 3;
  event.command_buffer = d2c_bytes_of(pixels, 100);
  event.has_status = 1;
  event.has_out = 1;
  event.out.command_buffer = d2c_u64_of(1, 2);
  event.has_dp2_env = 1;
  event.dp2_env.vertices = d2c_bytes_of(pixels, 33);
  event.dp2_env.vertex_source = D2C_VERTEX_SOURCE_INLINE;
  d2c_render(c, &event);
  infos[0].allocation = 1;
  infos[0].model_kind = D2C_BIND_KIND_OTHER;
  infos[1].model_size = d2c_u64_of(0, 64);
  infos[1].private_driver_data = d2c_bytes_of(pixels, 9);
  d2c_allocation_create_init(&create);
  create.allocations = infos;
  create.allocations_items = 2;
  d2c_allocation_create(c, &create);
}

int record_scenario(d2c_write_fn write, void *user, void *buffer, d2c_u32 buffer_size, d2c_u32 flush) {
  static d2c capture;
  static struct d2c_state state;
  static const d2c_u32 viewport[4] = {0, 0, 64, 48};
  static const d2c_u32 states[6] = {7, 1, 9, 2, 22, 3};
  struct d2c_present present;
  struct d2c_picture picture;
  struct d2c_marker marker;
  d2c_u32 frame;
  fill();
  d2c_open(&capture, write, user, buffer, buffer_size, index_memory, sizeof index_memory);
  d2c_set_flush(&capture, flush);
  header(&capture);
  surfaces(&capture);
  d2c_state_init(&state);
  state.context = d2c_u64_of(0x12, 0x8A001000u);
  state.viewport = viewport;
  state.render_states = states;
  state.render_states_count = 3;
  d2c_snapshot_state(&capture, &state);
  for (frame = 0; frame < 20; ++frame) {
    call(&capture);
    packet(&capture);
    d2c_present_init(&present);
    present.handle = 1;
    d2c_present(&capture, &present);
  }
  d2c_picture_init(&picture);
  picture.handle = 1;
  picture.data = d2c_rows_of(pixels + 256 * 47, 256, 48, -256);
  d2c_picture(&capture, &picture);
  d2c_marker_init(&marker);
  marker.text = "text that is no \xFF UTF-8, and some that is: \xC3\xBC";
  marker.has_position = 1;
  d2c_marker(&capture, &marker);
  return d2c_finish(&capture);
}
