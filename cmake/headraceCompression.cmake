# headrace::gzip and headrace::zstd: what <headrace/gzip.hpp> and <headrace/zstd.hpp> need, zlib and libzstd. A program
# links one beside headrace::headrace or headrace::header_only. Where the library is not here there is no such target.
if(NOT TARGET headrace::gzip)
  find_package(ZLIB QUIET)
  if(ZLIB_FOUND)
    add_library(headrace::gzip INTERFACE IMPORTED GLOBAL)
    set_target_properties(headrace::gzip PROPERTIES INTERFACE_LINK_LIBRARIES "headrace::header_only;ZLIB::ZLIB")
  endif()
endif()

if(NOT TARGET headrace::zstd)
  find_path(HEADRACE_ZSTD_INCLUDE zstd_errors.h)
  find_library(HEADRACE_ZSTD_LIBRARY NAMES zstd zstd_static)
  mark_as_advanced(HEADRACE_ZSTD_INCLUDE HEADRACE_ZSTD_LIBRARY)
  if(HEADRACE_ZSTD_INCLUDE AND HEADRACE_ZSTD_LIBRARY)
    add_library(headrace::zstd INTERFACE IMPORTED GLOBAL)
    set_target_properties(headrace::zstd PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${HEADRACE_ZSTD_INCLUDE}"
      INTERFACE_LINK_LIBRARIES "headrace::header_only;${HEADRACE_ZSTD_LIBRARY}")
  endif()
endif()
