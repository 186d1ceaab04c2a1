import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runAppeals } from '../../../src/moderation/appeals/reverse-decision.ts';
import { endRetention } from '../../../src/moderation/end-retention.ts';
import { notifyDecisions } from '../../../src/moderation/notifications/notify-decisions.ts';
import { countSpan } from '../../../src/moderation/transparency/count-span.ts';
import { eraseMembers } from '../../../src/privacy/erase-member.ts';
import { appealing } from '../../support/appealing.ts';
import { path, startModeration, type Moderation, why } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

const dayMs = 86_400_000;
const text = 'He asked others for money, too.';

let started: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
let bob: Moderation['bob'];
beforeAll(async () => {
  started = await startModeration('report-appeals');
  ({ service, ann, bob } = started);
});
afterAll(() => service.close());

const { decide, waiting, waitingOf, appealOf, mailsTo, appealOnPage, readOnPage } = appealing(() => started);

const woman = () => service.register({ gender: 'Female', genderpreference: 'Male' });
const report = (reporter: TestMember, other: TestMember) =>
  reporter.post('/report', { profileid: other.id, category: 'scam', reason: 'Asks for money' }).expect(200);
const keyOf = (reporter: TestMember, other: TestMember) => `${other.id}:${reporter.id}`;
const close = (reporter: TestMember, other: TestMember, body: object = {}) =>
  ann.post(`/staff/reports/${keyOf(reporter, other)}/close`, body).expect(200);
/** A report that was closed without measures. */
const closed = async (reporter: TestMember, other: TestMember) => {
  await report(reporter, other);
  await close(reporter, other);
};
const appeal = (reporter: TestMember, other: { readonly id: number | string }, body: object = { text }) =>
  reporter.post(`/members/self/reports/${other.id}/appeal`, body);
const storedReport = async (reporter: TestMember, other: TestMember) =>
  service.context.moderation.reports.find(keyOf(reporter, other));
const closingOf = async (reporter: TestMember, other: TestMember) =>
  (await storedReport(reporter, other))?.closed_as ?? 'none';
const own = async (reporter: TestMember) =>
  (await reporter.get('/members/self/reports').expect(200)).body.reports as readonly {
    readonly appeal: { readonly state: string; readonly until: string } | null;
  }[];
/** The mails to a reporter about closed reports. */
const closingsTo = async ({ memberId }: TestMember) => {
  service.advance(60_001);
  await notifyDecisions(service.context);
  return service.auth.reports.filter(({ member_id }) => member_id === memberId);
};
const openReport = (other: TestMember) => started.entryOf('report', other);

describe('a reporter', () => {
  it('can appeal once, within six months, that staff took no measures', async () => {
    const [eve, thief, adam] = [await woman(), await woman(), await service.register()];
    expect((await appeal(eve, adam)).status).toBe(404);
    await report(eve, adam);
    expect(await own(eve)).toMatchObject([{ state: 'received', appeal: null }]);
    expect((await appeal(eve, adam)).status).toBe(409);
    await close(eve, adam);
    const lastDay = new Date(service.context.clock().getTime() + 183 * dayMs).toISOString().slice(0, 10);
    expect(await own(eve)).toMatchObject([
      { outcome: 'none', appeal: { state: 'open', until: lastDay, answer: null } },
    ]);
    const id = await closingOf(eve, adam);
    for (const other of [thief, adam]) {
      expect((await appeal(other, adam)).status).toBe(404);
      expect((await appealOnPage(other, id)).status).toBe(404);
      expect((await readOnPage(other, id)).status).toBe(404);
      expect((await other.post(`/members/self/decisions/${id}/appeal`, { text })).status).toBe(404);
    }
    expect((await appeal(eve, { id: 'nobody' })).status).toBe(404);
    expect((await appeal(eve, adam, { text: ' ' })).status).toBe(403);
    service.advance(184 * dayMs);
    expect((await appeal(eve, adam)).status).toBe(409);
    expect(await own(eve)).toMatchObject([{ appeal: { state: 'ended' } }]);
    service.advance(-dayMs);
    const answers = await Promise.all([appeal(eve, adam), appeal(eve, adam), appealOnPage(eve, id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
    expect(await own(eve)).toMatchObject([{ state: 'decided', appeal: { state: 'waiting' } }]);
    expect((await readOnPage(eve, id)).body).toMatchObject({ state: 'waiting' });
    service.advance(-183 * dayMs);
  });

  it('hears of the closing by a mail that leads to the appeal, and not of measures', async () => {
    const [eve, adam, bert] = [await woman(), await service.register(), await service.register()];
    await closed(eve, adam);
    await report(eve, bert);
    await close(eve, bert, { outcome: 'measures' });
    const mails = await closingsTo(eve);
    const decision_id = await closingOf(eve, adam);
    expect(mails).toEqual([
      { member_id: eve.memberId, decision_id, locale: expect.any(String), filed_at: expect.any(String) },
    ]);
    expect((await readOnPage(eve, decision_id)).body).toMatchObject({ state: 'open', siteid: 1 });
    expect(await own(eve)).toMatchObject([
      { appeal: { state: 'open' } },
      { outcome: 'measures', appeal: null },
    ]);
    expect((await appeal(eve, bert)).status).toBe(409);
    expect(await closingsTo(eve)).toHaveLength(1);
  });

  it('may be suspended since, and appeal on the page', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    await ann.post(path(eve, 'suspend'), why).expect(200);
    expect((await appeal(eve, adam)).status).toBe(401);
    const id = await closingOf(eve, adam);
    expect((await appealOnPage(eve, id)).status).toBe(200);
    expect((await decide(eve, 'grant')).body).toMatchObject({ id: eve.id, taken_back: true });
    expect((await readOnPage(eve, id)).body).toMatchObject({ state: 'granted' });
    expect(await openReport(adam)).toBeDefined();
  });
});

describe('an appeal of a reporter', () => {
  it('is decided by another person, and opens the report again with its evidence', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    const from = service.context.clock();
    await appeal(eve, adam).expect(200);
    const counts = await countSpan(service.context, from, new Date(from.getTime() + 60_000));
    const received = counts.filter(({ measure }) => measure === 'appeals_received');
    expect(received.map(({ category }) => category)).toEqual(['total', 'report']);
    expect((await waiting(ann)).find(({ id }) => id === eve.id)).toMatchObject({ own: true });
    expect(await waitingOf(eve)).toMatchObject({
      reported: adam.id,
      text,
      own: false,
      in_force: true,
      erased: false,
      decision: { action: 'close-report', staff_id: ann.memberId, report_id: keyOf(eve, adam) },
    });
    expect((await decide(eve, 'grant', ann)).status).toBe(403);
    expect((await decide(eve, 'grant')).body).toEqual({ id: eve.id, taken_back: true, later: null });
    expect(await openReport(adam)).toMatchObject({ reporter: eve.id, category: 'scam' });
    expect(await own(eve)).toMatchObject([
      { state: 'received', outcome: null, decided_on: null, appeal: { state: 'granted' } },
    ]);
    expect(await mailsTo(eve)).toMatchObject([{ outcome: 'granted', of_report: true, restored: true }]);
    const { body } = await bob.get(path(adam, 'evidence')).expect(200);
    expect(body.entries).toHaveLength(1);
    expect(await started.actions(adam)).toEqual(['reopen-report', 'close-report']);

    await close(eve, adam, { outcome: 'measures' });
    expect(await own(eve)).toMatchObject([{ state: 'decided', outcome: 'measures', appeal: null }]);
  });

  it('that is refused gives the answer, which is no saved reason, and leaves the report closed', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    await appeal(eve, adam).expect(200);
    const { appeal_id } = (await waitingOf(eve)) ?? {};
    for (const body of [{}, { reason_id: 'scam' }])
      await bob.post(`/staff/appeals/${appeal_id}/refuse`, body).expect(403);
    expect((await decide(eve, 'refuse')).status).toBe(200);
    const answer = 'We looked at it again.';
    expect(await own(eve)).toMatchObject([{ outcome: 'none', appeal: { state: 'refused', answer } }]);
    expect(await mailsTo(eve)).toMatchObject([{ outcome: 'refused', answer, of_report: true }]);
    expect((await appeal(eve, adam)).status).toBe(409);
    expect(await openReport(adam)).toBeUndefined();
    expect(await started.actions(adam)).toEqual(['keep-report-closed', 'close-report']);
  });

  it('changes nothing where the reporter has reported again, and can be repeated after the next closing', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    await appeal(eve, adam).expect(200);
    await closed(eve, adam);
    expect(await waitingOf(eve)).toMatchObject({ in_force: false });
    expect((await decide(eve, 'grant')).body).toMatchObject({ taken_back: false });
    expect(await openReport(adam)).toBeUndefined();
    expect(await own(eve)).toMatchObject([{ outcome: 'none', appeal: { state: 'open' } }]);
    expect((await appeal(eve, adam)).status).toBe(200);
  });

  it('is in the history once where calls grant it at once', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    await appeal(eve, adam).expect(200);
    const id = await appealOf(eve);
    const grants = [1, 2, 3].map(() => bob.post(`/staff/appeals/${id}/grant`).expect(200));
    for (const { body } of await Promise.all(grants)) expect(body).toMatchObject({ taken_back: true });
    expect(await started.actions(adam)).toEqual(['reopen-report', 'close-report']);
    expect(await openReport(adam)).toBeDefined();
  });

  it.each(['append', 'reopen'])('is carried out later where the call failed: %s', async (step) => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    await appeal(eve, adam).expect(200);
    const { decisions, reports } = service.context.moderation;
    const failing = step === 'append' ? jest.spyOn(decisions, 'append') : jest.spyOn(reports, 'reopen');
    failing.mockRejectedValueOnce(new Error('the database is away'));
    expect((await decide(eve, 'grant')).status).toBe(500);
    failing.mockRestore();
    expect(await mailsTo(eve)).toEqual([]);
    service.advance(61_000);
    await until('carried out', async () => {
      await runAppeals(service.context);
      return (await openReport(adam)) !== undefined;
    });
    expect(await started.actions(adam)).toEqual(['reopen-report', 'close-report']);
    expect(await mailsTo(eve)).toMatchObject([{ outcome: 'granted', restored: true }]);
  });

  it('keeps the evidence beyond its retention while it waits', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    await closed(eve, adam);
    service.advance(180 * dayMs);
    await appeal(eve, adam).expect(200);
    service.advance(200 * dayMs);
    await endRetention(service.context);
    const kept = () => service.context.moderation.evidence.about(adam.id, 1);
    expect(await kept()).toHaveLength(1);
    expect((await decide(eve, 'refuse')).status).toBe(200);
    // A later round looks at it again.
    await until('deleted', async () => !(await endRetention(service.context)) && !(await kept()).length);
    service.advance(-380 * dayMs);
  });
});

describe('an appeal of a stalker or a spammer', () => {
  it('tells the blocked neither what was decided on other reports, nor that nothing was', async () => {
    const [victim, stalker, friend] = [await service.register(), await woman(), await woman()];
    const other = await service.register();
    for (const reporter of [stalker, friend]) await report(reporter, victim);
    await report(stalker, other);
    for (const member of [victim, other]) await member.post('/block', { profileid: stalker.id }).expect(200);
    await ann.post(path(victim, 'suspend'), why).expect(200);
    await close(stalker, other);
    const [ofVictim, ofOther] = await own(stalker);
    expect(ofVictim).toMatchObject({ state: 'decided', outcome: null, appeal: null });
    expect({ ...ofOther, profileid: victim.id, filed_at: '' }).toEqual({ ...ofVictim, filed_at: '' });
    for (const member of [victim, other]) {
      const { status, text: said } = await appeal(stalker, member);
      expect([status, said]).toEqual([409, '{"fail":"Conflict"}']);
    }
    expect(await closingsTo(stalker)).toEqual([]);
    // The outcome that the blocked are told can be appealed.
    await report(stalker, other);
    await close(stalker, other, { outcome: 'none' });
    expect(await closingsTo(stalker)).toHaveLength(1);
    expect((await appeal(stalker, other)).status).toBe(200);
    expect((await decide(stalker, 'grant')).status).toBe(200);
    await ann.post(path(other, 'suspend'), why).expect(200);
    expect((await own(stalker))[1]).toMatchObject({ state: 'decided', outcome: null, appeal: null });
  });

  it('is unknown to the reported member', async () => {
    const [eve, adam] = [await woman(), await service.register()];
    const seen = async () => {
      const { body } = await adam.get('/members/self/export').expect(200);
      return { ...body.moderation, reports_about: body.moderation.reports_about.length };
    };
    await closed(eve, adam);
    const before = await seen();
    await appeal(eve, adam).expect(200);
    expect((await decide(eve, 'refuse')).status).toBe(200);
    expect(await seen()).toEqual(before);
    await closed(eve, adam);
    await appeal(eve, adam).expect(200);
    expect((await decide(eve, 'grant')).status).toBe(200);
    expect((await seen()).appeals).toEqual([]);
    expect(JSON.stringify(await seen())).not.toContain('We looked at it again.');
    const { body } = await eve.get('/members/self/export').expect(200);
    expect(body.moderation.appeals).toMatchObject([
      { profileid: adam.id, text, outcome: 'refused' },
      { profileid: adam.id, text, outcome: 'granted' },
    ]);
    expect(body.moderation.appeals[0]).not.toHaveProperty('decision_id');
  });

  it('waits with at most four others, also when many are filed at once', async () => {
    const eve = await woman();
    const others: TestMember[] = [];
    for (let count = 0; count < 7; count += 1) {
      const other = await service.register();
      others.push(other);
      await closed(eve, other);
    }
    const [first, ...rest] = others;
    if (!first) throw new Error('nobody registered');
    const answers = await Promise.all(rest.map((other) => appeal(eve, other)));
    expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    const count = async () => service.context.moderation.appeals.countWaiting(eve.id);
    expect(await count()).toBeLessThanOrEqual(5);
    while ((await count()) < 5) {
      const reports = (await own(eve)) as unknown as { profileid: number; appeal: { state: string } }[];
      const open = reports.find(
        ({ profileid, appeal: { state } }) => profileid !== first.id && state === 'open',
      );
      expect((await appeal(eve, { id: open?.profileid ?? 0 })).status).toBe(200);
    }
    const stored = jest.spyOn(service.context.moderation.appeals, 'file');
    const refused = await appeal(eve, first);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect((await appealOnPage(eve, await closingOf(eve, first))).status).toBe(429);
    // Nobody may see an appeal that is withdrawn at once.
    expect(stored).not.toHaveBeenCalled();
    stored.mockRestore();
    expect((await decide(eve, 'refuse')).status).toBe(200);
    expect((await appeal(eve, first)).status).toBe(200);
  });

  it('goes with the erasure of the reporter or of the reported member', async () => {
    const [eve, ada, adam] = [await woman(), await woman(), await service.register()];
    const bert = await service.register();
    for (const [reporter, other] of [
      [eve, adam],
      [ada, bert],
    ] as const) {
      await closed(reporter, other);
      await appeal(reporter, other).expect(200);
    }
    const ids = [await closingOf(eve, adam), await closingOf(ada, bert)] as const;
    for (const member of [eve, bert]) await ann.post(path(member, 'delete'), why).expect(200);
    service.advance(31 * dayMs);
    const left = () => service.context.members.store.byIds([eve.id, bert.id]);
    await until('erased', async () => !(await eraseMembers(service.context)) && !(await left()).length);
    expect(await waitingOf(eve)).toBeUndefined();
    expect(await waitingOf(ada)).toBeUndefined();
    const { appeals } = service.context.moderation;
    for (const decision of ids) expect(await appeals.against(decision)).toBeUndefined();
    expect((await readOnPage(eve, ids[0])).status).toBe(404);
    expect((await readOnPage(ada, ids[1])).status).toBe(404);
    expect(await own(ada)).toEqual([]);
  });
});
