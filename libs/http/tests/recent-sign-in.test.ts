import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Server } from 'node:http';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../src/endpoint.ts';
import { createServiceApp } from '../src/mount.ts';
import { documentation } from './documentation.ts';

const recent = endpoint({
  access: 'member',
  ...documentation,
  recentSignIn: 600,
  summary: 'Needs a recent sign-in',
  input: z.object({ needed: z.string() }),
  output: z.object({}),
  handler: () => Promise.resolve({}),
});

describe('an endpoint that needs a recent sign-in', () => {
  let tokens: TestTokens;
  let server: Server;
  beforeAll(async () => {
    tokens = await createTestTokens();
    const app = createServiceApp({ 'DELETE /recent': recent }, null, {
      logger: createLogger('test', 'silent'),
      metrics: createMetrics('test'),
      bearer: tokens.bearer,
    });
    server = app.listen(0);
  });
  afterAll(() => void server.close());

  const call = async (signedInAgo: number | null) =>
    request(server)
      .delete('/recent')
      .set('Authorization', await tokens.authorization({ id: 7, signedInAgo }));

  it('admits a recent sign-in, and then validates the parameters', async () => {
    const { status, body } = await call(590);
    expect([status, body]).toEqual([403, { fail: 'Invalid Argument' }]);
  });

  it.each([
    ['is too old', 610],
    ['the token does not say', null],
  ])('answers 401 with the challenge of RFC 9470 where the sign-in %s', async (_name, ago) => {
    const { status, body, headers } = await call(ago);
    expect([status, body]).toEqual([401, { fail: 'Recent Sign-In Required' }]);
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="covalence", error="insufficient_user_authentication", .*max_age="600"$/,
    );
  });

  it('challenges a call without a token', async () => {
    const { status, body } = await request(server).delete('/recent');
    expect([status, body]).toEqual([401, { fail: 'Unauthorized' }]);
  });
});
