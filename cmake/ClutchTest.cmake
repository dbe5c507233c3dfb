# Helpers that make tests. Every Catch2 TEST_CASE is one CTest test, named FOLDER.CASE; a test that ends with Catch2's
# SKIP(reason), or prints a line "SKIPPED: reason", counts as skipped in CTest's summary.
#
#   clutch_add_host_test(NAME SOURCE...)      needs no driver
#   clutch_add_driver_test(NAME SOURCE...)    runs on the test driver of tests/driver/
#   clutch_add_device_test(NAME SOURCE... [ALL_DEVICES SPEC])
#       runs on PoCL's basic device, which works in the calling thread; the test cases that match SPEC (a Catch2 tag) run
#       on the machine's default device too
#   clutch_skip_test(NAME REASON)             stands in for a test that cannot be built here
#
# The first three also take LIBRARIES TARGET..., ENVIRONMENT VARIABLE=VALUE..., and TIMEOUT SECONDS, and make an executable
# test_NAME.

find_package(Catch2 QUIET)
if(NOT Catch2_FOUND)
    message(FATAL_ERROR "clutch: the tests need Catch2, version 2 or 3. Install it (Debian and Ubuntu: catch2) or set "
        "CLUTCH_BUILD_TESTS=OFF.")
endif()
list(APPEND CMAKE_MODULE_PATH ${Catch2_DIR})
include(Catch)
set(CMAKE_CATCH_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST) # Catch2 2 does not know it and asks the test right after its build

# Turns the test cases of an executable into CTest tests with these properties. They go through a file of our own, since
# PROPERTIES of catch_discover_tests breaks values that are lists.
function(clutch_discover_tests TARGET PREFIX)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "LABEL;TIMEOUT" "SPEC;ENVIRONMENT")
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    string(MAKE_C_IDENTIFIER tests_${PREFIX} list)
    catch_discover_tests(${TARGET} TEST_PREFIX ${PREFIX}. TEST_SPEC ${arg_SPEC} TEST_LIST ${list})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${list}_properties.cmake)
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
foreach(test IN LISTS @list@)
    set_tests_properties("${test}" PROPERTIES LABELS "@arg_LABEL@" ENVIRONMENT "@arg_ENVIRONMENT@" TIMEOUT @arg_TIMEOUT@
        SKIP_RETURN_CODE 4 SKIP_REGULAR_EXPRESSION "(^|\n)SKIPPED: ")
endforeach()
]])
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${file})
endfunction()

function(clutch_add_test_executable TARGET)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    add_executable(${TARGET} ${arg_SOURCES})
    target_link_libraries(${TARGET} PRIVATE clutch_test_main clutch_heap ${arg_LIBRARIES})
    target_precompile_headers(${TARGET} REUSE_FROM clutch_test_main)
endfunction()

function(clutch_add_host_test NAME)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBRARIES;ENVIRONMENT")
    clutch_add_test_executable(test_${NAME} SOURCES ${arg_UNPARSED_ARGUMENTS} LIBRARIES ${arg_LIBRARIES})
    clutch_discover_tests(test_${NAME} ${NAME} LABEL host TIMEOUT ${arg_TIMEOUT} ENVIRONMENT ${arg_ENVIRONMENT})
endfunction()

function(clutch_add_driver_test NAME)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBRARIES;ENVIRONMENT")
    clutch_add_test_executable(test_${NAME} SOURCES ${arg_UNPARSED_ARGUMENTS}
        LIBRARIES clutch_test_driver_control ${arg_LIBRARIES})
    add_dependencies(test_${NAME} clutch_test_driver)
    clutch_discover_tests(test_${NAME} ${NAME} LABEL driver TIMEOUT ${arg_TIMEOUT}
        ENVIRONMENT OCL_ICD_VENDORS=${CLUTCH_TEST_DRIVER_VENDORS} ${arg_ENVIRONMENT})
endfunction()

function(clutch_add_device_test NAME)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT;ALL_DEVICES" "LIBRARIES;ENVIRONMENT")
    clutch_add_test_executable(test_${NAME} SOURCES ${arg_UNPARSED_ARGUMENTS} LIBRARIES ${arg_LIBRARIES})
    clutch_discover_tests(test_${NAME} ${NAME}@basic LABEL device TIMEOUT ${arg_TIMEOUT}
        ENVIRONMENT POCL_DEVICES=basic CLUTCH_DEVICE=cpu ${arg_ENVIRONMENT})
    if(arg_ALL_DEVICES)
        clutch_discover_tests(test_${NAME} ${NAME}@default SPEC ${arg_ALL_DEVICES} LABEL device TIMEOUT ${arg_TIMEOUT}
            ENVIRONMENT ${arg_ENVIRONMENT})
    endif()
endfunction()

function(clutch_skip_test NAME REASON)
    message(STATUS "clutch: test ${NAME} is skipped: ${REASON}")
    add_test(NAME ${NAME} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: ${REASON}")
    set_tests_properties(${NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "^SKIPPED: ")
endfunction()
