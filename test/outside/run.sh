#!/usr/bin/env bash
# The Java example as a project outside of this build, with an empty local repository: as it is, with its dependencies the
# other way round, and without the BOM, which must be refused with a line that says what to do.
set -euo pipefail
home=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

outside() { mvn -B -q -Dmaven.repo.local="$work/m2" "$@"; }
fail() { echo "outside: $1" >&2; cat "$work/out.txt" >&2; exit 1; }
example() { outside -f "$work/examples/java" compile exec:exec >"$work/out.txt" 2>&1; }
answers() { grep -q helicopter "$work/out.txt" && grep -q claustrophobia "$work/out.txt"; }

(cd "$home" && outside -Dfast -DskipTests -pl server -am install)
cp -r "$home/examples" "$work/examples"
pom=$work/examples/java/pom.xml

example && answers || fail "the example does not answer"

python3 - "$pom" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
head, body = text.split("</dependencyManagement>")
one, two = re.findall(r"    <dependency>.*?</dependency>\n", body, re.S)[:2]
body = body.replace(one + two, two + one)
open(sys.argv[1], "w").write(head + "</dependencyManagement>" + body)
PY
example && answers || fail "the example does not answer with the client before Elanus"

python3 - "$pom" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
text = re.sub(r"<dependencyManagement>.*?</dependencyManagement>", "", text, flags=re.S)
text = text.replace("<artifactId>elanus-server</artifactId>", "<artifactId>elanus-server</artifactId><version>0.1.0-SNAPSHOT</version>")
open(sys.argv[1], "w").write(text)
PY
if example; then fail "an older protobuf was accepted"; fi
grep -q "import io.elanus:elanus-bom" "$work/out.txt" || fail "an older protobuf is not explained"
echo "outside: the example answers in both orders; an older protobuf is refused"
