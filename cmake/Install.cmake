# cmake --install: program, library, header, CMake package, pkg-config file and man page.
include(CMakePackageConfigHelpers)

install(TARGETS ingot_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ingot EXPORT ingotTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/ingot/ingot.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ingot)
install(FILES ${PROJECT_SOURCE_DIR}/docs/ingot.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The library has no public dependency, so the export file is the package itself.
install(EXPORT ingotTargets FILE ingotConfig.cmake NAMESPACE ingot::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ingot)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ingotConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ingotConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ingot)

configure_file(${PROJECT_SOURCE_DIR}/cmake/ingot.pc.in ${PROJECT_BINARY_DIR}/ingot.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ingot.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
