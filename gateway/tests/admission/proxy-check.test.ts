import { createLogger } from '@covalence/runtime/logger';
import { afterEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';

let gateway: ServiceUnderTest | undefined;
afterEach(() => gateway?.close());

/** A gateway whose warnings are gathered, and whose clock a test moves. */
async function start(environment: Record<string, string>) {
  const lines: string[] = [];
  const time = { now: new Date('2026-06-15T12:00:00Z') };
  gateway = await startService('proxy-check', {
    environment,
    overrides: {
      clock: () => time.now,
      logger: createLogger('gateway', 'warn', { write: (line) => void lines.push(line) }),
    },
  });
  const { url, context } = gateway;
  return {
    time,
    ask: (forwarded?: string) =>
      request(url)
        .get('/jwks')
        .set(forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded })
        .expect(200),
    warned: () =>
      lines.flatMap((line) => {
        const { kind, msg } = JSON.parse(line) as { kind?: string; msg: string };
        return kind === undefined ? [] : [`${kind}: ${msg}`];
      }),
    counted: async () => {
      const { values } = await context.metrics.proxyMisfits.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]));
    },
  };
}

const https = { PUBLIC_URL: 'https://api.test' };

describe('TRUSTED_PROXIES that does not match the requests', () => {
  it.each([
    ['a proxy that is not counted', {}, '198.51.100.1', 'untrusted'],
    ['a proxy that is not counted, with https', https, '198.51.100.1', 'untrusted'],
    ['https and nobody who names the client', https, undefined, 'unnamed'],
    ['a request past the proxy', { TRUSTED_PROXIES: '1' }, undefined, 'missing'],
    ['an empty header', { TRUSTED_PROXIES: '1' }, ' ', 'missing'],
    ['fewer proxies than counted', { TRUSTED_PROXIES: '2' }, '198.51.100.1', 'missing'],
  ] as const)('is warned of once an hour: %s', async (_case, environment, forwarded, kind) => {
    const { ask, warned, counted, time } = await start(environment);
    for (let times = 0; times < 3; times += 1) await ask(forwarded);
    expect(warned()).toEqual([expect.stringMatching(`^${kind}: .*TRUSTED_PROXIES`)]);
    expect(await counted()).toEqual({ [kind]: 3 });
    time.now = new Date('2026-06-15T13:00:00Z');
    await ask(forwarded);
    expect(warned()).toHaveLength(2);
  });

  it.each([
    ['no proxy and plain http', {}, undefined],
    ['as many as are counted', { ...https, TRUSTED_PROXIES: '1' }, '198.51.100.1'],
    ['more, which clients may make up', { ...https, TRUSTED_PROXIES: '1' }, '203.0.113.9, 198.51.100.1'],
  ] as const)('is not warned of where it fits: %s', async (_case, environment, forwarded) => {
    const { ask, warned, counted } = await start(environment);
    await ask(forwarded);
    expect([warned(), await counted()]).toEqual([[], {}]);
  });
});
