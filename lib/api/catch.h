// Nothing is thrown through the C interface.
#pragma once

#include <new>

#include "api/dp2trace.h"

namespace dp2trace::api {

// What a function returns that makes something; an exception becomes its number.
template <class F>
int Catch(const F& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return DP2TRACE_E_MEMORY;
  } catch (...) {
    return DP2TRACE_E_INTERNAL;
  }
}

}  // namespace dp2trace::api
