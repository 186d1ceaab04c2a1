import { listenLocally } from '@covalence/testing/listen-locally';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { startBalancer, type Process } from '../balancer.ts';

const servers: Server[] = [];
const processes: Process[] = [];
const answering = async (name: string) => {
  const server = createServer((_request, response) => response.setHeader('Connection', 'close').end(name));
  servers.push(server);
  const url = `http://127.0.0.1:${await listenLocally(server)}`;
  processes.push({ url, managementUrl: url });
};

beforeAll(async () => {
  await answering('first');
  await answering('second');
});
afterAll(() => {
  for (const server of servers) server.close();
});

it('sends connections to the processes in turn, except one that is retired or refuses', async () => {
  const [first] = processes;
  if (!first) throw new Error('no process');
  const way = await createTcpProxy(first.url);
  const balancer = startBalancer(way, processes);
  const answers = async () => {
    const heard: string[] = [];
    for (let number = 0; number < 4; number += 1) heard.push(await (await fetch(way.url)).text());
    return heard.toSorted((one, other) => one.localeCompare(other));
  };
  const shared = ['first', 'first', 'second', 'second'];
  const alone = Array.from({ length: 4 }, () => 'second');
  expect(await answers()).toEqual(shared);
  balancer.retire(first, true);
  expect(await answers()).toEqual(alone);
  balancer.retire(first, false);
  expect(await answers()).toEqual(shared);
  servers[0]?.close();
  expect(await answers()).toEqual(alone);
  balancer.close();
  await way.close();
});
