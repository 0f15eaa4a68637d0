#!/usr/bin/env bash
# Measures how many faults the fast tests find: Stryker changes the sources at each Nth place and runs the tests that execute it. Works in a copy of a
# commit, by default HEAD, so that two commits can be compared. Usage: test/mutation/run.sh [REV] [EVERY] [PATTERN…]; EVERY=1 takes all places.
set -euo pipefail
cd "$(dirname "$0")/../.."
rev=${1:-HEAD} every=${2:-7}
shift $(($# < 2 ? $# : 2))
patterns=("$@")
[[ $# -gt 0 ]] || patterns=('src/contract/*.ts' 'src/domain/*.ts' 'src/state/*.ts' 'src/http/{stages,handlers,body,tokens,locate,response}.ts')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive "$rev" | tar --extract --directory "$folder"
mkdir -p "$folder/test/mutation"
cp test/mutation/*.{ts,mjs} "$folder/test/mutation"
report=$PWD/mutation-$(git rev-parse --short "$rev").json
cd "$folder"
npm ci --no-audit --no-fund --loglevel=error
# Not among the project's dependencies, because only this script uses them. Later versions need Node 22.
npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1
node test/mutation/sample.mjs "$every" "$report" "${patterns[@]}"
