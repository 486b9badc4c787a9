#!/usr/bin/env bash
# fuzz.sh [TIME [DIR...]]: runs every fuzzer in the DIRs (all of the module's) for TIME (60s), one after
# the other. What one finds it leaves in testdata/fuzz beside the test, where go test runs it ever after.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
time=${1:-60s}
shift || true
dirs=("$@")
((${#dirs[@]})) || mapfile -t dirs < <(grep -rl --include='*_test.go' '^func Fuzz' astedit lsp pending cmd | xargs -n1 dirname | sort -u)

for dir in "${dirs[@]}"; do
  grep -ho '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | sed 's/func //' | while read -r fuzzer; do
    echo "$dir $fuzzer $time"
    go test "./$dir" -run '^$' -fuzz "^$fuzzer\$" -fuzztime "$time" -fuzzminimizetime 5s </dev/null | tail -n 5
  done
done
