import { mongo } from 'mongoose';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

type Command = Readonly<Record<string, unknown>>;

const { BSON, Timestamp } = mongo;
const opReply = 1;
const opQuery = 2004;
const opMessage = 2013;
const headerBytes = 16;

/** The cluster time of every snapshot. */
export const clusterTime = new Timestamp({ t: 1_700_000_000, i: 7 });

/** How a primary, and a router of a sharded cluster, introduce themselves. */
const kinds = { 'replica set': { setName: 'rs0' }, 'sharded cluster': { msg: 'isdbgrid' } } as const;

const hello = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  maxWireVersion: 21,
  minWireVersion: 0,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
};

/** The command in a message, whose first section holds it whole. */
const commandIn = (message: Buffer): Command => {
  const isQuery = message.readInt32LE(12) === opQuery;
  const start = isQuery ? message.indexOf(0, headerBytes + 4) + 9 : headerBytes + 5;
  return BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)), {
    promoteValues: false,
  });
};

const messageOf = (to: Buffer, answer: object): Buffer => {
  const isQuery = to.readInt32LE(12) === opQuery;
  const before = Buffer.alloc(isQuery ? 20 : 5);
  if (isQuery) before.writeInt32LE(1, 16);
  const body = BSON.serialize(answer);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + before.length + body.length, 0);
  header.writeInt32LE(to.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? opReply : opMessage, 12);
  return Buffer.concat([header, before, body]);
};

const cursor = (ns: string, id: number, batch: object) => ({
  ok: 1,
  cursor: { id: mongo.Long.fromNumber(id), ns, ...batch, atClusterTime: clusterTime },
});

/** A server that answers reads as a replica set or a sharded cluster does, a document at a time, and keeps the commands. */
export async function startFakeCluster(
  kind: keyof typeof kinds,
  collections: Readonly<Record<string, readonly object[]>>,
) {
  const commands: Command[] = [];
  const answerTo = (command: Command): object => {
    const [name = ''] = Object.keys(command);
    const database = String(command['$db']);
    if (/^(hello|ismaster)$/i.test(name)) return { ...hello, ...kinds[kind] };
    commands.push(command);
    if (name === 'listCollections') {
      const firstBatch = Object.keys(collections)
        .filter((key) => key.startsWith(`${database}.`))
        .map((key) => ({ name: key.slice(database.length + 1), type: 'collection' }));
      return cursor(`${database}.$cmd.listCollections`, 0, { firstBatch });
    }
    const found = collections[`${database}.${String(command['find'] ?? command['collection'])}`] ?? [];
    // The id of a cursor is where it goes on.
    const idAfter = (at: number) => (command['singleBatch'] || at >= found.length ? 0 : at);
    if (name === 'find')
      return cursor(`${database}.${String(command['find'])}`, idAfter(1), { firstBatch: found.slice(0, 1) });
    if (name === 'getMore') {
      const at = Number(String(command['getMore']));
      return cursor(`${database}.x`, idAfter(at + 1), { nextBatch: found.slice(at, at + 1) });
    }
    return { ok: 1 };
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      while (rest.length > 4 && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0));
        rest = rest.subarray(message.length);
        socket.write(messageOf(message, answerTo(commandIn(message))));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    commands,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
