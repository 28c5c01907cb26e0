# headrace::module, for `import headrace;`: compiled by the project that uses it, with its flags, standard library and
# standard. HEADRACE_MODULE_FOLDER has headrace.cppm, and headrace.cpp, which is compiled with it;
# headrace_module_problem says what is in the way, or is empty.
set(headrace_module_problem "")
set(headrace_module_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(CMAKE_VERSION VERSION_LESS 3.28)
  set(headrace_module_problem "headrace::module needs CMake 3.28 or newer; this is ${CMAKE_VERSION}")
elseif(NOT CMAKE_GENERATOR MATCHES "Ninja|Visual Studio")
  set(headrace_module_problem "headrace::module needs the generator Ninja (-G Ninja); this is ${CMAKE_GENERATOR}")
elseif(headrace_module_compiler MATCHES "^GNU"  # 14 and 15 drop `target` attributes in modules, and crash
    OR headrace_module_compiler MATCHES "^Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  set(headrace_module_problem
    "headrace::module needs clang++ 16 or newer; ${CMAKE_CXX_COMPILER} is ${headrace_module_compiler}")
elseif(NOT TARGET headrace::module)
  add_library(headrace_module STATIC EXCLUDE_FROM_ALL)
  add_library(headrace::module ALIAS headrace_module)
  target_sources(headrace_module PUBLIC FILE_SET CXX_MODULES
    BASE_DIRS ${HEADRACE_MODULE_FOLDER} FILES ${HEADRACE_MODULE_FOLDER}/headrace.cppm)
  target_compile_features(headrace_module PUBLIC cxx_std_20)
  target_sources(headrace_module PRIVATE ${HEADRACE_MODULE_FOLDER}/headrace.cpp)
  target_compile_definitions(headrace_module PUBLIC HEADRACE_COMPILED=1)
  target_link_libraries(headrace_module PUBLIC headrace::header_only)
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(headrace_module PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endif()
