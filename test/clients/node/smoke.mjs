// The server under the unmodified Node client:   node smoke.mjs HOST:PORT
import assert from 'node:assert/strict';
import { DataType, MilvusClient } from '@zilliz/milvus2-sdk-node';

const client = new MilvusClient({ address: process.argv[2] ?? '127.0.0.1:19530' });
const name = `node_${Date.now()}`;
const ok = (reply) => {
  const status = reply.status ?? reply;
  assert.equal(status.error_code, 'Success', JSON.stringify(status));
  return reply;
};

await client.connectPromise;
ok(await client.createCollection({
  collection_name: name,
  fields: [
    { name: 'id', data_type: DataType.Int64, is_primary_key: true },
    { name: 'word', data_type: DataType.VarChar, max_length: 32 },
    { name: 'v', data_type: DataType.FloatVector, dim: 4 },
  ],
  index_params: [{ field_name: 'v', index_type: 'HNSW', metric_type: 'L2', params: { M: 8, efConstruction: 64 } }],
}));
ok(await client.loadCollection({ collection_name: name }));
const rows = Array.from({ length: 100 }, (_, i) => ({ id: i, word: `w${i % 5}`, v: [i, 0, 0, 1] }));
assert.equal(ok(await client.insert({ collection_name: name, data: rows })).insert_cnt, '100');
const found = ok(await client.search({
  collection_name: name, data: [42, 0, 0, 1], limit: 3, output_fields: ['id', 'word'], filter: 'id >= 40', consistency_level: 'Strong',
}));
assert.equal(String(found.results[0].id), '42');
assert.equal(found.results[0].word, 'w2');
ok(await client.delete({ collection_name: name, filter: 'id in [42]' }));
const left = ok(await client.query({ collection_name: name, filter: "word == 'w2'", output_fields: ['id'], consistency_level: 'Strong' }));
assert.equal(left.data.length, 19);
ok(await client.dropCollection({ collection_name: name }));
await client.closeConnection();
console.log('node client: ok');
