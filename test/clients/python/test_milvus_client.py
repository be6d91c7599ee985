"""The server under the unmodified Python client: MilvusClient and ORM. URI names the server."""
import os
import random
import uuid

import pytest
from pymilvus import (Collection, CollectionSchema, DataType, FieldSchema, MilvusClient, MilvusException, connections,
                      utility)

URI = os.environ.get("URI", "http://127.0.0.1:19530")


@pytest.fixture
def client():
    c = MilvusClient(URI)
    yield c
    c.close()


@pytest.fixture
def name(client):
    n = "py" + uuid.uuid4().hex[:12]
    yield n
    if client.has_collection(n):
        client.drop_collection(n)


def build(client, name, index_type="HNSW", metric="L2", params=None):
    schema = client.create_schema(enable_dynamic_field=True)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("flag", DataType.BOOL, nullable=True)
    schema.add_field("small", DataType.INT8, default_value=7)
    schema.add_field("real", DataType.DOUBLE)
    schema.add_field("text", DataType.VARCHAR, max_length=64)
    schema.add_field("doc", DataType.JSON)
    schema.add_field("v", DataType.FLOAT_VECTOR, dim=8)
    index = client.prepare_index_params()
    index.add_index("v", index_type=index_type, metric_type=metric, params=params or {})
    client.create_collection(name, schema=schema, index_params=index, consistency_level="Strong")


def rows(n, seed=3):
    rnd = random.Random(seed)
    return [{"id": i, "flag": None if i % 5 == 0 else i % 2 == 0, "real": i / 3, "text": f"t{i % 10}",
             "doc": {"a": i, "b": {"c": str(i % 3)}}, "extra": i * 2,
             "v": [rnd.random() for _ in range(8)]} for i in range(n)]


def l2(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


@pytest.mark.parametrize("index", [("FLAT", {}), ("HNSW", {"M": 8, "efConstruction": 64}), ("IVF_FLAT", {"nlist": 8}),
                                   ("AUTOINDEX", {})], ids=lambda i: i[0])
def test_search_agrees_with_brute_force(client, name, index):
    build(client, name, index_type=index[0], params=index[1])
    data = rows(2000)
    client.insert(name, data)
    client.flush(name)
    query = [0.5] * 8
    want = [r["id"] for r in sorted(data, key=lambda r: l2(r["v"], query))[:10]]
    hits = client.search(name, data=[query], limit=10, output_fields=["text", "extra"],
                         search_params={"params": {"ef": 200, "nprobe": 8}})[0]
    assert len(set(h["id"] for h in hits) & set(want)) >= 9
    assert hits[0]["entity"]["extra"] == hits[0]["id"] * 2
    few = client.search(name, data=[query, query], limit=5, filter="text == 't3' and extra >= 100",
                        search_params={"params": {"ef": 64}})
    allowed = {r["id"] for r in data if r["text"] == "t3" and r["extra"] >= 100}
    assert len(few) == 2 and all(h["id"] in allowed for h in few[0])


@pytest.mark.parametrize("expr,want", [
    ("id in [1, 3, 5000]", lambda r: r["id"] in (1, 3)),
    ("flag == true", lambda r: r["flag"] is True),
    ("flag is null", lambda r: r["flag"] is None),
    ("real > 3.2 and real <= 4", lambda r: 3.2 < r["real"] <= 4),
    ("text like 't1%'", lambda r: r["text"].startswith("t1")),
    ("not (id > 3)", lambda r: not r["id"] > 3),
    ("id % 7 == 2", lambda r: r["id"] % 7 == 2),
    ('doc["a"] < 4', lambda r: r["doc"]["a"] < 4),
    ('doc["b"]["c"] == "2"', lambda r: r["doc"]["b"]["c"] == "2"),
    ("extra == 10", lambda r: r["extra"] == 10),
    ("small == 7", lambda r: True),
])
def test_filters(client, name, expr, want):
    build(client, name)
    data = rows(200)
    client.insert(name, data)
    got = client.query(name, filter=expr, output_fields=["id"], limit=1000)
    assert sorted(r["id"] for r in got) == sorted(r["id"] for r in data if want(r))


def test_writes_and_counts(client, name):
    build(client, name)
    assert client.insert(name, rows(50))["insert_count"] == 50
    changed = rows(10)
    for r in changed:
        r["text"] = "new"
    assert client.upsert(name, changed)["upsert_count"] == 10
    assert client.query(name, filter="text == 'new'", output_fields=["count(*)"])[0]["count(*)"] == 10
    client.delete(name, ids=[0, 1])
    client.delete(name, filter="id > 39")
    assert client.query(name, filter="", output_fields=["count(*)"])[0]["count(*)"] == 38
    got = client.get(name, ids=[2, 1], output_fields=["*"])
    assert [r["id"] for r in got] == [2] and got[0]["small"] == 7 and got[0]["extra"] == 4


def test_range_search_offset_and_iterators(client, name):
    build(client, name)
    data = rows(600)
    client.insert(name, data)
    query = data[0]["v"]
    near = client.search(name, data=[query], limit=100, search_params={"params": {"radius": 0.5, "range_filter": 0.0}})[0]
    assert near and all(0 <= h["distance"] < 0.5 for h in near)
    whole = [h["id"] for h in client.search(name, data=[query], limit=20, search_params={"params": {"ef": 200}})[0]]
    page = [h["id"] for h in client.search(name, data=[query], limit=10, search_params={"offset": 10, "params": {"ef": 200}})[0]]
    assert page == whole[10:]
    seen, it = [], client.query_iterator(name, batch_size=77, filter="id >= 0", output_fields=["id"])
    while batch := it.next():
        seen += [r["id"] for r in batch]
    it.close()
    assert sorted(seen) == list(range(600))
    found, it = [], client.search_iterator(name, data=[query], batch_size=50, limit=300, search_params={"params": {"ef": 200}})
    while batch := it.next():
        found += [h["id"] for h in batch]
    it.close()
    assert len(found) == len(set(found)) == 300


def test_partitions_aliases_rename(client, name):
    build(client, name)
    client.create_partition(name, "p1")
    client.insert(name, rows(10), partition_name="p1")
    assert client.query(name, filter="", output_fields=["count(*)"], partition_names=["_default"])[0]["count(*)"] == 0
    assert client.query(name, filter="", output_fields=["count(*)"], partition_names=["p1"])[0]["count(*)"] == 10
    assert sorted(client.list_partitions(name)) == ["_default", "p1"]
    alias = name + "_a"
    client.create_alias(name, alias)
    assert client.describe_alias(alias)["collection_name"] == name
    assert len(client.query(alias, filter="id < 3", output_fields=["id"])) == 3
    client.drop_alias(alias)
    client.rename_collection(name, name + "_n")
    assert not client.has_collection(name)
    client.rename_collection(name + "_n", name)


@pytest.mark.parametrize("call,code,text", [
    (lambda c, n: c.insert(n + "x", rows(1)), 100, "can't find collection"),
    (lambda c, n: c.search(n, data=[[0.0] * 8], limit=20000), 1100, "should be in range [1, 16384]"),
    (lambda c, n: c.query(n, filter="nope >", limit=1), 1100, "cannot parse expression"),
    (lambda c, n: c.search(n, data=[[0.0] * 8], limit=1, search_params={"metric_type": "IP"}), 1100, "metric type not match"),
    (lambda c, n: c.create_alias(n + "x", "a1"), 100, "collection not found"),
    (lambda c, n: c.drop_partition(n, "_default"), 1100, "default partition cannot be deleted"),
    (lambda c, n: c.query(n, filter="", output_fields=["id"]), 1100, "empty expression should be used with limit"),
])
def test_mistakes_are_told(client, name, call, code, text):
    build(client, name)
    with pytest.raises(MilvusException) as wrong:
        call(client, name)
    assert wrong.value.code == code and text in str(wrong.value)


def test_orm(name):
    connections.connect("orm", uri=URI)
    schema = CollectionSchema([FieldSchema("k", DataType.VARCHAR, max_length=20, is_primary=True),
                               FieldSchema("v", DataType.FLOAT_VECTOR, dim=4)])
    collection = Collection(name, schema, using="orm", consistency_level="Strong")
    collection.insert([["a", "b", "c"], [[float(i)] * 4 for i in range(3)]])
    collection.flush()
    assert collection.num_entities == 3
    collection.create_index("v", {"index_type": "FLAT", "metric_type": "L2", "params": {}})
    collection.load()
    hits = collection.search([[1.0] * 4], "v", {"metric_type": "L2"}, limit=2)
    assert hits[0].ids[0] == "b"
    assert utility.has_collection(name, using="orm")
    collection.release()
    utility.drop_collection(name, using="orm")
    connections.disconnect("orm")
