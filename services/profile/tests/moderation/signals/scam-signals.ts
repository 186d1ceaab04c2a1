import { until } from '@covalence/testing/until';
import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { settleFlags } from '../../../src/moderation/signals/settle-flags.ts';
import { examineMessages } from '../../../src/moderation/signals/examine-messages.ts';
import { messaging, platinum, say, texts } from '../../support/messaging.ts';
import { path, type Moderation } from '../../support/moderation.ts';
import type { TestMember } from '../../harness.ts';

const hour = 3_600_000;
/** Site 7 has the mode `on`, site 3 `shadow`. */
const [on, shadow] = [{ siteid: 7 }, { siteid: 3 }];

const template = (name: string) =>
  `Hello ${name}, I have read your profile and you are the one I was looking for. Tell me of your day!`;

/** Ways to write the same, none of which is the same text. */
const disguises: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('a', 'а'),
  (text) => Array.from(text).join('\u200b'),
  (text) => `${text.toUpperCase()} 4711`,
  (text) => text.replaceAll(' ', ' * '),
];

/** Tests of the scam signals that staff see, and of their effects. */
export function describeScamSignals(all: () => Moderation): void {
  const service = () => all().service;
  const { patch, woman } = messaging(service);
  const examine = () =>
    until('examined', async () => {
      await examineMessages(service().context);
      const { clock, messages } = service().context;
      return !(await messages.store.unexamined(clock(), 1)).length;
    });
  const settle = async () => {
    service().advance(2 * hour);
    await settleFlags(service().context);
  };
  /** Lets a member write to anyone, whatever the clock of the service is. */
  const pay = (member: TestMember) => {
    const expires_at = new Date(service().context.clock().getTime() + 365 * 24 * hour);
    return patch(member, { membership: { ...platinum().membership, expires_at } });
  };
  const writer = async (site: object) => {
    const member = await service().register(site);
    await pay(member);
    return member;
  };
  const women = (site: object, count = 5) => Promise.all(Array.from({ length: count }, () => woman(site)));
  const scam = async ({ id }: TestMember) =>
    (await all().ann.get(`/staff/members/${id}`).expect(200)).body.scam;
  const flagOf = async ({ id }: TestMember) => {
    const { body } = await all().ann.get('/staff/scam-signals?pagesize=100').expect(200);
    return body.entries.find((each: { readonly id: number }) => each.id === id);
  };
  const precision = async (siteid: number) => {
    const { body } = await all().ann.get(`/staff/scam-signals/precision?siteid=${siteid}`).expect(200);
    return body.versions;
  };

  /** Writes the same to everybody, each time in another spelling, and asks two of them for money. */
  const defraud = async (scammer: TestMember, victims: readonly TestMember[]) => {
    for (const [index, victim] of victims.entries()) {
      const disguised = disguises[index % disguises.length] ?? String;
      await say(scammer, victim, disguised(template(victim.username))).expect(200);
      if (index < 2) await say(scammer, victim, disguised('Buy me a gift card!')).expect(200);
    }
    await examine();
  };

  describe('signals of scams', () => {
    it('bring a member into the queue with the mode `on`, who notices nothing, until staff have looked', async () => {
      const [scammer, victims] = [await writer(on), await women(on)];
      const [first] = victims;
      if (!first) throw new Error('there is a victim');
      const before = await all().own(scammer);
      await defraud(scammer, victims);
      const found = await scam(scammer);
      expect(found).toMatchObject({ mode: 'on', score: 12, threshold: 9 });
      expect(found.reasons).toMatchObject([
        { signal: 'alike', weight: 5, count: 5 },
        { signal: 'money', weight: 5, count: 2 },
        { signal: 'new_account', weight: 2, count: 1 },
      ]);
      const entry = await all().entryOf('profile', scammer, { flagged: 'true' });
      expect(entry).toMatchObject({ flagged: true, flags: { messages: ['scam'] } });
      await expect(flagOf(scammer)).resolves.toMatchObject({ mode: 'on', score: 12, version: found.version });

      expect(await all().own(scammer)).toEqual({ ...before, since_active: expect.any(Number) });
      const archive = (await scammer.get('/members/self/export').expect(200)).body;
      expect(archive.moderation).toMatchObject({ waiting: {}, flags: {}, history: [] });
      expect(JSON.stringify(archive)).not.toMatch(/scam|examine/);
      await first.get(`/users/${scammer.id}`).expect(200);
      await expect(texts(first, scammer)).resolves.toHaveLength(2);

      await all().ann.post(path(scammer, 'approve'), { revision: entry?.revision }).expect(200);
      expect(await all().entryOf('profile', scammer)).toBeUndefined();
      expect(all().notifiedOf(scammer)).toEqual([]);
      const released = (await scammer.get('/members/self/export').expect(200)).body.moderation.history;
      expect(released).not.toContainEqual(expect.objectContaining({ action: 'approve' }));
      // Signals that staff have reviewed return no member to the queue; later ones do.
      await say(scammer, first, 'And a gift card, please').expect(200);
      for (const victim of victims) await say(scammer, victim, 'See you').expect(200);
      await examine();
      expect(await all().entryOf('profile', scammer)).toBeUndefined();
      expect(await flagOf(scammer)).toBeUndefined();
      service().advance(hour);
      await defraud(scammer, await women(on));
      expect(await all().entryOf('profile', scammer)).toMatchObject({ flags: { messages: ['scam'] } });
      await all().ann.post(path(scammer, 'suspend'), { reason_id: 'scam' }).expect(200);
      expect(await all().entryOf('profile', scammer)).toBeUndefined();
      const [{ statement }] = (await all().ann.get(path(scammer, 'history')).expect(200)).body.entries;
      expect(statement).toMatchObject({ ground: 'scam', automated_detection: true });
    });

    it.each([on, shadow])(
      'are dismissed by staff on site %p, and the dismissal is undone in the queue',
      async (site) => {
        const scammer = await writer(site);
        const dismiss = () => all().ann.post(path(scammer, 'dismiss-signals'));
        expect((await dismiss().expect(200)).body).toEqual({ id: scammer.id, changed: false });
        await defraud(scammer, await women(site));
        const { body } = await dismiss().expect(200);
        expect(body).toMatchObject({ changed: true });
        expect(await flagOf(scammer)).toBeUndefined();
        expect(await all().entryOf('profile', scammer)).toBeUndefined();
        expect((await scam(scammer)).reasons).toMatchObject([{ signal: 'new_account' }]);
        expect(await all().actions(scammer)).toContain('dismiss-signals');
        const archive = await scammer.get('/members/self/export').expect(200);
        expect(JSON.stringify(archive.body)).not.toMatch(/dismiss|scam/);
        if (site === shadow) return;
        await all().ann.post(`/staff/decisions/${body.decision_id}/undo`).expect(200);
        expect(await all().entryOf('profile', scammer)).toMatchObject({ flags: { messages: ['scam'] } });
        await settle();
        expect(await flagOf(scammer)).toMatchObject({ mode: 'on', score: 12 });
        expect((await scam(scammer)).reasons).toMatchObject([{ signal: 'alike' }, { signal: 'money' }, {}]);
      },
    );

    it('do not let staff approve what they had opened before there were any', async () => {
      const scammer = await writer(on);
      const { body } = await all().ann.get(`/staff/members/${scammer.id}`).expect(200);
      await defraud(scammer, await women(on));
      const approval = await all().ann.post(path(scammer, 'approve'), { revision: body.revision });
      expect(approval.status).toBe(409);
    });

    it('change nothing for queues and members with the mode `shadow`', async () => {
      const scammer = await writer(shadow);
      await defraud(scammer, await women(shadow));
      await expect(scam(scammer)).resolves.toMatchObject({ mode: 'shadow', score: 12 });
      await expect(flagOf(scammer)).resolves.toMatchObject({ mode: 'shadow', signals: expect.anything() });
      // Decisions on something else are none on the member's messages.
      await patch(scammer, { userstatus: 'new' });
      await all().ann.post(path(scammer, 'approve')).expect(200);
      const reporter = await service().register(shadow);
      await reporter.post('/report', { profileid: scammer.id, reason: 'Rude' }).expect(200);
      const report_id = `${scammer.id}:${reporter.id}`;
      await all().ann.post(`/staff/reports/${report_id}/close`).expect(200);
      await all().ann.post(path(scammer, 'suspend'), { reason_id: 'insulting', report_id }).expect(200);
      await all().ann.post(path(scammer, 'unsuspend')).expect(200);
      await settle();
      await expect(flagOf(scammer)).resolves.toMatchObject({ mode: 'shadow' });
      expect(await all().entryOf('profile', scammer)).toBeUndefined();
      await all().ann.post(path(scammer, 'suspend'), { reason_id: 'scam' }).expect(200);
      // The list of flags led staff to the member, where no report did.
      const { entries } = (await all().ann.get(path(scammer, 'history')).expect(200)).body;
      const stated = entries.flatMap(({ statement }: { readonly statement?: object }) => statement ?? []);
      expect(stated).toMatchObject([
        { ground: 'scam', automated_detection: true },
        { ground: 'insulting', automated_detection: false },
      ]);
    });

    it('never count what others do to a member, nor answers in the words of others', async () => {
      const [victim, senders] = [await writer(on), await women(on, 4)];
      const bait = ['See evil-shop.com', 'Buy me a gift card', 'What is your number? +1 312 555 0199'];
      for (const each of senders) await pay(each);
      const fillers = Array<string>(12).fill('ok');
      for (const each of senders)
        for (const text of [...bait, ...fillers]) await say(each, victim, text).expect(200);
      const answer = 'No gift card, I do not open evil-shop.com, and do not call 312 555 0199';
      for (const each of senders) await say(victim, each, answer).expect(200);
      await examine();
      await expect(scam(victim)).resolves.toMatchObject({ score: 2, reasons: [{ signal: 'new_account' }] });
      await expect(flagOf(victim)).resolves.toBeUndefined();
    });

    it('see a link that is cut into messages, and no conversation twice', async () => {
      const [scammer, victims] = [await writer(shadow), await women(shadow, 3)];
      for (const victim of victims)
        for (const text of ['look at evil-sh', 'op.c', 'om', ...Array<string>(12).fill('now')])
          await say(scammer, victim, text).expect(200);
      await examine();
      expect((await scam(scammer)).reasons).toMatchObject([{ signal: 'links', count: 3 }, {}]);
    });

    it('compare every first message, also before one that is new', async () => {
      const [scammer, victims] = [await writer(shadow), await women(shadow)];
      for (const [index, victim] of victims.entries()) {
        const random = createHash('shake256', { outputLength: 256 }).update(String(index)).digest('hex');
        const letters = random.replaceAll(/\d/g, '');
        for (const text of [template(victim.username), letters, `${letters} and more`])
          await say(scammer, victim, text).expect(200);
      }
      await examine();
      expect((await scam(scammer)).reasons).toMatchObject([{ signal: 'alike', count: 5 }, {}]);
    });

    it('are examined of others while those of one sender cannot be, and of that one in the next round', async () => {
      const [broken, victim] = [await writer(shadow), await woman(shadow)];
      const { moderation } = service().context;
      await say(broken, victim, 'Buy me a gift card!').expect(200);
      await patch(broken, { siteid: 99 });
      expect(await examineMessages(service().context)).toBe(1);
      await patch(broken, shadow);
      await examine();
      const counts = await moderation.signals.counts(broken.id, [['money', new Date(0)]]);
      expect(counts).toMatchObject([{ signal: 'money', count: 1 }]);
    });

    it('have the place that members state: a move abroad, and a position far from the town', async () => {
      const member = await writer(shadow);
      await member
        .post('/members/self', { country: 'CA', city: 'Toronto', state: 'Ontario', zip: 'M4B 1B3' })
        .expect(200);
      expect((await scam(member)).reasons).toMatchObject([{ signal: 'place', count: 1 }, {}]);
      await patch(member, {
        fields: {
          ...(await service().context.members.store.byId(member.id))?.fields,
          latitude: 6.45,
          longitude: 3.39,
        },
      });
      expect((await scam(member)).reasons).toMatchObject([{ signal: 'place', count: 2 }, {}]);
      service().advance(15 * 24 * hour);
      expect((await scam(member)).reasons).toMatchObject([{ signal: 'place', count: 1, last: null }]);
    });

    it('are not on sites without rules', async () => {
      const [member, other] = [await writer({}), await woman()];
      await say(member, other, 'Buy me a gift card!').expect(200);
      const { clock, messages } = service().context;
      expect(await messages.store.unexamined(clock(), 1)).toEqual([]);
      expect(await scam(member)).toBeUndefined();
    });

    it('have a precision: of those on whom staff decided, the share that was fraud, by version and signal', async () => {
      const now = () => service().context.clock();
      const [{ version }] = await precision(3);
      const before = (await precision(3))[0];
      const raise = async (member: TestMember, mark: object = {}) =>
        service().context.moderation.scamFlags.raise({
          member: member.id,
          siteid: 3,
          version,
          mode: 'shadow',
          signals: ['links', 'contact'],
          score: 9,
          since: now(),
          check_at: now(),
          until: new Date(now().getTime() + 30 * 24 * hour),
          expires_at: new Date(now().getTime() + 365 * 24 * hour),
          ...mark,
        });
      const register = () => service().register(shadow);
      const [released, unseen, first, second] = [
        await register(),
        await register(),
        await register(),
        await register(),
      ];
      const banned = [first, second, await register(), await register()];
      const members = [released, unseen, ...banned];
      for (const each of members) await raise(each);
      await raise(released, { version: 'earlier' });
      const links = async () => {
        const [current] = await precision(3);
        return current.signals.find(({ signal }: { readonly signal: string }) => signal === 'links');
      };
      for (const each of banned)
        await all().ann.post(path(each, 'suspend'), { reason_id: 'scam' }).expect(200);
      await settle();
      await expect(links()).resolves.toMatchObject({ decided: 4, fraud: null, precision: null });
      await all().ann.post(path(released, 'dismiss-signals')).expect(200);
      await settle();
      await expect(links()).resolves.toMatchObject({ flagged: 6, decided: 5, fraud: 4, precision: 0.8 });
      expect(await flagOf(released)).toBeUndefined();
      expect(await flagOf(unseen)).toMatchObject({ score: 9 });
      // A member flagged again counts once.
      await Promise.all(banned.slice(2).map((each) => raise(each, { signals: ['links', 'money'] })));
      await expect(links()).resolves.toMatchObject({ flagged: 6, decided: 5, fraud: 4, precision: 0.8 });

      // A ban that was taken back was none.
      await all().ann.post(path(first, 'unsuspend'), { mistaken: true }).expect(200);
      await settle();
      await expect(links()).resolves.toMatchObject({ decided: 5, fraud: 3, precision: 0.6 });
      // An erased member still counts, without a number.
      await service().context.moderation.scamFlags.forget(second.id);
      await expect(links()).resolves.toMatchObject({ flagged: 6, decided: 5, fraud: 3 });
      const versions = await precision(3);
      expect(versions[0]).toMatchObject({ mode: 'shadow', in_force: true, flagged: before.flagged + 6 });
      expect(versions[1]).toMatchObject({
        version: 'earlier',
        in_force: false,
        flagged: 1,
        decided: 1,
        fraud: null,
      });

      // With the mode `on` others are decided on, so it has a share of its own.
      const seen = await register();
      await raise(seen, { mode: 'on' });
      await all().ann.post(path(seen, 'suspend'), { reason_id: 'insulting' }).expect(200);
      await settle();
      const modes = (await precision(3)).filter(
        (each: { readonly version: string }) => each.version === version,
      );
      expect(modes).toMatchObject([
        { mode: 'shadow', in_force: true, flagged: before.flagged + 6 },
        { mode: 'on', in_force: false, flagged: 1, decided: 1 },
      ]);

      // Decisions come too late some day: then nobody decided.
      service().advance(31 * 24 * hour);
      await settle();
      expect(await flagOf(unseen)).toBeUndefined();
      await expect(links()).resolves.toMatchObject({ flagged: 6, decided: 5 });
    });

    it('are counted for staff of the site only, and gone with the member', async () => {
      const scammer = await writer(shadow);
      await defraud(scammer, await women(shadow));
      const elsewhere = await service().staff({ 7: ['moderator'] });
      expect((await elsewhere.get('/staff/scam-signals').expect(200)).body.entries).not.toContainEqual(
        expect.objectContaining({ siteid: 3 }),
      );
      await elsewhere.get('/staff/scam-signals?siteid=3').expect(403);
      await elsewhere.get('/staff/scam-signals/precision?siteid=3').expect(403);
      expect(await flagOf(scammer)).toMatchObject({ username: scammer.username });
      expect(service().auth.audited.at(-1)?.about).toContain(String(scammer.id));
      const { signals, scamFlags } = service().context.moderation;
      await signals.erase(scammer.id);
      await scamFlags.forget(scammer.id);
      await expect(scam(scammer)).resolves.toMatchObject({ reasons: [{ signal: 'new_account' }] });
      expect(await flagOf(scammer)).toBeUndefined();
    });
  });
}
