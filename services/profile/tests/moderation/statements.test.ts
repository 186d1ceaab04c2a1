import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifyDecisions } from '../../src/moderation/notifications/notify-decisions.ts';
import { jpegOf } from '../support/images.ts';
import { manual, path, startModeration, type Moderation, why } from '../support/moderation.ts';
import type { TestMember } from '../harness.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let entries: Moderation['entries'];
beforeAll(async () => {
  ({ service, ann, entries } = await startModeration('statements'));
});
afterAll(() => service.close());

const own = async (member: TestMember, query = '') =>
  (await member.get(`/members/self/decisions${query}`).expect(200)).body;
/** The mails about decisions on a member, once they cannot be undone any more. */
const mailed = async (member: TestMember) => {
  service.advance(31_000);
  expect(await notifyDecisions(service.context)).toBe(0);
  return mailsTo(member);
};
const mailsTo = ({ memberId }: TestMember) =>
  service.auth.decisions.filter(({ member_id }) => member_id === memberId);
const inTurkish = async (member: TestMember) => {
  await service.context.members.store.change(member.id, ({ fields }) => ({
    fields: { ...fields, locale: 'tr_TR' },
  }));
};

const plain = {
  ground: 'terms',
  basis: 'terms',
  clause: null,
  text: 'It does not meet the terms of use.',
  facts: null,
  source: 'own_initiative',
  automated_detection: false,
  automated_decision: false,
  scope: 'site',
  ban_until: null,
};

describe('the statement of reasons', () => {
  it('of a rejected text has ground, facts, source and detection, by API and by mail in the language of the member', async () => {
    const [eve, adam] = [
      await service.register({ gender: 'Female', genderpreference: 'Male' }),
      await service.register(manual),
    ];
    await ann.post(path(adam, 'approve')).expect(200);
    await inTurkish(adam);
    await eve.post('/report', { profileid: adam.id }).expect(200);
    await adam.post('/members/self', { headline: 'Write to adam@mail.example' }).expect(200);
    const { body } = await ann
      .post(path(adam, 'texts/headline/reject'), {
        reason_id: 'contact_data',
        facts: 'The headline has an email address.',
        report_id: `${adam.id}:${eve.id}`,
      })
      .expect(200);
    const decision = {
      decision_id: body.decision_id,
      at: expect.any(String),
      action: 'reject-text',
      field: 'headline',
      statement: {
        ...plain,
        ground: 'contact_data',
        text: 'İletişim bilgileri içeriyor. Tanışana kadar lütfen sitedeki mesajları kullanın.',
        facts: 'The headline has an email address.',
        source: 'report',
        automated_detection: true,
      },
      reversed: false,
      appeal: { state: 'open', until: expect.any(String), answer: null },
    };
    expect(await own(adam)).toEqual({ decisions: [decision], next: null });
    expect(await own(eve)).toEqual({ decisions: [], next: null });
    expect(await mailed(adam)).toEqual([
      {
        member_id: adam.memberId,
        decision_id: body.decision_id,
        locale: 'tr_TR',
        action: 'reject-text',
        text: decision.statement.text,
        basis: 'terms',
        facts: decision.statement.facts,
        reported: true,
        detected: true,
      },
    ]);
    // Nothing of the reporter or of the staff.
    expect(JSON.stringify([await own(adam), mailsTo(adam)])).not.toContain(`"${adam.id}:${eve.id}"`);
    expect(JSON.stringify(await own(adam))).not.toContain(ann.memberId);
    expect(await entries(adam)).toMatchObject([{ statement: decision.statement }, { action: 'approve' }]);
    const { body: archive } = await adam.get('/members/self/export').expect(200);
    expect(archive.moderation.history[0]).toMatchObject({ statement: decision.statement });
  });

  it.each([
    ['reject', {}],
    ['suspend', {}],
    ['delete', { ban: true }],
  ])(
    'of %s names the terms where staff choose no saved reason; their own words are for the history',
    async (action, more) => {
      const member = await service.register(manual);
      await ann.post(path(member, action), { reason: 'Eve was right', ...more }).expect(200);
      const [mail, ...others] = await mailed(member);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ action, text: plain.text, reported: false, detected: false });
      expect(JSON.stringify(mail)).not.toContain('Eve');
      expect(mail?.ban_until !== undefined).toBe('ban' in more);
      await until('told once', async () => (await mailed(member)).length === 1);
    },
  );

  it('of a photo rests on the law where the saved reason does', async () => {
    const member = await service.register(manual);
    const { body: photo } = await member.upload(await jpegOf(60, 60)).expect(200);
    await ann.post(`/staff/photos/${photo.id}/reject`, { reason_id: 'illegal' }).expect(200);
    expect((await own(member)).decisions).toMatchObject([
      { action: 'reject-photo', photoid: photo.id, statement: { basis: 'law', text: 'It breaks the law.' } },
    ]);
    expect(await mailed(member)).toMatchObject([{ action: 'reject-photo', basis: 'law' }]);
  });

  it('of a ban beside a suspension is one with it; of a later ban it is its own', async () => {
    const member = await service.register(manual);
    await ann.post(path(member, 'suspend'), { reason_id: 'scam' }).expect(200);
    await ann.post(path(member, 'suspend'), { reason_id: 'scam', ban: true, all_sites: true }).expect(200);
    expect(await mailed(member)).toMatchObject([{ action: 'suspend' }, { action: 'ban' }]);
    await ann.post(path(member, 'suspend'), { reason_id: 'scam', ban: true, all_sites: true }).expect(200);
    expect(await mailed(member)).toHaveLength(2);
    expect(await entries(member)).toMatchObject([
      { action: 'ban', statement: { scope: 'all_sites', ban_until: expect.any(String) } },
      { action: 'suspend', statement: { scope: 'site', ban_until: null } },
    ]);
  });

  it('is not told of a decision that was undone, and of approvals there is none', async () => {
    const member = await service.register(manual);
    const { body } = await ann.post(path(member, 'reject'), { reason: 'No' }).expect(200);
    await notifyDecisions(service.context);
    expect(mailsTo(member)).toEqual([]);
    await ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
    expect((await own(member)).decisions).toMatchObject([{ action: 'reject', reversed: true }]);
    await ann.post(path(member, 'approve')).expect(200);
    expect(await mailed(member)).toEqual([]);
    expect((await own(member)).decisions).toHaveLength(1);
  });

  it('comes in pages, and after an outage of auth', async () => {
    const member = await service.register(manual);
    for (const headline of ['The first headline', 'The second headline', 'The third headline']) {
      await member.post('/members/self', { headline }).expect(200);
      await ann.post(path(member, 'approve')).expect(200);
      await ann.post(path(member, 'reject'), { reason: headline }).expect(200);
    }
    const first = await own(member, '?pagesize=2');
    expect(first.decisions).toHaveLength(2);
    const second = await own(member, `?pagesize=2&cursor=${first.next}`);
    expect(second).toMatchObject({ decisions: [{ action: 'reject' }], next: null });
    await member.get('/members/self/decisions?pagesize=1000').expect(403);
    service.advance(31_000);
    service.auth.failNext('notify-decision');
    await notifyDecisions(service.context);
    await until('all told', async () => (await mailed(member)).length === 3);
  });

  it('is refused with a report about somebody else, and with a saved reason of another site', async () => {
    const [eve, adam, bert] = [
      await service.register({ gender: 'Female', genderpreference: 'Male' }),
      await service.register(),
      await service.register(manual),
    ];
    await eve.post('/report', { profileid: adam.id }).expect(200);
    const report_id = `${adam.id}:${eve.id}`;
    for (const named of [report_id, `${bert.id}:${eve.id}`, 'x'])
      await ann.post(path(bert, 'suspend'), { ...why, report_id: named }).expect(404);
    expect(await entries(bert)).toEqual([]);
    await ann.post(path(adam, 'suspend'), { ...why, report_id }).expect(200);
    const { body } = await eve.get('/members/self/reports').expect(200);
    expect(body.reports).toMatchObject([{ state: 'decided', outcome: 'measures' }]);
  });
});
