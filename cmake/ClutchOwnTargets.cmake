# Defaults and flags of clutch's own programs (tests, examples, benchmarks); users of the library never get them.
if(PROJECT_IS_TOP_LEVEL)
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
    endif()
    find_program(CLUTCH_CCACHE ccache)
    if(CLUTCH_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${CLUTCH_CCACHE})
    endif()
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
# Clang writes DWARF 5, which the valgrind of Debian 12 cannot read; a test counts instructions with it.
add_compile_options("$<$<AND:$<CXX_COMPILER_ID:Clang>,$<CONFIG:Debug,RelWithDebInfo>>:-gdwarf-4>")

add_library(clutch_warnings INTERFACE)
if(MSVC)
    target_compile_options(clutch_warnings INTERFACE /W4 /permissive- $<$<BOOL:${CLUTCH_WERROR}>:/WX>)
else()
    target_compile_options(clutch_warnings INTERFACE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${CLUTCH_WERROR}>:-Werror>)
endif()
link_libraries(clutch_warnings) # every target from here on

if(CLUTCH_SANITIZE)
    add_compile_options(-fsanitize=${CLUTCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>) # GCC warns falsely in code that it has instrumented
    add_link_options(-fsanitize=${CLUTCH_SANITIZE})
    # CTest reads this file before it runs anything, so every test gets these; what the user has set stands.
    set(suppressions ${PROJECT_SOURCE_DIR}/tests/suppressions)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sanitizer_options.cmake @ONLY CONTENT [[
function(default variable value)
    if(NOT DEFINED ENV{${variable}})
        set(ENV{${variable}} "${value}")
    endif()
endfunction()
default(TSAN_OPTIONS "suppressions=@suppressions@/tsan.txt halt_on_error=1 exitcode=66")
default(ASAN_OPTIONS "detect_leaks=1 detect_stack_use_after_return=1 exitcode=66")
default(LSAN_OPTIONS "suppressions=@suppressions@/lsan.txt print_suppressions=0")
default(UBSAN_OPTIONS "print_stacktrace=1 halt_on_error=1 exitcode=66")
]])
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
        TEST_INCLUDE_FILES ${PROJECT_BINARY_DIR}/sanitizer_options.cmake)
endif()
