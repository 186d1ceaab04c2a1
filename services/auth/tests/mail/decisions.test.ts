import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { startService, type ServiceUnderTest } from '../harness.ts';

const path = '/internal/accounts/notify-decision';

describe('a statement of reasons by mail', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('decisions');
  });
  afterAll(() => auth.close());

  const sent = async (body: object) => {
    const member = await auth.addMember();
    const decision = {
      decision_id: v7(),
      basis: 'terms',
      reported: false,
      detected: false,
      text: 'Nothing.',
    };
    await auth.internal(path, { member_id: member.member_id, ...decision, ...body }).expect(200, {});
    await auth.context.afterResponse.drained();
    // The other one asks to confirm the address.
    return (await auth.mailbox.to(member.email)).find(({ path: of }) => !of.startsWith('/email/'));
  };

  /** The mail about an appeal of a new member. */
  const aboutAppeal = async (outcome: object) => {
    const { member_id, email } = await auth.addMember();
    const body = { member_id, locale: 'en_US', ...outcome };
    await auth.internal('/internal/accounts/notify-appeal', body).expect(200, {});
    await auth.context.afterResponse.drained();
    return (await auth.mailbox.to(email)).find(({ subject }) => subject.startsWith('Your appeal'))?.text;
  };

  it('says in the language of the member what was restricted and why', async () => {
    const mail = await sent({
      action: 'suspend',
      locale: 'de_DE',
      text: 'Es täuscht andere.',
      facts: 'Bittet <b>um Geld',
      clause: 'Ziffer 4',
      reported: true,
      ban_until: '2029-11-26T12:00:00.000Z',
    });
    expect(mail).toMatchObject({ subject: 'Eine Entscheidung zu deinem Profil' });
    for (const line of [
      'Dein Konto ist gesperrt: Du kannst dich nicht anmelden.',
      'bis zum 26. November 2029',
      'Grund: Es täuscht andere.',
      'Sachverhalt: Bittet <b>um Geld',
      'Grundlage: die Nutzungsbedingungen Ziffer 4\n',
      'Es wurde uns gemeldet.',
      'Entschieden hat ein Mensch, ohne automatische Hilfe.',
    ])
      expect(mail?.text).toContain(line);
    expect(mail?.text).not.toContain('noch einmal');
    expect(mail?.html).toContain('Bittet &lt;b&gt;um Geld');
  });

  it.each([
    ['reject', 'Your profile is not shown'],
    ['reject-text', 'A text of your profile is not shown'],
    ['reject-photo', 'A photo of yours is not shown'],
    ['delete', 'Your account is closed'],
  ])('tells of %s', async (action, line) => {
    const mail = await sent({ action, locale: 'en_US', basis: 'law', detected: true, warned: true });
    expect(mail?.text).toContain(line);
    expect(mail?.text).toContain('If this happens again, we may suspend your account');
    expect(mail?.text).toContain('Ground: the law\n');
    expect(mail?.text).toContain('A program pointed it out to us; a person decided.');
    expect(mail?.text).not.toContain('another account');
    expect(mail?.text.includes('when your account is erased')).toBe(action === 'delete');
  });

  it.each([
    ['en_US', 'On November 26, 2026', 'Never send money or personal financial information'],
    ['fr_FR', 'Le 26 novembre 2026', 'N’envoyez jamais d’argent'],
    ['tr_TR', '26 Kasım 2026 tarihinde', 'asla para'],
  ])('warns in %s of somebody banned for fraud, and leads to no sign-in', async (locale, day, rule) => {
    const member = await auth.addMember();
    const warning = {
      member_id: member.member_id,
      locale,
      username: 'Prince <b>Charming',
      banned_at: '2026-11-26T12:00:00.000Z',
      help_url: 'https://harbor.example/fraud',
      contact: 'help@harbor.example',
    };
    await auth.internal('/internal/accounts/notify-fraud', warning).expect(200, {});
    await auth.context.afterResponse.drained();
    const mails = await auth.mailbox.to(member.email);
    const mail = mails.find(({ text }) => text.includes('Charming'));
    for (const part of [day, rule, 'Prince <b>Charming', warning.help_url, warning.contact])
      expect(mail?.text).toContain(part);
    expect(mail?.html).toContain('Prince &lt;b&gt;Charming');
    expect(mail?.text.match(/https?:/g)).toHaveLength(1);
    const { username, banned_at: warned_at } = warning;
    const over = { member_id: member.member_id, locale, username, warned_at };
    await auth.internal('/internal/accounts/notify-fraud-over', over).expect(200, {});
    await auth.context.afterResponse.drained();
    const last = (await auth.mailbox.to(member.email)).at(-1);
    expect(last?.text).toContain('Prince <b>Charming');
    expect(last?.text).not.toMatch(/https?:/);
  });

  it('goes to nobody when the account is gone', async () => {
    const body = { member_id: v7(), decision_id: v7(), action: 'reject', locale: 'en_US', text: 'No.' };
    const { status } = await auth.internal(path, {
      ...body,
      basis: 'terms',
      reported: false,
      detected: false,
    });
    expect(status).toBe(200);
  });

  it('leads to a mail about an appeal that says what is taken back, and what stands', async () => {
    const later = { decision_id: v7(), action: 'suspend', at: '2026-11-26T12:00:00.000Z' };
    const restored = await aboutAppeal({ outcome: 'granted', restored: true, answer: 'You were right.' });
    expect(restored).toContain('Reason: You were right.\nWe have taken it back.');
    expect(restored).not.toContain('/appeal/');
    const nothing = await aboutAppeal({ outcome: 'granted', restored: false });
    expect(nothing).toContain('It changes nothing anymore');
    const stands = await aboutAppeal({ outcome: 'granted', restored: false, later });
    expect(stands).toContain('Another decision, of November 26, 2026, stands. You can appeal it, too.');
    expect(stands).toContain('Your account is suspended');
    expect(stands).toContain('/appeal/');
    expect(stands).not.toContain('taken it back');
    const reopened = await aboutAppeal({ outcome: 'granted', restored: true, of_report: true });
    expect(reopened).toContain('We are reviewing your report again.');
    expect(reopened).not.toContain('taken it back');
    const again = await aboutAppeal({ outcome: 'granted', restored: false, of_report: true });
    expect(again).not.toContain('It changes nothing');
    expect(await aboutAppeal({ outcome: 'refused' })).toContain('dispute settlement body');
  });

  it.each([
    ['en_US', 'We have reviewed your report', 'on November 26, 2026, and has taken no measures'],
    ['de_DE', 'Wir haben deine Meldung geprüft', 'am 26. November 2026'],
    ['el_GR', 'Εξετάσαμε την αναφορά σας', '26 Νοεμβρίου 2026'],
  ])('has a counterpart to a reporter in %s, which leads to the appeal', async (locale, subject, day) => {
    const { member_id, email } = await auth.addMember();
    const body = { member_id, decision_id: v7(), locale, filed_at: '2026-11-26T12:00:00.000Z' };
    await auth.internal('/internal/accounts/notify-report', body).expect(200, {});
    await auth.internal('/internal/accounts/notify-report', { ...body, member_id: v7() }).expect(200, {});
    await auth.context.afterResponse.drained();
    const mail = (await auth.mailbox.to(email)).find(({ path: of }) => of.startsWith('/appeal/'));
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(day);
  });

  it('goes to a former address, too, and what tells of another member does not', async () => {
    const { member_id, email: former } = await auth.addMember();
    const email = `new-${former}`;
    const sign_in = { methods: ['pwd'], at: Math.floor(Date.now() / 1000) };
    await auth.internal('/internal/accounts/change-email', { member_id, email, sign_in }).expect(200);
    const browser = auth.browser();
    const confirmation = await auth.mailbox.wait(email, 'Please confirm your new email');
    await browser.submit(await browser.open(confirmation.path), {});
    const filed_at = '2026-11-26T12:00:00.000Z';
    for (const [of, body] of [
      ['report', { decision_id: v7(), filed_at }],
      ['appeal', { outcome: 'granted', of_report: true }],
      ['appeal', { outcome: 'refused', of_report: true }],
      ['appeal', { outcome: 'refused' }],
    ] as const) {
      const input = { member_id, locale: 'en_US', ...body };
      await auth.internal(`/internal/accounts/notify-${of}`, input).expect(200);
      await auth.context.afterResponse.drained();
    }
    const subjectsAt = async (address: string) =>
      (await auth.mailbox.to(address))
        .map(({ subject }) => subject)
        .filter((one) => /appeal|report/.test(one));
    const refused = 'Your appeal was refused';
    const all = ['We have reviewed your report', 'Your appeal was granted', refused, refused];
    expect(await subjectsAt(email)).toEqual(all);
    expect(await subjectsAt(former)).toEqual([refused]);
  });

  it('is taken back by another mail, in the language of the member', async () => {
    const { member_id, email } = await auth.addMember();
    const restored = { member_id, locale: 'fr_FR' };
    await auth.internal('/internal/accounts/notify-restored', restored).expect(200, {});
    await auth
      .internal('/internal/accounts/notify-restored', { ...restored, member_id: v7() })
      .expect(200, {});
    await auth.context.afterResponse.drained();
    const mails = await auth.mailbox.to(email);
    expect(mails.map(({ subject }) => subject)).toContain('Votre profil est rétabli');
  });
});
