# Copies the headers FROM a folder TO another, as those of another version.
file(REMOVE_RECURSE ${TO})
file(COPY ${FROM}/ DESTINATION ${TO})
file(READ ${TO}/headrace/config.hpp text)
string(REGEX REPLACE "HEADRACE_ABI v[0-9]+" "HEADRACE_ABI v99" changed "${text}")
if(changed STREQUAL text)
  message(FATAL_ERROR "config.hpp defines HEADRACE_ABI in another way")
endif()
file(WRITE ${TO}/headrace/config.hpp "${changed}")
