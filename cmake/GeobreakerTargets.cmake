# What every library of the project has in common: warnings, the alias, the public headers.
find_package(Threads REQUIRED)

add_library(geobreaker_dev_flags INTERFACE)
target_compile_options(geobreaker_dev_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<BOOL:${GEOBREAKER_WERROR}>:-Werror>)

# geobreaker_add_library(NAME SOURCES file... [HEADERS header...])
# HEADERS are relative to include/ and are installed; SOURCES are relative to the calling folder.
function(geobreaker_add_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS" ${ARGN})
  add_library(geobreaker_${name} ${arg_SOURCES})
  add_library(geobreaker::${name} ALIAS geobreaker_${name})
  list(TRANSFORM arg_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/)
  target_sources(geobreaker_${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${arg_HEADERS})
  target_include_directories(geobreaker_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(geobreaker_${name} PUBLIC cxx_std_20)
  set_target_properties(geobreaker_${name} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(geobreaker_${name} PRIVATE $<BUILD_INTERFACE:geobreaker_dev_flags>)
endfunction()

# geobreaker_add_test(FILE LABEL lib...): one GoogleTest program per test file, named after the file.
# Labels: unit (nothing needed), redis (starts a redis-server), http (local sockets), e2e (whole command).
function(geobreaker_add_test file label)
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE ${ARGN} geobreaker_dev_flags GTest::gmock_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 240)
endfunction()
