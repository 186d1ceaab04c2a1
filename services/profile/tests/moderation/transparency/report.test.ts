import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { endRetention } from '../../../src/moderation/end-retention.ts';
import { countMonths } from '../../../src/moderation/transparency/count-months.ts';
import { eraseMembers } from '../../../src/privacy/erase-member.ts';
import type { TestMember } from '../../harness.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
beforeAll(async () => {
  ({ service, ann, bob } = await startModeration('transparency'));
});
afterAll(() => service.close());

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
    const { body: own } = await second.get('/members/self/decisions').expect(200);
    const [decision] = own.decisions;
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
