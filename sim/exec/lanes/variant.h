// SPDX-License-Identifier: MIT
// The sources of this folder are compiled more than once, for processors with more and fewer instructions (see
// CMakeLists.txt), each time into a namespace of its own. Inline functions of other headers that they call have to be
// small enough to disappear into their callers.
#pragma once

#ifndef GPUSIM_LANES
#define GPUSIM_LANES baseline
#endif
