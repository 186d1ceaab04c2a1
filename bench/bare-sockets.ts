import { Redis } from 'ioredis';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** The reference of live updates: the first message of a WebSocket names a channel of Redis, whose messages it receives. */
const redis = new Redis(process.argv[2] ?? '');
const channels = new Map<string, Set<WebSocket>>();

redis.on('message', (channel, text) => {
  for (const socket of channels.get(channel) ?? []) socket.send(text);
});

const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.once('message', (data: Buffer) => {
    const channel = data.toString('utf8');
    const sharing = channels.get(channel) ?? new Set();
    channels.set(channel, sharing.add(socket));
    void redis.subscribe(channel).then(() => socket.send('{"type":"ready"}'));
    socket.once('close', () => sharing.delete(socket));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ memory: process.memoryUsage().rss, processorTime: (user + system) / 1_000 });
});
process.once('disconnect', () => process.exit(0));
