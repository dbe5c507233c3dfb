# The install target: headers, and the package that find_package(clutch) reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/clutch)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/clutch DESTINATION include FILES_MATCHING PATTERN "*.hpp")
install(TARGETS clutch EXPORT clutchTargets)
install(EXPORT clutchTargets NAMESPACE clutch:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clutchConfigVersion.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/clutchConfig.cmake ${PROJECT_BINARY_DIR}/clutchConfigVersion.cmake
    DESTINATION ${package_dir})
