import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { startService, type ServiceUnderTest } from '../../harness.ts';

const dayMs = 86_400_000;
const text = 'That is <b>my sister';

describe('the page of an appeal', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('appeal');
  });
  afterAll(() => auth.close());

  /** A suspended member with the link of the mail about that. */
  const suspended = async (locale = 'en_US') => {
    const member = await auth.addMember();
    auth.profile.members.set(member.member_id, { id: member.id, deactivated: false, suspended: true });
    const decision_id = v7();
    auth.profile.decisions.set(decision_id, { member_id: member.member_id, state: 'open' });
    const why = { text: 'No.', basis: 'terms', reported: false, detected: false };
    const body = { member_id: member.member_id, decision_id, action: 'suspend', locale, ...why };
    await auth.internal('/internal/accounts/notify-decision', body).expect(200);
    await auth.context.afterResponse.drained();
    const mails = await auth.mailbox.to(member.email);
    const path = mails.find(({ path: of }) => of.startsWith('/appeal/'))?.path ?? '';
    return { member, decision_id, path };
  };

  it('takes one appeal of a member who cannot sign in, and shows what became of it', async () => {
    const { member, decision_id, path } = await suspended();
    expect(path).toMatch(/^\/appeal\/[\w-]+$/);
    const browser = auth.browser();
    const page = await browser.open(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Appeal a decision');
    const empty = await browser.submit(page, { text: ' ' });
    expect(empty.status).toBe(400);
    expect(empty.text).toContain('role="alert"');
    const long = await browser.submit(page, { text: `${text}${'x'.repeat(4_000)}` });
    expect(long.status).toBe(400);
    expect(long.text).toContain('That is &lt;b&gt;my sister');
    const sent = await browser.submit(page, { text });
    expect(sent.text).toContain('Your appeal was received');
    expect(auth.profile.appeals).toEqual([{ member_id: member.member_id, decision_id, text }]);
    // Again, and from an older form.
    expect((await browser.open(path)).text).toContain('Your appeal was received');
    expect((await browser.post(path, { text: 'Once more' })).text).toContain('Your appeal was received');
    expect(auth.profile.appeals).toHaveLength(1);
    const answer = 'It shows <b>nobody';
    auth.profile.decisions.set(decision_id, { member_id: member.member_id, state: 'refused', answer });
    const decided = await browser.open(path);
    expect(decided.text).toContain('Your appeal was refused');
    expect(decided.text).toContain('Reason: It shows &lt;b&gt;nobody');
    auth.profile.decisions.set(decision_id, { member_id: member.member_id, state: 'ended' });
    expect((await browser.open(path)).text).toContain('This decision cannot be appealed anymore');
  });

  it('keeps the text of a reporter with too many appeals that wait', async () => {
    const { member, decision_id, path } = await suspended();
    auth.profile.decisions.set(decision_id, { member_id: member.member_id, state: 'open', isMany: true });
    const browser = auth.browser();
    const { status, headers, text: shown } = await browser.submit(await browser.open(path), { text });
    expect([status, headers['retry-after']]).toEqual([429, '3600']);
    expect(shown).toContain('That is &lt;b&gt;my sister');
    expect(shown).toContain('try again in 60 min');
  });

  it('is open to a member whose account is erased, who reads the answer there', async () => {
    const { member, decision_id, path } = await suspended('de_DE');
    await auth
      .internal('/internal/members/erase', { id: member.id, member_id: member.member_id })
      .expect(200);
    const found = { member_id: member.member_id, erased: true };
    auth.profile.decisions.set(decision_id, { ...found, state: 'open' });
    const browser = auth.browser();
    const sent = await browser.submit(await browser.open(path), { text });
    expect(sent.text).toContain('Öffne den Link noch einmal');
    auth.profile.decisions.set(decision_id, { ...found, state: 'granted', answer: 'Du hattest recht.' });
    const granted = await browser.open(path);
    expect(granted.text).toContain('Grund: Du hattest recht.');
    expect(granted.text).toContain('Du kannst dich neu registrieren.');
  });

  it('is in the language of the mail', async () => {
    const { path } = await suspended('de_DE');
    expect((await auth.browser().open(path)).text).toContain('Beschwerde gegen eine Entscheidung');
  });

  it('does not open with a forged or expired link, or one of another kind, and says no more', async () => {
    const { member, path, decision_id } = await suspended();
    const token = path.slice('/appeal/'.length);
    const forged = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    const invalid = await auth.browser().open(`/appeal/${forged}`);
    expect(invalid.status).toBe(400);
    expect(invalid.text).not.toContain(member.username);
    for (const other of ['email', 'password', 'digest', 'device'])
      expect((await auth.browser().open(`/${other}/${token}`)).status).toBe(400);
    await auth.later(275 * dayMs, async () => {
      expect((await auth.browser().open(path)).status).toBe(400);
      expect((await auth.browser().post(path, { text })).status).toBe(400);
    });
    // The member was erased.
    auth.profile.decisions.delete(decision_id);
    const gone = await auth.browser().open(path);
    expect([gone.status, gone.text]).toEqual([400, invalid.text]);
  });

  it('limits the attempts of an address', async () => {
    const { path } = await suspended();
    const browser = auth.browser();
    const { MAIL_REQUESTS_PER_ADDRESS: limit } = auth.context.config;
    for (let count = 0; count < limit; count += 1) await browser.post(path, { text: ' ' });
    const { status, headers } = await browser.post(path, { text });
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    expect(auth.profile.appeals.some((each) => each.text === text && path.includes(each.decision_id))).toBe(
      false,
    );
  });

  it('answers 503 while the profile service is down', async () => {
    const { path } = await suspended();
    auth.profile.away = true;
    expect((await auth.browser().open(path)).status).toBe(503);
    auth.profile.away = false;
    expect((await auth.browser().open(path)).status).toBe(200);
  });
});
