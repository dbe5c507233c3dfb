#!/bin/sh
# Counts the instructions of one warm launch with callgrind, exactly: those of a run with 10 000 launches more than
# another's, divided by 10 000.
#   instructions.sh PROGRAM CONTENDER...
# PROGRAM is launch_instructions. Run it on the test driver (OCL_ICD_VENDORS). Prints a line for each contender, fields
# separated by tabs: its name; the instructions of the library that is measured, with what it uses of the C and C++
# libraries; those of the ICD loader and the driver.
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Runs so many launches; prints the instructions in all, and those spent inside calls of the loader from outside it.
# In callgrind's file, "ob=" says whose code the lines below are, and a "calls=" line that comes with "cob=" is a call
# into another library: the line after it ends with what the call cost, all that it called included. A name stands at
# its first mention only, behind a number that stands for it later.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$program" "$1" "$2" >"$folder/log" 2>&1 || {
        cat "$folder/log" >&2
        return 1
    }
    awk '
        function object(text,   number) {
            number = text
            sub(/\).*/, "", number)
            if (text ~ /\) ./)
                is_loader[number] = text ~ /libOpenCL/
            return is_loader[number]
        }
        /^ob=/ { inside = object(substr($0, 4)); next }
        /^cob=/ { into = object(substr($0, 5)); next }
        /^calls=/ { getline; if (into && !inside) loader += $NF; into = 0; next }
        /^(summary|totals):/ { all = $2 }
        END { printf "%.0f %.0f\n", all, loader }
    ' "$folder/out"
}

for contender; do
    few=$(count "$contender" 1000)
    many=$(count "$contender" 11000)
    echo "$contender $few $many" |
        awk '{ driver = ($5 - $3) / 10000; printf "%s\t%.4g\t%.4g\n", $1, ($4 - $2) / 10000 - driver, driver }'
done
