import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { get as httpGet, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import request from 'supertest';
import { gatewayForEach } from '../support/gateway-for-each.ts';

const mebibyte = 1024 * 1024;

const start = gatewayForEach();

describe('clients', () => {
  it('that send or read slowly do not count as pending requests', async () => {
    let begun = 0;
    const { url, service } = await start({
      environment: { UPSTREAM_MAX_REQUESTS: '2' },
      answer: (asked, response) => {
        begun += 1;
        if (asked.method === 'POST') asked.resume();
        else response.end(asked.url === '/jwks?large' ? Buffer.alloc(32 * mebibyte) : '{}');
      },
    });
    const sending = Array.from({ length: 3 }, () => httpRequest(`${url}/token`, { method: 'POST' }));
    for (const client of sending) client.on('error', () => undefined).write('a');
    const reading: IncomingMessage[] = [];
    while (reading.length < 3) {
      const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
      httpGet(`${url}/jwks?large`, resolve);
      reading.push(await promise);
    }
    await until('all of them at the service', () => begun === 6);
    await request(url).get('/jwks').expect(200);
    expect(service.requests).toHaveLength(7);
    for (const client of [...sending, ...reading]) client.destroy();
  });

  it('that do not read a response are disconnected', async () => {
    const gone = Promise.withResolvers<string>();
    const { port } = await start({
      environment: { CLIENT_SILENCE_MS: '300', UPSTREAM_TIMEOUT_MS: '200' },
      answer: (_asked, response) => {
        response.once('close', () => gone.resolve('gone'));
        response.end(Buffer.alloc(64 * mebibyte));
      },
    });
    const client = connect(port, '127.0.0.1', () => client.write('GET /jwks HTTP/1.1\r\nHost: a\r\n\r\n'));
    client.on('error', () => undefined).pause();
    expect(await gone.promise).toBe('gone');
    client.destroy();
  });
});
