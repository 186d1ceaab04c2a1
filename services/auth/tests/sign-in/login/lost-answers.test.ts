import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import request, { type Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const cookiesOf = (answer: Response) => (answer.get('Set-Cookie') ?? []).map((one) => one.split(';', 1)[0]);

/** A browser on a bad connection: it loses the response including its cookies, and sends the request again. */
describe('lost responses', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('lostanswers');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  const get = (path: string, cookies: string) => request(auth.server).get(path).set('Cookie', cookies);
  const post = (path: string, cookies: string, form: object) =>
    request(auth.server).post(path).set('Cookie', cookies).type('form').send(form);
  const familyOf = async (back: Response) => {
    const code = destination(back).searchParams.get('code') ?? '';
    const pair = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return decodeJwt((pair.body as { access_token: string }).access_token)['family'];
  };

  /** A sign-in up to the form, with the cookies that the browser has by then. */
  const begin = async (before = '', parameters = {}) => {
    const { client_id, redirect_uri } = auth.client;
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', ...parameters });
    const start = await get(`/authorize?${query.toString()}`, before);
    const cookies = [before, ...cookiesOf(start)].join('; ');
    const { action, fields } = formOf(await get(start.get('Location') ?? '', cookies));
    /** Sends the form; where it leads, with the cookies that the browser has then. */
    const enter = async () => {
      const form = { ...fields, login: member.username, password: member.password };
      const entered = await post(action, cookies, form);
      const path = entered.get('Location') ?? '';
      return { path, cookies: [cookies, ...cookiesOf(entered)].join('; ') };
    };
    return enter;
  };

  it('are repeated when the last step or the form is sent again', async () => {
    const enter = await begin('', { siteid: '1' });
    const { path, cookies } = await enter();
    const families = [await familyOf(await get(path, cookies)), await familyOf(await get(path, cookies))];
    const again = await enter();
    expect(again.path).toBe(path);
    families.push(await familyOf(await get(path, again.cookies)));
    expect(new Set(families).size).toBe(3);
  });

  it('are repeated with an earlier session too', async () => {
    const first = await (await begin('', { siteid: '1' }))();
    const signedIn = await get(first.path, first.cookies);
    const session = cookiesOf(signedIn)
      .filter((cookie) => cookie?.startsWith('_session'))
      .join('; ');
    const { path, cookies } = await (await begin(session, { prompt: 'login' }))();
    const families = [await familyOf(await get(path, cookies)), await familyOf(await get(path, cookies))];
    expect(new Set(families).size).toBe(2);
  });

  it('are repeated for two minutes, and not after a sign-out everywhere', async () => {
    const { redis, config } = auth.context;
    const { path, cookies } = await (await begin('', { siteid: '1' }))();
    await familyOf(await get(path, cookies));
    const key = `${config.NAMESPACE}:auth:Interaction:${path.split('/').at(-1)}`;
    const seconds = await redis.ttl(key);
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(120);
    await auth.internal('/internal/sessions/end', { member_id: member.member_id }).expect(200);
    const late = await get(path, cookies);
    expect(late.get('Location')).toMatch(/^\/login\//);
    await redis.del(key);
    expect((await get(path, cookies)).status).toBe(400);
  });

  it('are repeated for a sign-out with its last page', async () => {
    const { path, cookies } = await (await begin('', { siteid: '1' }))();
    const signedIn = await get(path, cookies);
    const session = cookiesOf(signedIn).join('; ');
    const { action, fields } = formOf(await get('/session/end?locale=de_DE', session));
    for (const logout of ['yes', 'yes', 'everywhere']) {
      const answer = await post(action, session, { ...fields, logout });
      expect([answer.status, answer.get('Location')]).toEqual([
        303,
        expect.stringMatching(/\/success\?siteid=1&locale=de_DE$|^success\?siteid=1&locale=de_DE$/),
      ]);
    }
  });
});
