# ingot_room(NAME [USES room...] [LIBS target...]): one folder below src/ as one static library.
# Every .cpp file in the folder belongs to it, so that a new operator or pass is one new file.
function(ingot_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBS;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  add_library(ingot_${name} STATIC ${sources} ${ROOM_SOURCES})
  target_include_directories(ingot_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(ingot_${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${INGOT_CXX_WARNINGS}>)
  set_target_properties(ingot_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
                        LINKER_LANGUAGE CXX)
  foreach(room IN LISTS ROOM_USES)
    target_link_libraries(ingot_${name} PUBLIC ingot_${room})
  endforeach()
  target_link_libraries(ingot_${name} PUBLIC ${ROOM_LIBS})
  set_property(GLOBAL APPEND PROPERTY INGOT_ROOMS ingot_${name})
endfunction()
