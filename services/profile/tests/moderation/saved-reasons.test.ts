import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReasons, type SavedReasons } from '../../src/moderation/saved-reasons.ts';
import { endProposals } from '../../src/moderation/strikes.ts';
import { notifyDecisions } from '../../src/moderation/notifications/notify-decisions.ts';
import { describeScamSignals } from './signals/scam-signals.ts';
import type { TestMember } from '../harness.ts';
import { manual, path, startModeration, type Moderation } from '../support/moderation.ts';

const shipped = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../data/decision-reasons.json'), 'utf8'),
) as SavedReasons;
const [first] = shipped;
const day = 86_400_000;

describe('saved reasons', () => {
  let service: Moderation['service'];
  let ann: Moderation['ann'];
  let bob: Moderation['bob'];
  let entries: Moderation['entries'];
  let all: Moderation;
  beforeAll(async () => {
    all = await startModeration('reasons');
    ({ service, ann, bob, entries } = all);
  });
  afterAll(() => service.close());

  it('are kept with the decision in the language of the member, else in English', async () => {
    const reason_id = 'advertising';
    const expected: Readonly<Record<string, string | undefined>> = {
      de_AT: shipped.find(({ id }) => id === reason_id)?.texts.de,
      nl_NL: shipped.find(({ id }) => id === reason_id)?.texts.en,
    };
    for (const [locale, reason] of Object.entries(expected)) {
      const member = await service.register(manual);
      await service.context.members.store.change(member.id, ({ fields }) => ({
        fields: { ...fields, locale },
      }));
      await ann.post(path(member, 'reject'), { reason_id }).expect(200);
      expect(await entries(member)).toMatchObject([{ action: 'reject', reason, reason_id }]);
    }
    const { body } = await ann.get('/staff/reasons').expect(200);
    expect(body).toEqual({ reasons: shipped });
  });

  it('are refused where they are unknown, do not fit the decision, or stand beside another reason', async () => {
    const member = await service.register(manual);
    const bodies = [
      {},
      { reason_id: 'nothing' },
      { reason_id: 'photo_of_others' },
      // Fraud needs a ban: a rejection leaves the fraudster signed in.
      { reason_id: 'scam' },
      { reason_id: 'advertising', reason: 'Sells cars' },
    ];
    const answers = await Promise.all(bodies.map((body) => ann.post(path(member, 'reject'), body)));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 403));
    await ann.post(path(member, 'suspend'), { reason_id: 'contact_data' }).expect(403);
    expect(await entries(member)).toEqual([]);
  });

  it('have points that add up to a proposal, expire, and are taken back by a granted appeal', async () => {
    const [member, elsewhere] = [await service.register({ siteid: 5 }), await service.register()];
    const strikes = async ({ id } = member) =>
      (await ann.get(`/staff/members/${id}`).expect(200)).body.strikes;
    const own = async () => (await member.get('/members/self/decisions').expect(200)).body.decisions;
    const points = async () => (await own()).map((each: { readonly points: number }) => each.points);
    const rejectText = async (headline: string) => {
      await member.post('/members/self', { headline }).expect(200);
      await ann.post(path(member, 'texts/headline/reject'), { reason_id: 'contact_data' }).expect(200);
    };
    expect(await strikes()).toEqual({ points: 0, proposal: null });
    await rejectText('Write to a@mail.example');
    expect(await strikes()).toEqual({ points: 1, proposal: 'warning' });
    service.advance(60 * day);
    await rejectText('Write to b@mail.example');
    await ann.post(path(member, 'reject'), { reason_id: 'fake_profile' }).expect(200);
    expect(await strikes()).toEqual({ points: 5, proposal: 'suspension' });
    expect(await points()).toEqual([3, 1, 1]);
    const [{ decision_id }] = await own();
    await member.post(`/members/self/decisions/${decision_id}/appeal`, { text: 'It is me.' }).expect(200);
    const { body } = await bob.get('/staff/appeals').expect(200);
    await bob.post(`/staff/appeals/${body.entries[0].appeal_id}/grant`).expect(200);
    expect(await strikes()).toEqual({ points: 2, proposal: 'warning' });
    service.advance(31 * day);
    expect(await points()).toEqual([0, 1, 0]);
    expect(await strikes()).toEqual({ points: 1, proposal: 'warning' });
    await ann.post(path(member, 'suspend'), { reason_id: 'scam' }).expect(200);
    await ann.post(path(member, 'unsuspend')).expect(200);
    expect(await strikes()).toEqual({ points: 11, proposal: 'suspension' });
    await ann.post(path(member, 'suspend'), { reason_id: 'scam' }).expect(200);
    await ann.post(path(member, 'unsuspend'), { mistaken: true }).expect(200);
    expect(await strikes()).toEqual({ points: 11, proposal: 'suspension' });
    await ann.post(path(elsewhere, 'reject'), { reason_id: 'fake_profile' }).expect(200);
    expect(await strikes(elsewhere)).toBeUndefined();
    service.advance(31_000);
    await notifyDecisions(service.context);
    const mails = service.auth.decisions.filter(({ member_id }) => member_id === elsewhere.memberId);
    expect(mails[0]).toMatchObject({ action: 'reject' });
    expect(mails[0]).not.toHaveProperty('warned');
  });

  it('with enough points bring the member into the queue, unnoticed, until staff have looked', async () => {
    const member = await service.register({ siteid: 5 });
    const edit = (headline: string) => member.post('/members/self', { headline }).expect(200);
    const reject = async (headline: string) => {
      await edit(headline);
      const about = path(member, 'texts/headline/reject');
      return (await ann.post(about, { reason_id: 'contact_data' }).expect(200)).body.decision_id as string;
    };
    const entry = () => all.entryOf('profile', member, { flagged: 'true' });
    await ann.post(path(member, 'reject'), { reason_id: 'fake_profile' }).expect(200);
    await edit('It is really me');
    await ann.post(path(member, 'approve')).expect(200);
    expect(await entry()).toBeUndefined();
    const before = await all.own(member);
    const id = await reject('Write to a@mail.example');
    expect(await entry()).toMatchObject({ flags: { strikes: ['proposal'] } });
    await ann.post(`/staff/decisions/${id}/undo`).expect(200);
    expect(await entry()).toBeUndefined();

    await reject('Write to b@mail.example');
    service.advance(31_000);
    await notifyDecisions(service.context);
    const mails = service.auth.decisions.filter(({ member_id }) => member_id === member.memberId);
    const warnings = mails.map(({ action, warned = false }) => `${action} ${warned}`).sort();
    expect(warnings).toEqual(['reject true', 'reject-text false']);
    expect(await all.own(member)).toEqual({ ...before, since_active: expect.any(Number) });
    const { moderation } = (await member.get('/members/self/export').expect(200)).body;
    expect(moderation).toMatchObject({ waiting: {} });
    expect(JSON.stringify(moderation)).not.toContain('strikes');
    const waiting = await entry();
    await ann.post(path(member, 'approve'), { revision: waiting?.revision }).expect(200);
    expect(await entry()).toBeUndefined();

    await reject('Write to c@mail.example');
    expect(await entry()).toMatchObject({ flags: { strikes: ['proposal'] } });
    const notified = () => all.notifiedOf(member).map((event) => JSON.stringify(event));
    const lastText = '{"subject":"text","decision":"rejected","field":"headline"}';
    await until('the next decision', () => notified().filter((event) => event === lastText).length === 3);
    expect(
      notified().filter((event) => event === '{"subject":"profile","decision":"approved"}'),
    ).toHaveLength(1);
    const { body } = await ann.post(path(member, 'reject'), { reason_id: 'fake_profile' }).expect(200);
    await ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
    expect(await entry()).toMatchObject({ flags: { strikes: ['proposal'] } });
    await ann.post(path(member, 'suspend'), { reason_id: 'scam' }).expect(200);
    expect(await entry()).toBeUndefined();
  });

  /** Rejects a member for a reason with enough points, whose profile then waits. */
  const reachProposal = async (member: TestMember) => {
    await ann.post(path(member, 'reject'), { reason_id: 'illegal' }).expect(200);
    await member.post('/members/self', { headline: 'It is really me' }).expect(200);
  };

  it('with enough points bring the member into the queue, and are told, also where the history fails', async () => {
    const member = await service.register({ siteid: 5 });
    const { decisions } = service.context.moderation;
    const broken = jest.spyOn(decisions, 'append').mockRejectedValue(new Error('away'));
    await reachProposal(member);
    broken.mockRestore();
    const entry = await all.entryOf('profile', member, { flagged: 'true' });
    expect(entry).toMatchObject({ flags: { strikes: ['proposal'] } });
    service.advance(31_000);
    await notifyDecisions(service.context);
    const mails = service.auth.decisions.filter(({ member_id }) => member_id === member.memberId);
    expect(mails).toMatchObject([{ action: 'reject' }]);
    // It proposes a suspension, of which the member must not know.
    expect(mails[0]).not.toHaveProperty('warned');
  });

  it('that expire take the member out of the queue', async () => {
    const [gone, left] = [await service.register({ siteid: 5 }), await service.register({ siteid: 5 })];
    const entries = () =>
      Promise.all([gone, left].map((member) => all.entryOf('profile', member, { flagged: 'true' })));
    await reachProposal(gone);
    service.advance(60 * day);
    await reachProposal(left);
    await endProposals(service.context);
    expect(await entries()).toEqual([expect.anything(), expect.anything()]);
    service.advance(31 * day);
    await endProposals(service.context);
    expect(await entries()).toEqual([undefined, expect.anything()]);
  });

  it.each([
    ['a language is missing', 'tr', [{ ...first, texts: { ...first?.texts, tr: undefined } }]],
    ['a text is empty', 'el', [{ ...first, texts: { ...first?.texts, el: '' } }]],
    ['an id occurs twice', 'unique', [first, first]],
    ['there is none for everything', 'terms', [first]],
    ['a kind is unknown', 'kinds', [{ ...first, kinds: ['report'] }]],
    ['one for fraud only rejects', 'fraud', [{ ...first, fraud: true }]],
  ])('do not start the service when %s', (_title, named, reasons) => {
    expect(() => parseReasons(reasons)).toThrow(named);
  });

  describeScamSignals(() => all);
});
