import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import type { TestMember, TestStaff } from '../../harness.ts';
import { manual, meanwhile, path, startModeration, type Moderation } from '../../support/moderation.ts';

/** Actions of one of two moderators while the other acts, too. */
const acts = ['next', 'approve', 'reject', 'undo', 'release', 'rest', 'die'] as const;
type Act = (typeof acts)[number];

const step = fc.tuple(fc.constantFrom(...acts), fc.constantFrom(...acts), fc.nat(5));

let service: Moderation['service'];
let entries: Moderation['entries'];
let notifiedOf: Moderation['notifiedOf'];
beforeAll(async () => {
  ({ service, entries, notifiedOf } = await startModeration('two-moderators'));
});
afterAll(() => service.close());

/** One of the writes behind a decision, at which the process ends. */
function dieAt(point: number): void {
  const { decisions, undoable, claims } = service.context.moderation;
  const error = new Error('the process ends here');
  const points = [
    () => jest.spyOn(decisions, 'append').mockRejectedValueOnce(error),
    () => jest.spyOn(service.context.members.store, 'forgetLogged').mockRejectedValueOnce(error),
    () => jest.spyOn(undoable, 'add').mockRejectedValueOnce(error),
    () => jest.spyOn(undoable, 'end').mockRejectedValueOnce(error),
    () => jest.spyOn(claims, 'end').mockRejectedValueOnce(error),
    () => jest.spyOn(claims, 'takeFree').mockRejectedValueOnce(error),
  ];
  points[point]?.();
}

/** A moderator with what is on the screen. */
class Moderator {
  readonly staff: TestStaff;
  /** The entry that was given last, until when nobody else may get it. */
  held: { readonly id: number; readonly until: number; readonly revision: string } | undefined;
  decided: string | undefined;

  constructor(staff: TestStaff) {
    this.staff = staff;
  }

  #allow(status: number, allowed: readonly number[]): void {
    if (!allowed.includes(status)) throw new Error(`status ${status}`);
  }

  async act(act: Act, point: number): Promise<void> {
    if (act === 'next') {
      const { body } = await this.staff.post('/staff/queue/claim', { kind: 'profile', siteid: 2 });
      const { entry } = body as { entry?: { id: number; revision: string; claimed_until: string } | null };
      if (entry) this.held = { ...entry, until: Date.parse(entry.claimed_until) };
    }
    if ((act === 'approve' || act === 'reject') && this.held) {
      const { id, revision } = this.held;
      const { status, body } = await this.staff.post(`/staff/members/${id}/${act}`, {
        revision,
        reason: 'So',
      });
      // After a failure nobody knows, and the moderator goes on.
      this.#allow(status, [200, 409, 500]);
      this.decided = (body as { decision_id?: string }).decision_id ?? this.decided;
      this.held = undefined;
    }
    if (act === 'undo' && this.decided !== undefined) {
      const { status } = await this.staff.post(`/staff/decisions/${this.decided}/undo`);
      this.#allow(status, [200, 404, 409, 500]);
      this.decided = undefined;
    }
    if (act === 'release') {
      this.held = undefined;
      await this.staff.post('/staff/queue/release');
    }
    if (act === 'rest') service.advance((point * 60_000) / 2);
    if (act === 'die') dieAt(point);
  }
}

const after: Readonly<Record<string, string>> = { approve: 'approved', reject: 'rejected' };

/** The userstatus that the history leads to; undefined where an entry does not fit the one before. */
function replayed(
  history: readonly { readonly action: string; readonly before?: string; readonly after?: string }[],
): string | undefined {
  const past: string[] = ['new'];
  for (const { action, before, after: reached = '' } of history.toReversed()) {
    if (action === 'undo') past.pop();
    else if (before === past.at(-1) && reached === after[action]) past.push(reached);
    else return undefined;
  }
  return past.at(-1);
}

const stored = ({ id }: TestMember) => service.context.members.store.byId(id);
const bansOf = ({ id }: TestMember) => service.context.members.bans.store.of(id);

describe('a decision that a colleague gets ahead of', () => {
  let ann: TestStaff;
  let bob: TestStaff;
  let carol: TestStaff;
  beforeAll(async () => {
    [ann, bob, carol] = [await service.staff(), await service.staff(), await service.staff()];
  });

  it('states a fraud that was found later once', async () => {
    const member = await service.register();
    await ann.post(path(member, 'suspend'), { reason_id: 'insulting' }).expect(200);
    const restate = (staff: TestStaff) =>
      staff.post(path(member, 'suspend'), { reason_id: 'scam' }).expect(200);
    meanwhile(service, member, () => restate(bob));
    expect((await restate(ann)).body).toMatchObject({ changed: false });
    const made = (await entries(member)).filter(({ action }) => action === 'suspend');
    expect(made.map(({ staff_id }) => staff_id)).toEqual([bob.memberId, ann.memberId]);
  });

  it('that grants an appeal leaves the later one in force', async () => {
    const member = await service.register();
    await ann.post(path(member, 'reject'), { reason_id: 'fake_profile' }).expect(200);
    const [{ decision_id }] = (await member.get('/members/self/decisions').expect(200)).body.decisions;
    await member.post(`/members/self/decisions/${decision_id}/appeal`, { text: 'It is me' }).expect(200);
    const { body } = await bob.get('/staff/appeals').expect(200);
    meanwhile(service, member, async () => {
      await carol.post(path(member, 'approve')).expect(200);
      await carol.post(path(member, 'reject'), { reason_id: 'advertising' }).expect(200);
    });
    await bob.post(`/staff/appeals/${body.entries.at(-1).appeal_id}/grant`).expect(200);
    expect(await stored(member)).toMatchObject({ userstatus: 'rejected' });
  });

  it('keeps the entries of the ban list that it would have removed', async () => {
    const banned = await service.register();
    await ann.post(path(banned, 'suspend'), { reason_id: 'scam', ban: true }).expect(200);
    const listed = await bansOf(banned);
    const member = await service.register(manual);
    const ban_matches = listed.map(({ id }) => id);
    await service.context.members.store.change(member.id, () => ({ suspected: true, ban_matches }));
    const { revision } = (await ann.get(`/staff/members/${member.id}`).expect(200)).body;
    meanwhile(service, member, () => bob.post(path(member, 'reject'), { reason: 'No person' }).expect(200));
    await ann.post(path(member, 'approve'), { revision, remove_bans: true }).expect(409);
    expect(await bansOf(banned)).toEqual(listed);
  });

  it('keeps the entries of a ban that was renewed', async () => {
    const member = await service.register();
    await ann.post(path(member, 'suspend'), { reason_id: 'scam', ban: true }).expect(200);
    const [before] = await bansOf(member);
    const { store } = service.context.members.bans;
    const remove = store.remove.bind(store);
    const spy = jest.spyOn(store, 'remove').mockImplementationOnce(async (read) => {
      service.advance(1_000);
      await bob.post(path(member, 'suspend'), { reason_id: 'scam', ban: true }).expect(200);
      return remove(read);
    });
    await ann.post(path(member, 'unsuspend')).expect(200);
    spy.mockRestore();
    expect(await stored(member)).toMatchObject({ suspended: true });
    expect(await bansOf(member)).toMatchObject([{ id: before?.id }]);
  });
});

it(
  'two at once, in any order and with crashes in between, decide everything and lose nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const members: TestMember[] = [];
        for (let count = 0; count < 4; count += 1) members.push(await service.register(manual));
        const [ann, bob] = [
          new Moderator(await service.staff()),
          new Moderator(await service.staff()),
        ] as const;
        for (const [hers, his, point] of steps) {
          await Promise.all([ann.act(hers, point), bob.act(his, point)]);
          const now = service.context.clock().getTime();
          const [one, other] = [ann.held, bob.held];
          const ends = one && other && one.id === other.id ? [one.until, other.until] : [0];
          // At least one of two claims on one entry has ended.
          expect(Math.min(...ends)).toBeLessThanOrEqual(now);
        }
        jest.restoreAllMocks();
        service.advance(10 * 60_000);
        const last = new Moderator(await service.staff());
        for (let left = true; left; left = await isLeft()) {
          await last.act('next', 0);
          await last.act('approve', 0);
        }
        for (const member of members) {
          const history = await entries(member);
          const { body } = await member.get('/users/self').expect(200);
          expect(['approved', 'rejected']).toContain(body.userstatus);
          expect(replayed(history)).toBe(body.userstatus);
          await until('the member is told of each', () => notifiedOf(member).length === history.length);
        }
      }),
      fuzzing(15),
    );
  },
  fuzzingMs(180_000),
);

async function isLeft(): Promise<boolean> {
  const { queue } = service.context.moderation;
  return (await queue.page('profile', { siteids: [2], limit: 1 })).length > 0;
}
