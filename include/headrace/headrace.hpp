// headrace: fast, checked text input and output for C++17. One include for what most programs use.
// Beside it: columns.hpp, split.hpp, iostreams.hpp, the replace_*.hpp and bench.hpp.
#pragma once

#include "config.hpp"
#include "copy.hpp"
#include "error.hpp"
#include "format.hpp"
#include "parse.hpp"
#include "reader.hpp"
#include "types.hpp"
#include "utf.hpp"
#include "writer.hpp"
