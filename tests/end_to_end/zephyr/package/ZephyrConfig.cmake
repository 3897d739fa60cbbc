# Stand-in for Zephyr's package: the configuration is made already (DOT_CONFIG, AUTOCONF), modules
# come from EXTRA_ZEPHYR_MODULES, and the application's sources go to the library app.
project(zephyr-stand-in LANGUAGES C)
get_filename_component(stand_in ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
include(${DOT_CONFIG})
include(${stand_in}/stand_in.cmake)
target_include_directories(zephyr_interface INTERFACE ${stand_in}/include)
target_compile_options(zephyr_interface INTERFACE -imacros ${AUTOCONF} -Wall -Wextra -Werror)

add_library(app STATIC)
target_link_libraries(app PUBLIC zephyr_interface)
foreach(module IN LISTS EXTRA_ZEPHYR_MODULES)
  get_filename_component(name ${module} NAME)
  add_subdirectory(${module}/zephyr modules/${name})
endforeach()
stand_in_finish()

add_executable(zephyr_final ${stand_in}/printk.c)
get_property(libraries GLOBAL PROPERTY ZEPHYR_LIBS)
target_link_libraries(zephyr_final PRIVATE app ${libraries})
