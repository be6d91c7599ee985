#!/usr/bin/env python3
"""hnswlib as the peer of io.elanus.bench.index.VectorIndexBench.

  python hnswlib_peer.py FOLDER ROWS QUERIES METRIC M EFC THREADS [SAVED]

Prints a ready line, then answers each line `ef` with `recall qps`; QPS is per CPU second, one thread.
With SAVED the graph is loaded from that file when it exists, and saved there otherwise.
"""
import os, sys, time
import numpy as np
import hnswlib

folder, rows, nq, metric, m, efc, threads = sys.argv[1:8]
saved = sys.argv[8] if len(sys.argv) > 8 else ""
rows, nq, m, efc, threads = int(rows), int(nq), int(m), int(efc), int(threads)
base = np.load(os.path.join(folder, "base.npy"))[:rows]
q = np.load(os.path.join(folder, "queries.npy"))[:nq]
space = {"L2": "l2", "IP": "ip", "COSINE": "cosine"}[metric]
index = hnswlib.Index(space=space, dim=base.shape[1])
t, c = time.time(), time.process_time()
if saved and os.path.exists(saved):
    index.load_index(saved, max_elements=rows)
    note = "loaded"
else:
    index.init_index(max_elements=rows, M=m, ef_construction=efc, random_seed=7)
    index.add_items(base, num_threads=threads)
    note = "build cpu %.1f s wall %.1f s" % (time.process_time() - c, time.time() - t)
    if saved:
        index.save_index(saved)
index.set_num_threads(1)
k = 10
b = base / np.linalg.norm(base, axis=1, keepdims=True) if metric == "COSINE" else base
truth = []
for s in range(0, nq, 100):
    sc = q[s:s + 100] @ b.T
    if metric == "L2":
        sc = 2 * sc - (b * b).sum(1)
    truth += [set(r) for r in np.argpartition(-sc, k, axis=1)[:, :k].tolist()]
print("ready", note, flush=True)
for line in sys.stdin:
    index.set_ef(max(k, int(line)))
    c = time.process_time()
    ids, _ = index.knn_query(q, k=k, num_threads=1)
    c = time.process_time() - c
    hit = sum(len(t & set(r)) for t, r in zip(truth, ids.tolist()))
    print("%.5f %.1f" % (hit / (k * nq), nq / c), flush=True)
