# Installing: every public library with its headers, one export set, one .pc file and one install component each, so that
# `cmake --install BUILD --component breaker` gives a tree that needs nothing but the standard library.
# config, assembly and batch are parts of the command, not of the library's promise: they are linked into it, not installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(geobreaker_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/geobreaker)

# The way from the folder of the .pc files up to the prefix: they must work wherever the tree is put.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(geobreaker_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH geobreaker_pc_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" geobreaker_pc_up "${geobreaker_pc_up}")
  set(geobreaker_pc_prefix "\${pcfiledir}/${geobreaker_pc_up}")
endif()
# Either may be absolute; then it stands as it is.
foreach(folder LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE ${CMAKE_INSTALL_${folder}})
    set(geobreaker_pc_${folder} ${CMAKE_INSTALL_${folder}})
  else()
    set(geobreaker_pc_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
  endif()
endforeach()

# geobreaker_install_library(NAME DESCRIPTION [REQUIRES pc-module...] [PRIVATE_REQUIRES pc-module...] [PRIVATE_LIBS flag...])
# What is private is still to be linked by whoever links a static library: then it is required of everybody.
function(geobreaker_install_library name description)
  cmake_parse_arguments(arg "" "" "REQUIRES;PRIVATE_REQUIRES;PRIVATE_LIBS" ${ARGN})
  set(target geobreaker_${name})

  # A header-only library that is used privately leaves nothing to link, so the package need not look for it.
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  list(REMOVE_ITEM links "$<LINK_ONLY:Boost::headers>")
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

  install(TARGETS ${target} EXPORT geobreaker-${name}-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${name})
  install(EXPORT geobreaker-${name}-targets NAMESPACE geobreaker:: DESTINATION ${geobreaker_cmake_dir} COMPONENT ${name})

  set(pc_name ${name})
  set(pc_description "${description}")
  set(pc_requires ${arg_REQUIRES})
  set(pc_requires_private ${arg_PRIVATE_REQUIRES})
  set(pc_libs ${arg_PRIVATE_LIBS})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    list(APPEND pc_requires ${pc_requires_private})
    set(pc_requires_private "")
  endif()
  foreach(list pc_requires pc_requires_private pc_libs)
    string(REPLACE ";" " " ${list} "${${list}}")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/geobreaker.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/geobreaker-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/geobreaker-${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${name})
endfunction()

geobreaker_install_library(breaker "A circuit breaker: the standard library and threads only" PRIVATE_LIBS -pthread)
if(GEOBREAKER_WITH_REDIS)
  geobreaker_install_library(redis "The store that a fleet shares, in Redis"
    REQUIRES geobreaker-breaker PRIVATE_REQUIRES hiredis)
endif()
if(GEOBREAKER_WITH_GEOCODE)
  # Boost's headers, which several of these need, have no .pc file; they are found where the compiler looks.
  geobreaker_install_library(geocode "The words of geocoding and the contract of a provider"
    REQUIRES geobreaker-breaker PRIVATE_REQUIRES icu-uc)
  geobreaker_install_library(http "HTTP requests as coroutines, on curl"
    REQUIRES geobreaker-breaker PRIVATE_REQUIRES libcurl)
  geobreaker_install_library(gazetteer "The built-in gazetteer: towns of the whole world"
    REQUIRES geobreaker-geocode)
  geobreaker_install_library(nominatim "The adapter for Nominatim servers"
    REQUIRES geobreaker-geocode geobreaker-http PRIVATE_REQUIRES simdjson)
  geobreaker_install_library(stack "Call stack and fallback chain around a provider"
    REQUIRES geobreaker-geocode)

  install(TARGETS geobreaker RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  # The gazetteer's data are in the program and in its library; their licence goes wherever they go.
  foreach(component command gazetteer)
    install(FILES ${PROJECT_SOURCE_DIR}/data/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
  install(FILES ${PROJECT_SOURCE_DIR}/examples/geobreaker.toml
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT command)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/geobreaker-config.cmake.in
  ${PROJECT_BINARY_DIR}/geobreaker-config.cmake
  INSTALL_DESTINATION ${geobreaker_cmake_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change what is there.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geobreaker-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geobreaker-config.cmake ${PROJECT_BINARY_DIR}/geobreaker-config-version.cmake
  DESTINATION ${geobreaker_cmake_dir} COMPONENT breaker)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT breaker)
