// headrace: fast, checked text input and output for C++17. One include for all of it but bench.hpp.
#pragma once

#include "config.hpp"
#include "copy.hpp"
#include "error.hpp"
#include "file.hpp"
#include "format.hpp"
#include "format_float.hpp"
#include "parse.hpp"
#include "parse_float.hpp"
#include "powers.hpp"
#include "reader.hpp"
#include "simd.hpp"
#include "types.hpp"
#include "utf.hpp"
#include "writer.hpp"
