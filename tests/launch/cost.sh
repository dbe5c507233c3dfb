#!/bin/sh
# A warm launch with two arguments executes at most 30 instructions more than the bare calls with error checks.
#   cost.sh INSTRUCTIONS.SH LAUNCH_INSTRUCTIONS     both of bench/
set -eu
"$1" "$2" bare/2 clutch/2 | awk '
    { print $1 ": " $2 " instructions a launch"; cost[$1] = $2 }
    END { exit !(cost["bare/2"] > 0 && cost["clutch/2"] > 0 && cost["clutch/2"] - cost["bare/2"] <= 30) }'
