// Options of `golden check` about another renderer.
#pragma once

#include "arguments.h"
#include "golden/own_pictures.h"

namespace dp2trace::app {

// --pictures, --run, --tolerance, --max-pixels
void AddOwnRenderer(Verb& command, golden::OwnPictures& own);
// False after a line that says what they lack.
bool CheckOwnRenderer(const golden::OwnPictures& own);

}  // namespace dp2trace::app
