#!/usr/bin/env python3
"""Semantic search over dictionary glosses with the official Python client.

  python quickstart.py [URI]      (default http://127.0.0.1:19530)
"""
import base64, json, os, sys
import numpy as np
from pymilvus import DataType, MilvusClient

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "glosses.jsonl")
NAME = "glosses_python"


def load():
    for line in open(DATA, encoding="utf-8"):
        row = json.loads(line)
        row["vector"] = np.frombuffer(base64.b64decode(row["vector"]), dtype="<f2").astype("float32").tolist()
        yield row


def main():
    rows = list(load())
    glosses = [r for r in rows if r.pop("kind") == "gloss"]
    questions = rows[len(glosses):]

    client = MilvusClient(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:19530")
    if client.has_collection(NAME):
        client.drop_collection(NAME)
    schema = client.create_schema()
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("word", DataType.VARCHAR, max_length=128)
    schema.add_field("gloss", DataType.VARCHAR, max_length=512)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=384)
    index = client.prepare_index_params()
    index.add_index("vector", index_type="HNSW", metric_type="COSINE", params={"M": 16, "efConstruction": 200})
    client.create_collection(NAME, schema=schema, index_params=index)
    client.insert(NAME, glosses)

    hits = client.search(NAME, data=[q["vector"] for q in questions], limit=3,
                         output_fields=["word", "gloss"], consistency_level="Strong")
    for question, found in zip(questions, hits):
        print(question["gloss"])
        for hit in found:
            print(f"  {hit['distance']:.3f}  {hit['entity']['word']}: {hit['entity']['gloss']}")
    client.drop_collection(NAME)


if __name__ == "__main__":
    main()
