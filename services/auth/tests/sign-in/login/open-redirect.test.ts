import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';

const elsewhere = 'https://evil.example/callback';

/** All addresses that a response sends a browser to, by any means. */
const leadsTo = (answer: request.Response) => [
  answer.get('Location') ?? '',
  answer.get('Refresh') ?? '',
  ...[...answer.text.matchAll(/(?:href|action|src|url)="?=?([^"\s>]+)/gi)].map(([, address]) => address),
];

describe('redirects lead to registered addresses only', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('openredirect');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  it.each([
    ['another host', elsewhere],
    ['a user name that looks like the host', 'https://app.example@evil.example/callback'],
    ['a host that begins alike', 'https://app.example.evil.example/callback'],
    ['a longer path', 'https://app.example/callback/../evil'],
    ['a backslash', 'https://app.example\\@evil.example/callback'],
    ['another case of the path', 'https://app.example/Callback'],
    ['a fragment', 'https://app.example/callback#x'],
    ['a scheme that browsers run', 'javascript:alert(1)'],
    ['no scheme', '//evil.example/callback'],
    ['no address', 'evil'],
    ['nothing', ''],
  ])('GET and POST /authorize refuse %s with a page', async (_name, redirect_uri) => {
    const { client_id } = auth.client;
    // An error that would be sent to redirect_uri is no way around the check.
    for (const response_type of ['code', 'token']) {
      const parameters = { client_id, redirect_uri, response_type, state: 's' };
      const got = await request(auth.server).get('/authorize').query(parameters);
      const posted = await auth.browser().begin(auth.client, parameters);
      for (const answer of [got, posted]) {
        expect(answer.status).toBe(400);
        expect(leadsTo(answer).filter((address) => address?.includes('evil'))).toEqual([]);
        expect(answer.get('Location')).toBeUndefined();
      }
    }
  });

  it('rejects a second redirect_uri', async () => {
    const query = new URLSearchParams({ client_id: auth.client.client_id, response_type: 'code' });
    query.append('redirect_uri', auth.client.redirect_uri);
    query.append('redirect_uri', elsewhere);
    const answer = await request(auth.server).get(`/authorize?${query.toString()}`);
    expect(answer.status).toBe(400);
    expect(answer.get('Location')).toBeUndefined();
  });

  it('ignores a redirect_uri in the login form', async () => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const { username: login, password } = member;
    const end = await browser.submit(page, {
      login,
      password,
      redirect_uri: elsewhere,
      return_to: elsewhere,
    });
    expect(end.get('Location')).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  });

  it('redirects to its own page after a sign-out and ignores other addresses', async () => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    const query = new URLSearchParams({ post_logout_redirect_uri: elsewhere });
    for (const extra of ['', `&client_id=${auth.client.client_id}`]) {
      const answer = await browser.open(`/session/end?${query.toString()}${extra}`);
      expect(leadsTo(answer).filter((address) => address?.includes('evil'))).toEqual([]);
    }
  });

  it.each([
    '/login/%2F%2Fevil.example',
    '/authorize/%2F%2Fevil.example',
    '/session/end/success?to=//evil.example',
  ])('does not redirect to another host from %s', async (path) => {
    const answer = await request(auth.server).get(path);
    expect(leadsTo(answer).filter((address) => address?.includes('evil'))).toEqual([]);
  });
});
