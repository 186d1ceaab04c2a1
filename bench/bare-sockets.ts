import { Redis } from 'ioredis';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/**
 * What live updates are compared with, in a process of its own: a WebSocket says a channel's name, and what Redis
 * publishes there is sent to it as it is. No tokens, no history, no order, no limits.
 */
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
process.on('message', () => process.send?.({ memory: process.memoryUsage().rss }));
process.once('disconnect', () => process.exit(0));
