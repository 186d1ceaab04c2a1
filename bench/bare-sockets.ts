import { connect } from 'amqplib';
import { Redis } from 'ioredis';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/**
 * What live updates are compared with, in a process of its own: a WebSocket says a channel's name, and what Redis
 * publishes there is sent to it as it is. No tokens, no history, no order, no limits. With a broker and a queue besides, what
 * comes there is published first, as the channel that it begins with: what a durable event costs before anybody works on it.
 */
const redis = new Redis(process.argv[2] ?? '');
const channels = new Map<string, Set<WebSocket>>();

redis.on('message', (channel, text) => {
  for (const socket of channels.get(channel) ?? []) socket.send(text);
});

const [, , , brokerUrl, queue] = process.argv;
if (brokerUrl !== undefined && queue !== undefined) {
  const publisher = new Redis(process.argv[2] ?? '');
  const channel = await (await connect(brokerUrl, { noDelay: true })).createChannel();
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.prefetch(500);
  await channel.consume(queue, (message) => {
    if (!message) return;
    const [name = '', ...rest] = message.content.toString('utf8').split(' ');
    void publisher.publish(name, rest.join(' '));
    channel.ack(message);
  });
}

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
