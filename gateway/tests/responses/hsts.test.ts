import { afterEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';

let gateway: ServiceUnderTest | undefined;
afterEach(() => gateway?.close());

const paths = ['/jwks', '/login/one', '/photos/a.jpg', '/packages', '/nothing', '/openapi.json'];
const https = { PUBLIC_URL: 'https://api.test' };

it.each<[string, Record<string, string>, string | undefined]>([
  ['with https, for a year', https, 'max-age=31536000; includeSubDomains'],
  ['with https, as the operator says', { ...https, HSTS: 'max-age=60' }, 'max-age=60'],
  ['with https, not where the operator says off', { ...https, HSTS: 'off' }, undefined],
  ['not with plain http', {}, undefined],
])('sends Strict-Transport-Security with every response %s', async (_case, environment, expected) => {
  const started = await startService('hsts', {
    environment,
    answer: (_request, response) =>
      response.writeHead(200, { 'Strict-Transport-Security': 'max-age=1' }).end(),
  });
  gateway = started;
  const answers = await Promise.all(paths.map((path) => request(started.url).get(path)));
  const said = answers.map(({ headers }) => headers['strict-transport-security'] as unknown);
  expect(new Set(said)).toEqual(new Set([expected]));
});
