#!/usr/bin/env bash
# Semantic search over dictionary glosses with curl (REST v2).   quickstart.sh [URI]   (default http://127.0.0.1:19530)
set -euo pipefail
uri=${1:-http://127.0.0.1:19530}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Reshape the sample into request bodies: batches of rows, and one body a question.
python3 - "$here/../data/glosses.jsonl" "$work" <<'PY'
import base64, json, struct, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
for row in rows:
    row["vector"] = struct.unpack("<384e", base64.b64decode(row["vector"]))
glosses = [{k: r[k] for k in ("id", "word", "gloss", "vector")} for r in rows if r["kind"] == "gloss"]
for i in range(0, len(glosses), 1000):
    json.dump({"collectionName": "glosses_curl", "data": glosses[i:i + 1000]}, open(f"{sys.argv[2]}/insert{i // 1000}.json", "w"))
for i, row in enumerate(r for r in rows if r["kind"] == "question"):
    body = {"collectionName": "glosses_curl", "data": [row["vector"]], "limit": 3, "outputFields": ["word", "gloss"], "consistencyLevel": "Strong"}
    json.dump(body, open(f"{sys.argv[2]}/search{i}.json", "w"))
    open(f"{sys.argv[2]}/search{i}.txt", "w").write(row["gloss"])
PY

post() { # ROUTE BODY
  local reply
  reply=$(curl -sS -X POST "$uri/v2/vectordb/$1" -H 'Content-Type: application/json' -d "$2")
  case $reply in '{"code":0,'*) echo "$reply" ;; *) echo "$1 failed: $reply" >&2; return 1 ;; esac
}

post collections/drop '{"collectionName":"glosses_curl"}' >/dev/null
post collections/create '{"collectionName":"glosses_curl","dimension":384,"metricType":"COSINE"}' >/dev/null
for file in "$work"/insert*.json; do post entities/insert "@$file" >/dev/null; done
for file in "$work"/search*.json; do
  cat "${file%.json}.txt"; echo
  post entities/search "@$file" | python3 -c '
import json, sys
for row in json.load(sys.stdin)["data"]:
    print("  %.3f  %s: %s" % (row["distance"], row["word"], row["gloss"]))'
done
post collections/drop '{"collectionName":"glosses_curl"}' >/dev/null
