// headrace: fast, checked text input and output for C++17. One include for what most programs use.
// Beside it: columns.hpp, split.hpp, iostreams.hpp, the replace_*.hpp and bench.hpp.
#pragma once

#include "config.hpp"
#include "error.hpp"
#include "format.hpp"
#include "parse.hpp"
#include "reader.hpp"
#include "types.hpp"
#include "utf.hpp"
#include "writer.hpp"
#if __has_include("copy.hpp")  // `headrace bundle --without copy` leaves it out
#include "copy.hpp"
#else
#include "detail/without_copy.hpp"
#endif
