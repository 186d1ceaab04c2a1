import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonWith } from '@covalence/testing/python';
import { decodeJwt } from 'jose';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServiceUnderTest } from '../../harness.ts';
import { startIssuer } from '../../support/issuer-under-test.ts';
import type { TestMember } from '../../support/people.ts';

const file = (name: string) => fileURLToPath(new URL(`authlib/${name}`, import.meta.url));
const run = promisify(execFile);

describe('a standard OAuth client of another language (Authlib), by configuration alone', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  let issuer: string;
  let python: string;
  beforeAll(async () => {
    python = await pythonWith(file('requirements.txt'));
    ({ auth, issuer } = await startIssuer('authlib'));
    member = await auth.addMember();
  }, 180_000);
  afterAll(() => auth?.close());

  it.each(['client_secret_basic', 'client_secret_post', 'none'])(
    'signs in with PKCE, refreshes and revokes, with %s',
    async (method) => {
      const { username: login, password } = member;
      const { client_id, client_secret, redirect_uri } = await auth.createClient({
        public: method === 'none',
      });
      const client = run(python, [file('sign_in.py')]);
      client.child.stdin?.end(
        JSON.stringify({ client_id, client_secret, redirect_uri, issuer, login, password, method }),
      );
      const { access_token, ...seen } = JSON.parse((await client).stdout) as Record<string, unknown>;
      expect(seen).toEqual({
        expires_in: 1800,
        rotated: true,
        replayed: 'invalid_grant',
        after_replay: 'invalid_grant',
        revocation: 200,
        after_revocation: 'invalid_grant',
      });
      expect(decodeJwt(String(access_token))).toMatchObject({ sub: member.member_id, iss: issuer });
    },
  );
});
