import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { endRetention } from '../../src/moderation/end-retention.ts';
import { notifyDecisions } from '../../src/moderation/notifications/notify-decisions.ts';
import { countMonths } from '../../src/moderation/transparency/count-months.ts';
import { eraseMembers } from '../../src/privacy/erase-member.ts';
import { jpegOf } from '../support/images.ts';
import { manual, path, startModeration, type Moderation, why } from '../support/moderation.ts';
import type { TestMember } from '../harness.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
let entries: Moderation['entries'];
beforeAll(async () => {
  ({ service, ann, bob, entries } = await startModeration('statements'));
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
    expect(JSON.stringify([await own(adam), mailsTo(adam)])).not.toContain(`${adam.id}:${eve.id}`);
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

const hourMs = 3_600_000;
const monthOf = () => service.context.clock().toISOString().slice(0, 7);
/** Two hours into the next month, when the one before is counted. */
const toNextMonth = () => {
  const now = service.context.clock();
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  service.advance(next - now.getTime() + 2 * hourMs);
};
const reportOf = (month: string, query = '', staff = bob) =>
  staff.get(`/staff/transparency?from=${month}&to=${month}${query}`);
const count = (measure: string, category: string, number: number | null) => ({
  measure,
  category,
  count: number,
  median_hours: null,
});
const rowsOf = async (month: string, measure: string, query = ''): Promise<unknown[]> => {
  const { body } = await reportOf(month, query).expect(200);
  return (body.rows as { readonly measure: string }[]).filter((row) => row.measure === measure);
};

const visitFromGermany = ({ id }: TestMember) =>
  service.context.members.store.change(id, ({ fields, presence }) => ({
    fields: { ...fields, country: 'DE' },
    presence: { ...presence, last_seen: service.context.clock() },
  }));

describe('the transparency report', () => {
  it('counts a month once, and is the same when members and evidence are gone', async () => {
    // The first month is the one after the first round.
    await countMonths(service.context);
    await reportOf(monthOf()).expect(404);
    toNextMonth();
    const month = monthOf();
    const eve = await service.register({ gender: 'Female', genderpreference: 'Male' });
    const members: TestMember[] = [];
    for (let each = 0; each < 7; each += 1) members.push(await service.register(manual));
    const [first, second, ...others] = members;
    if (!first || !second) throw new Error('nobody registered');
    for (const { id } of members.slice(0, 6))
      await eve.post('/report', { profileid: id, category: 'scam' }).expect(200);
    const named = { reason_id: 'scam', report_id: `${first.id}:${eve.id}` };
    service.advance(hourMs);
    await ann.post(path(first, 'suspend'), { ...named, ban: true }).expect(200);
    for (const member of [second, ...others.slice(0, 4)]) {
      service.advance(hourMs);
      await ann.post(path(member, 'reject'), { reason_id: 'fake_profile' }).expect(200);
      await ann.post(`/staff/reports/${member.id}:${eve.id}/close`).expect(200);
    }
    const { body } = await ann.post(path(others[4] ?? first, 'reject'), { reason: 'No' }).expect(200);
    await ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
    const [decision] = (await own(second)).decisions;
    await second.post(`/members/self/decisions/${decision.decision_id}/appeal`, { text: 'No!' }).expect(200);
    const { body: waiting } = await bob.get('/staff/appeals').expect(200);
    await bob.post(`/staff/appeals/${waiting.entries[0].appeal_id}/grant`).expect(200);
    await visitFromGermany(second);
    service.advance(2 * hourMs);
    await countMonths(service.context);
    await reportOf(month).expect(404);
    await ann.post(path(first, 'unsuspend')).expect(200);
    await ann.post(`/staff/reports/${first.id}:${eve.id}/close`).expect(200);

    toNextMonth();
    await visitFromGermany(await service.register(manual));
    await Promise.all([countMonths(service.context), countMonths(service.context)]);
    const before = await reportOf(month, '&siteid=2&format=csv').expect(200);
    const header = `${month},${month}`;
    expect((before.body.csv as string).split('\n')).toEqual([
      'from,to,measure,category,count,median_hours',
      `${header},decisions_by_restriction,total,6,`,
      `${header},decisions_by_restriction,withheld,6,`,
      `${header},decisions_by_basis,total,6,`,
      `${header},decisions_by_basis,terms,6,`,
      `${header},decisions_by_reason,total,6,`,
      `${header},decisions_by_reason,withheld,6,`,
      `${header},decisions_by_source,total,6,`,
      `${header},decisions_by_source,withheld,6,`,
      `${header},decisions_by_detection,total,6,`,
      `${header},decisions_by_detection,person,6,`,
      `${header},decisions_taken_back,total,2,`,
      `${header},decisions_taken_back,withheld,2,`,
      `${header},automated_detections,total,0,`,
      `${header},automated_detections_taken_back,total,0,`,
      `${header},suspensions_for_misuse,total,0,`,
      `${header},reports_received,total,6,`,
      `${header},reports_received,scam,6,`,
      `${header},reports_decided,total,6,3.5`,
      `${header},reports_decided,scam,6,3.5`,
      `${header},reports_by_outcome,total,6,`,
      `${header},reports_by_outcome,measures,6,`,
      `${header},appeals_received,total,1,`,
      `${header},appeals_received,withheld,1,`,
      `${header},appeals_decided,total,1,`,
      `${header},appeals_decided,withheld,1,`,
      `${header},active_recipients_in_union,average,1,`,
      `${header},active_recipients_in_union,${month},1,`,
      '',
    ]);

    for (const member of members) await ann.post(path(member, 'delete'), why).expect(200);
    service.advance(400 * 24 * hourMs);
    const left = () => service.context.members.store.byIds(members.map(({ id }) => id));
    await until('erased', async () => !(await eraseMembers(service.context)) && !(await left()).length);
    await endRetention(service.context);
    await countMonths(service.context);
    expect((await reportOf(month, '&siteid=2&format=csv').expect(200)).text).toBe(before.text);
  });

  it('counts what a program pointed out, and does not tell few cases apart', async () => {
    toNextMonth();
    await countMonths(service.context);
    const month = monthOf();
    const adam = await service.register();
    for (const [index, decision] of ['approve', 'reject', 'reject', 'reject', 'reject'].entries()) {
      await adam.post('/members/self', { headline: `Write to adam${index}@mail.example` }).expect(200);
      await ann.post(path(adam, `texts/headline/${decision}`), why).expect(200);
    }
    // It stays on the member until the history takes it.
    jest.spyOn(service.context.moderation.decisions, 'append').mockRejectedValueOnce(new Error('away'));
    await ann.post(path(adam, 'suspend'), { reason_id: 'illegal' }).expect(200);
    const early = monthOf();
    toNextMonth();
    service.advance(48 * hourMs);
    await countMonths(service.context);
    expect(await rowsOf(month, 'automated_detections')).toEqual([
      count('automated_detections', 'total', 5),
      count('automated_detections', 'withheld', 5),
    ]);
    expect(await rowsOf(month, 'decisions_by_detection')).toEqual([
      count('decisions_by_detection', 'total', 5),
      count('decisions_by_detection', 'withheld', 5),
    ]);
    expect(await rowsOf(month, 'suspensions_for_misuse')).toEqual([
      count('suspensions_for_misuse', 'total', 0),
    ]);
    expect(await rowsOf(early, 'active_recipients_in_union')).toEqual([
      count('active_recipients_in_union', 'average', null),
      count('active_recipients_in_union', early, null),
    ]);
    expect(await rowsOf(month, 'decisions_by_basis', '&siteid=2')).toEqual([
      count('decisions_by_basis', 'total', 0),
    ]);
  });

  it('has the sites of the role, and months that were counted', async () => {
    const month = monthOf();
    const before = new Date(service.context.clock().getTime() - 31 * 24 * hourMs).toISOString().slice(0, 7);
    const grace = await service.staff({ 1: ['moderator'], 2: ['support'] });
    expect((await reportOf(before, '', grace).expect(200)).body).toMatchObject({ siteids: [1] });
    expect((await reportOf(before, '', await service.staff({ '*': ['operator'] }))).status).toBe(200);
    await reportOf(before, '&siteid=2', grace).expect(403);
    await reportOf(before, '', await service.staff({ '*': ['support'] })).expect(403);
    await reportOf(month).expect(404);
    await reportOf('2020-01').expect(404);
    for (const period of ['from=2026-12&to=2026-11', 'from=2026-13&to=2026-13', 'from=2020-01&to=2026-01'])
      await bob.get(`/staff/transparency?${period}`).expect(403);
  });
});
