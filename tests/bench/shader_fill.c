/* Full-screen fragment shaders (shader_scenes.py) on Mesa's llvmpipe through OSMesa: Mpixel/s of each, one line a file.
 * build: cc -O2 shader_fill.c -lOSMesa -o shader_fill; run: LP_NUM_THREADS=N GALLIUM_DRIVER=llvmpipe ./shader_fill SCENE.glsl... */
#include <GL/osmesa.h>

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 1024, HEIGHT = 1024, QUADS = 16, RUNS = 5 };

#define FUNCTION(type, name) type name = (type)OSMesaGetProcAddress(#name)

static double Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void DrawQuads(int count) {
  for (int i = 0; i < count; ++i) {
    glBegin(GL_TRIANGLE_STRIP);
    for (int corner = 0; corner < 4; ++corner) {
      const float x = (float)(corner & 1);
      const float y = (float)(corner >> 1);
      glColor4f(1, x, y, 0.5f);
      glVertex3f(x * 2 - 1, y * 2 - 1, 0);
    }
    glEnd();
  }
  glFinish();
}

static char* ReadFile(const char* path) {
  static char text[1 << 16];
  FILE* const file = fopen(path, "rb");
  if (file == NULL) return NULL;
  text[fread(text, 1, sizeof(text) - 1, file)] = 0;
  fclose(file);
  return text;
}

/* 0: it does not compile. */
static GLuint UseShader(const char* path) {
  FUNCTION(PFNGLCREATESHADERPROC, glCreateShader);
  FUNCTION(PFNGLSHADERSOURCEPROC, glShaderSource);
  FUNCTION(PFNGLCOMPILESHADERPROC, glCompileShader);
  FUNCTION(PFNGLCREATEPROGRAMPROC, glCreateProgram);
  FUNCTION(PFNGLATTACHSHADERPROC, glAttachShader);
  FUNCTION(PFNGLLINKPROGRAMPROC, glLinkProgram);
  FUNCTION(PFNGLGETPROGRAMIVPROC, glGetProgramiv);
  FUNCTION(PFNGLUSEPROGRAMPROC, glUseProgram);
  FUNCTION(PFNGLGETUNIFORMLOCATIONPROC, glGetUniformLocation);
  FUNCTION(PFNGLUNIFORM4FPROC, glUniform4f);
  const GLchar* text = ReadFile(path);
  if (text == NULL || glCreateShader == NULL) return 0;
  const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  const GLuint program = glCreateProgram();
  glAttachShader(program, shader);
  glLinkProgram(program);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (!linked) return 0;
  glUseProgram(program);
  glUniform4f(glGetUniformLocation(program, "c0"), 0.75f, 0.5f, 0.625f, 0.875f);
  glUniform4f(glGetUniformLocation(program, "c1"), 0.125f, 0.25f, 0.375f, 0.0625f);
  glUniform4f(glGetUniformLocation(program, "c2"), 1.5f, 1.25f, 1.75f, 2.0f);
  return program;
}

int main(int argc, char** argv) {
  OSMesaContext context = OSMesaCreateContextExt(OSMESA_BGRA, 24, 8, 0, NULL);
  unsigned char* const pixels = malloc((size_t)WIDTH * HEIGHT * 4);
  if (context == NULL || pixels == NULL ||
      !OSMesaMakeCurrent(context, pixels, GL_UNSIGNED_BYTE, WIDTH, HEIGHT))
    return 1;
  for (int i = 1; i < argc; ++i) {
    if (UseShader(argv[i]) == 0) return 1;
    DrawQuads(4);
    double best = 1e9;
    for (int run = 0; run < RUNS; ++run) {
      const double start = Now();
      DrawQuads(QUADS);
      const double seconds = Now() - start;
      if (seconds < best) best = seconds;
    }
    printf("%.1f\n", (double)QUADS * WIDTH * HEIGHT / best / 1e6);
  }
  return 0;
}
