import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination } from '../../support/browser.ts';

describe('a sign-in that is canceled', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('cancel');
  });
  afterAll(() => auth.close());

  it('leads back to the app with access_denied, in its own browser only', async () => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { state: 'kept' });
    const [, cancel = ''] = /href="([^"]*\/cancel)"/.exec(page.text) ?? [];
    const back = destination(await browser.open(cancel));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'kept' });
    expect((await auth.browser().open(cancel)).status).toBe(400);
  });
});
