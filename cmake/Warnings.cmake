# Warning flags for our own C++ and for the C kernels that end up in users' firmware.
set(INGOT_CXX_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
    -Wold-style-cast -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports its own inlined std::string operations (GCC bug 105651).
  list(APPEND INGOT_CXX_WARNINGS -Wno-restrict)
endif()
# The flags under which generated modules promise to be clean (docs/contributing.md).
set(INGOT_C_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wundef -Wcast-qual)
if(INGOT_WERROR)
  list(APPEND INGOT_CXX_WARNINGS -Werror)
  list(APPEND INGOT_C_WARNINGS -Werror)
endif()
