# Checks a program that must not compile, and that it fails for the reason it gives:
#
#   // expect: Local<T> takes local<T>\(count\)
#   #ifdef CLUTCH_ACCEPT
#   ...the corrected line...
#   #else
#   ...the wrong line...
#   #endif
#
# With CLUTCH_ACCEPT defined it compiles. Without, it does not, and the compiler's first line with "error:" matches every
# `expect` regular expression (CMake's kind).
#
#   cmake -D SOURCE=... -D COMPILER=... -D INCLUDES=... -P CheckRejected.cmake
cmake_minimum_required(VERSION 3.22)

file(STRINGS ${SOURCE} expectations REGEX "^// expect: ")
if(NOT expectations)
    message(FATAL_ERROR "${SOURCE} has no line that begins with '// expect: '")
endif()
list(TRANSFORM INCLUDES PREPEND -I)
set(compile ${COMPILER} -std=c++20 -fsyntax-only ${INCLUDES} ${SOURCE})

execute_process(COMMAND ${compile} -DCLUTCH_ACCEPT RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "The corrected program does not compile:\n${output}")
endif()

execute_process(COMMAND ${compile} RESULT_VARIABLE result ERROR_VARIABLE output)
if(result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} compiles, but must not")
endif()
if(NOT output MATCHES "[^\n]*error:[^\n]*")
    message(FATAL_ERROR "The compiler gave no error line:\n${output}")
endif()
set(error "${CMAKE_MATCH_0}")
foreach(expectation IN LISTS expectations)
    string(REPLACE "// expect: " "" regex "${expectation}")
    if(NOT error MATCHES "${regex}")
        message(FATAL_ERROR "The first error is\n  ${error}\nand does not match\n  ${regex}\nThe whole output:\n${output}")
    endif()
endforeach()
message("${error}")
