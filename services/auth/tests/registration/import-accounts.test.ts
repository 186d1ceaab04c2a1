import { unavailable } from '@covalence/contract/failure';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { startService, type ServiceUnderTest } from '../harness.ts';

const refused = (...failcode: number[]) => ({ fail: 'Invalid Argument', failcode });

let next = 9000;
const account = (overrides: Record<string, unknown> = {}) => {
  next += 1;
  const names = { username: `import${next}`, email: `import${next}@mail.example` };
  return { member_id: v7(), id: next, siteid: 1, ...names, ...overrides };
};
type Imported = ReturnType<typeof account>;
const idsOf = (accounts: readonly Imported[]) => accounts.map(({ member_id, id }) => ({ member_id, id }));

describe('imported accounts', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('import-accounts');
  });
  afterAll(() => auth.close());

  const reserve = (names: { username: string } | { email: string }) =>
    auth.internal('/internal/accounts/reserve', {
      ...account(names),
      password: 'violet-harbour-42',
      password_minimum: 8,
    });
  const loginPage = async (login: string, password: string) => {
    const browser = auth.browser();
    return browser.submit(await browser.begin(auth.client, { siteid: '1' }), { login, password });
  };
  const load = async (accounts: readonly Imported[]) =>
    (await auth.internal('/internal/accounts/import', { accounts }).expect(200)).body;
  const confirmAll = (accounts: readonly Imported[]) =>
    auth
      .internal('/internal/accounts/import/confirm', { member_ids: accounts.map((one) => one.member_id) })
      .expect(200, {});
  const exist = (accounts: readonly Imported[]) => {
    for (const { member_id, id } of accounts)
      auth.profile.members.set(member_id, { id, deactivated: false, suspended: false });
  };
  const signsIn = async (login: string, password: string) =>
    (await loginPage(login, password)).get('Location') !== undefined;
  const kept = ({ member_id }: Imported) => auth.context.accounts.find(member_id);

  it('are added in bulk, keep existing accounts, and are refused with the code of the taken name', async () => {
    const password_hash = await auth.context.accounts.passwords.hash('violet-harbour-99');
    const taken = await auth.addMember();
    const [first, second] = [account({ password_hash }), account({ password_hash })];
    const refusedName = account({ username: taken.username.toUpperCase() });
    const twin = account({ email: first.email });
    const both = account({ username: taken.username, email: taken.email });
    const accounts = [first, second, refusedName, twin, both];
    const expected = {
      accounts: expect.arrayContaining(idsOf([first, second])),
      refused: [
        { member_id: refusedName.member_id, failcode: [10101] },
        { member_id: twin.member_id, failcode: [10302] },
        { member_id: both.member_id, failcode: [10101, 10302] },
      ],
    };
    expect(await load(accounts)).toEqual(expected);
    // The id that an account has stays, whatever a repeated import would give it.
    expect(await load(accounts.map((one) => ({ ...one, id: one.id + 500_000 })))).toEqual(expected);
    expect(await signsIn(second.username, 'violet-harbour-99')).toBe(false);
    exist([first, second]);
    await confirmAll([first, second]);
    expect(await signsIn(second.username, 'violet-harbour-99')).toBe(true);
    // The names that a refused account had claimed are free.
    await reserve({ email: refusedName.email }).expect(200);
  });

  it('are activated when the member exists and removed when not, without a confirmation mail', async () => {
    const [lost, found] = [account(), account()];
    await load([lost, found]);
    exist([found]);
    await auth.later(61_000, () => auth.runJobs());
    expect(await kept(lost)).toBeUndefined();
    expect(await kept(found)).toMatchObject({ status: 'active' });
    expect(await kept(found)).not.toHaveProperty('mail_due_at');
    // The same import again takes the names again.
    expect(await load([lost])).toEqual({ accounts: idsOf([lost]), refused: [] });
  });

  it('are not removed during a repeated import, nor imported during a removal', async () => {
    const [one, two] = [account(), account()];
    await load([one, two]);
    await auth.later(61_000, async () => {
      // Reserved again just now: neither the reaper nor somebody who wants the name takes it away.
      await load([one]);
      await auth.runJobs();
      await reserve({ username: one.username }).expect(403, refused(10101));
      expect(await kept(one)).toMatchObject({ status: 'pending' });
      expect(await kept(two)).toBeUndefined();
    });
    await load([two]);
    const { created_at } = (await kept(two)) ?? { created_at: new Date(0) };
    await auth.context.accounts.pending.abandon(two.member_id, created_at, new Date());
    await auth.internal('/internal/accounts/import', { accounts: [two] }).expect(503);
    await auth.later(61_000, () => auth.runJobs());
    expect((await load([two])).accounts).toEqual(idsOf([two]));
  });

  it('keep the first id of two concurrent imports', async () => {
    const one = account();
    const answers = await Promise.all([1, 2, 3].map((id) => load([{ ...one, id: one.id * 1000 + id }])));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.accounts[0]?.id).toBe((await kept(one))?.id);
  });

  it('sign in with a bcrypt hash, which becomes argon2id', async () => {
    const { hash } = await import('@node-rs/bcrypt');
    for (const version of ['2a', '2b', '2y'] as const) {
      // Composed and compatible spellings differ; the hash was made of what was typed.
      const password = `ﬁne-harbour-${version}`;
      const one = account({ password_hash: await hash(password, { cost: 4, version }) });
      await load([one]);
      exist([one]);
      await confirmAll([one]);
      expect(await signsIn(one.username, 'another-password')).toBe(false);
      expect((await kept(one))?.password_hash).toMatch(/^\$2/);
      // With everything busy hashing there is no turn for it: the next sign-in makes up for that.
      const { passwords } = auth.context.accounts;
      const original = { ...passwords };
      passwords.hash = () => Promise.reject(unavailable());
      expect(await signsIn(one.username, password)).toBe(true);
      await auth.context.afterResponse.drained();
      expect((await kept(one))?.password_hash).toMatch(/^\$2/);
      Object.assign(passwords, original);
      expect(await signsIn(one.username, password)).toBe(true);
      await auth.context.afterResponse.drained();
      expect((await kept(one))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await signsIn(one.username, password)).toBe(true);
    }
  });

  it('without a password get a mailed link to choose one, in their language', async () => {
    const one = account({ locale: 'de_DE' });
    await load([one]);
    exist([one]);
    await confirmAll([one]);
    expect((await loginPage(one.username, '')).text).toContain('role="alert"');
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const link = /<a href="([^"]+\/forgotten)"/.exec(page.text)?.[1] ?? '';
    await browser.submit(await browser.open(link), { login: one.email });
    const { path } = await auth.mailbox.wait(one.email, 'Wähle ein neues Passwort');
    await browser.submit(await browser.open(path), { password: 'quiet-meadow-77' });
    expect(await signsIn(one.email, 'quiet-meadow-77')).toBe(true);
  });

  it.each([
    '$argon2id$v=19$m=999999,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g',
    '$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijk',
    '$1$abcdefgh$abcdefghijklmnopqrstuv',
    'violet-harbour-42',
  ])('are refused with the hash %s', async (password_hash) => {
    const { status } = await auth.internal('/internal/accounts/import', {
      accounts: [account({ password_hash })],
    });
    expect(status).toBe(403);
  });
});
