// The header that tests share is compiled with this file: see tests/CMakeLists.txt.
