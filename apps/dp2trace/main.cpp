// dp2trace: replays and validates traces of the Direct3D 6-9 driver interface.
#include "program.h"

int main(int argc, char** argv) {
  return dp2trace::app::RunProgram(argc, argv);
}
