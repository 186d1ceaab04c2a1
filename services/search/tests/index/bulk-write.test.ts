import { Client } from '@elastic/elasticsearch';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bulkWrite } from '../../src/index/bulk-write.ts';
import { createDocumentStore } from '../../src/index/document-store.ts';

type Item = readonly [id: number, status: number];

let close: () => Promise<void>;
afterEach(() => close());

/** An engine that answers each request with the next statuses by id (default 201); a number is the status of the whole request. */
async function engineOf(answers: readonly (number | readonly Item[])[]) {
  const requests: number[][] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await text(request);
      const ids = body.split('\n').flatMap((line) => {
        const id = /^\{"index":\{"_index":"\w+","_id":"(\d+)"/.exec(line)?.[1];
        return id ? [Number(id)] : [];
      });
      const next = answers[requests.length] ?? [];
      const statuses = new Map(typeof next === 'number' ? [] : next);
      if (typeof next === 'number') response.statusCode = next;
      requests.push(ids);
      const items = ids.map((id) => {
        const status = statuses.get(id) ?? 201;
        return {
          index: { _id: String(id), status, ...(status > 299 && { error: { reason: `is ${status}` } }) },
        };
      });
      response.setHeader('x-elastic-product', 'Elasticsearch').setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ errors: statuses.size > 0, items }));
    };
    void answer();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new Client({ node: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  close = async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  };
  return { client, requests };
}

const write = (count: number, to = ['members']) => ({
  documents: Array.from({ length: count }, (_, index) => ({ id: index + 1, version: 1, source: { a: 'b' } })),
  to,
});

describe('a bulk write', () => {
  it('retries only documents without room, and returns rejected ones', async () => {
    const { client, requests } = await engineOf([
      [
        [2, 429],
        [3, 409],
      ],
    ]);
    expect(await bulkWrite(client, write(3), 0)).toEqual([
      { id: 3, alias: 'members', status: 409, reason: 'is 409' },
    ]);
    expect(requests).toEqual([[1, 2, 3], [2]]);
  });

  it('returns documents that found no room three times', async () => {
    const { client, requests } = await engineOf([[[1, 429]], [[1, 429]], [[1, 429]]]);
    expect(await bulkWrite(client, write(1), 0)).toEqual([
      { id: 1, alias: 'members', status: 429, reason: 'is 429' },
    ]);
    expect(requests).toHaveLength(3);
  });

  it('retries a request without room, and returns its documents after the third attempt', async () => {
    const { client, requests } = await engineOf([429, [[2, 429]], 429, 429, 429, 429]);
    expect(await bulkWrite(client, write(2), 0)).toEqual([
      { id: 2, alias: 'members', status: 429, reason: 'no room for the request' },
    ]);
    expect(requests).toEqual([[1, 2], [1, 2], [2]]);
    expect(await bulkWrite(client, write(1), 0)).toHaveLength(1);
    expect(requests).toHaveLength(6);
  });

  it('sends a document to all of its aliases at once, also when one of them had no room', async () => {
    const { client, requests } = await engineOf([[[1, 429]]]);
    expect(await bulkWrite(client, write(2, ['live', 'previous']), 0)).toEqual([]);
    expect(requests).toEqual([
      [1, 1, 2, 2],
      [1, 1],
    ]);
  });

  it('of a repair waits for room, too', async () => {
    const { client, requests } = await engineOf([[[2, 429]]]);
    const documents = createDocumentStore({
      client,
      writer: client,
      close: () => Promise.resolve(),
    });
    await documents.overwrite(
      [1, 2].map((id) => ({ id, version: 1, source: {} })),
      'members',
    );
    expect(requests).toEqual([[1, 2], [2]]);
  });

  it('sends 1,000 at once', async () => {
    const { client, requests } = await engineOf([]);
    expect(await bulkWrite(client, write(1_001), 0)).toEqual([]);
    expect(requests.map((ids) => ids.length)).toEqual([1_000, 1]);
  });
});
