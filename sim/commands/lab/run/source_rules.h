// SPDX-License-Identifier: MIT
// What CUDA of a student may say to the compiler. A compiler shows lines of the files that it reads, and so could tell
// whoever reads the results what stands in a file of the machine. So a source may name none.
#pragma once

#include <string>
#include <string_view>

namespace gpusim::lab {

/// Throws InputError about `file`, with all problems: directives other than those of macros and conditions, #include
/// <...> of the compiler's own headers, #error, #pragma once and unroll; questions for files; and what preprocessors
/// could read in another way: raw strings, digits with ' between them, quotes without their partner, trigraphs. Where
/// it throws nothing, the compiler reads no file but this one and its own headers.
void require_own_text(std::string_view text, const std::string& file);

}  // namespace gpusim::lab
