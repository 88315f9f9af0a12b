// Who runs this program as a module inside of another one, and how far the module is: the page around an engine. Elsewhere nobody listens.
#pragma once

namespace dp2trace {

// Bytes of the trace that the work on the current question has read, and its size (0: not known). Called after each event.
void OfferProgress(double done, double size);

}  // namespace dp2trace
