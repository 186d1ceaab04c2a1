import { describe, expect, it } from '@jest/globals';
import { accountUrl, beginSignIn, signOutUrl } from '../src/sign-in.ts';

const authUrl = 'https://auth.example';
const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

describe('the addresses of hosted pages', () => {
  it('name what the app knows of the member and the device, and nothing else', async () => {
    const app = { authUrl, clientId: 'app', redirectUri: 'com.example.app:/back' };
    const plain = parametersOf((await beginSignIn(app)).url);
    const { url } = await beginSignIn({
      ...app,
      siteid: 1,
      locale: 'de_DE',
      platform: 'app_ios',
      deviceName: 'Ada’s iPhone',
      loginHint: 'ada@mail.example',
      prompt: 'create',
      maxAge: 0,
    });
    const named = parametersOf(url);
    expect(Object.keys(named).filter((name) => !(name in plain))).toEqual([
      'siteid',
      'locale',
      'platform',
      'device_name',
      'login_hint',
      'prompt',
      'max_age',
    ]);
    expect(named).toMatchObject({
      device_name: 'Ada’s iPhone',
      login_hint: 'ada@mail.example',
      prompt: 'create',
      max_age: '0',
    });
  });

  it('lead to the sign-out, with the way back, and to the account', () => {
    expect(signOutUrl({ authUrl, clientId: 'app' })).toBe('https://auth.example/session/end?client_id=app');
    const postLogoutRedirectUri = 'https://app.example/bye';
    const { origin, pathname, searchParams } = new URL(
      signOutUrl({ authUrl, clientId: 'app', postLogoutRedirectUri, state: 'a b' }),
    );
    expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([
      'https://auth.example/session/end',
      { client_id: 'app', post_logout_redirect_uri: postLogoutRedirectUri, state: 'a b' },
    ]);
    expect(accountUrl({ authUrl, siteid: 7 })).toBe('https://auth.example/account?siteid=7');
  });
});
