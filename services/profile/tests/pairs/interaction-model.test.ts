import { fuzzing } from '@covalence/testing/fuzzing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  Act,
  actions,
  blockedWord,
  compare,
  everyone,
  flagsOf,
  men,
  newWorld,
  Other,
  parameterOf,
  register,
  Reset,
  Share,
  women,
  type Action,
  type Real,
  type Sharing,
  type Someone,
  type World,
} from '../support/interaction-world.ts';
import { otherOf, rules, unknown, type Model, type Who } from '../support/pair-rules.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('interaction-model');
});
afterAll(() => service.close());

class Compare implements fc.AsyncCommand<World, Real> {
  readonly members: readonly number[];
  constructor(members: readonly number[] = everyone) {
    this.members = members;
  }
  check = () => true;
  async run(world: World, real: Real) {
    await Promise.all(this.members.map((member) => compare(world, real, member)));
  }
  toString = () => 'compare';
}

const meeting = fc
  .tuple(fc.constantFrom(...men), fc.constantFrom(...women), fc.boolean())
  .map(([man, woman, turned]) => (turned ? ([woman, man] as const) : ([man, woman] as const)));
const acts = fc.tuple(fc.constantFrom(...actions), meeting).map(([act, [by, to]]) => new Act(act, by, to));
const likes = meeting.map(([by, to]) => new Act('like', by, to));
const others = fc
  .tuple(fc.constantFrom('pass', 'message', 'read', 'report', 'view'), meeting)
  .map(([what, [by, to]]) => new Other(what, by, to));
const resets = fc
  .tuple(fc.constantFrom('connections', 'likedme', 'views'), fc.constantFrom(...everyone))
  .map(([page, by]) => new Reset(page, by));
const shares = fc
  .tuple(
    fc.constantFrom('share-photos', 'unshare-photos', undefined),
    fc.constantFrom('accept-photos', 'refuse-photos', undefined),
    meeting,
  )
  .filter(([sent, taken]) => Boolean(sent ?? taken))
  .map(
    ([sent, taken, [by, to]]) =>
      new Share(
        [sent, taken].filter((each) => each !== undefined),
        by,
        to,
      ),
  );
const comparisons = fc.constant(new Compare());

const begin = async (): Promise<{ model: World; real: Real }> => {
  const members = await Promise.all(
    everyone.map((each) => register(service, men.includes(each) ? 'Male' : 'Female')),
  );
  return { model: newWorld(), real: { service, members } };
};

/** Runs commands from nothing; each member's view is held against the model at the end, and wherever they say so. */
const play = async (commands: Iterable<fc.AsyncCommand<World, Real>>) => {
  const start = await begin();
  await fc.asyncModelRun(() => start, commands);
  await new Compare().run(start.model, start.real);
};

const [adam, carl] = [0, 1];
const [eve, dora] = [2, 3];
const act = (action: Action, by: number, to: number) => new Act(action, by, to);
const share = (by: number, to: number, ...what: Sharing[]) => new Share(what, by, to);

/** Every rule once, so that no run of the random ones has to be lucky to meet it. */
const tour = [
  act('decline', eve, adam),
  act('like', adam, eve),
  act('decline', eve, adam),
  act('like', eve, adam),
  act('unlike', eve, adam),
  act('like', eve, adam),
  act('unlike', adam, eve),
  act('unlike', eve, adam),
  act('like', adam, eve),
  act('decline', eve, adam),
  act('unlike', adam, eve),
  share(adam, eve, 'share-photos', 'accept-photos'),
  share(eve, adam, 'accept-photos'),
  share(eve, adam, 'share-photos', 'refuse-photos'),
  act('like', adam, eve),
  act('decline', eve, adam),
  share(adam, eve, 'share-photos'),
  share(eve, adam, 'accept-photos', 'share-photos'),
  act('block', adam, eve),
  act('like', adam, eve),
  act('like', eve, adam),
  share(eve, adam, 'share-photos'),
  act('block', eve, adam),
  act('unblock', adam, eve),
  new Other('message', adam, eve),
  act('unblock', eve, adam),
  act('like', carl, dora),
  act('like', dora, carl),
  new Reset('connections', carl),
  new Reset('likedme', eve),
  act('like', adam, dora),
  act('like', carl, eve),
  new Reset('likedme', dora),
  act('block', dora, carl),
  new Other('view', adam, eve),
  new Reset('views', eve),
  new Other('view', carl, eve),
  new Other('message', adam, dora),
  new Other('read', dora, adam),
  new Other('report', eve, carl),
  new Other('pass', adam, eve),
];

describe('members who act on each other', () => {
  it('match a simple model after each rule', async () => {
    const concerned = (each: (typeof tour)[number]) => ('to' in each ? [each.by, each.to] : [each.by]);
    const steps = tour.flatMap((each) => [each, new Compare(concerned(each))]);
    await expect(play(steps)).resolves.toBeUndefined();
  });

  it('match the model after any sequence of calls', async () => {
    const sequences = fc.commands([acts, likes, shares, others, resets, comparisons], {
      maxCommands: 30,
      size: 'max',
    });
    const run = fc.assert(fc.asyncProperty(sequences, play), { ...fuzzing(5), endOnFailure: true });
    await expect(run).resolves.toBeUndefined();
  });
});

const calls = [...actions, 'share-photos', 'unshare-photos', 'accept-photos', 'refuse-photos'] as const;

/** A call by one of a pair. */
type Move = readonly [who: Who, call: (typeof calls)[number]];

const isSharing = (call: Move[1]): call is Sharing => call.endsWith('-photos');

const send = (by: Someone, call: Move[1], profileid: number) =>
  isSharing(call)
    ? by.post('/members/self/photosharing', { profileid, ...parameterOf[call] })
    : by.post(`/${call}`, { profileid });

const flagsText = (flags: object) => Object.values(flags).map(Number).join('');
const sight = (covalence: string, blocked: string, flags: object) =>
  `${covalence} ${blocked} ${flagsText(flags)}`;

/** Calls of which none undoes another. */
const does = (by: Someone, to: Someone) => [
  send(by, 'like', to.id),
  send(by, 'share-photos', to.id),
  send(by, 'accept-photos', to.id),
  by.post('/report', { profileid: to.id }),
  by.post('/messages', { profileid: to.id, text: 'hello' }),
];

/** One member's view of the other; a member behind their block is hidden. */
const sightOf = (model: Model, me: Who): string =>
  model.blocks[otherOf(me)] ? 'hidden' : sight(model.cov[me], blockedWord(model, me), flagsOf(model, me));

/** A call with what it answered, or a look at what one of the two sees. */
interface Answered {
  readonly who: Who;
  readonly call: Move[1] | 'look';
  readonly answer: string;
}

/** The expected response to a call, and the model after it. */
const answerOf = (before: Model, who: Who, call: Answered['call']): { answer: string; after: Model } => {
  if (call === 'look') return { answer: sightOf(before, who), after: before };
  const after = structuredClone(before);
  rules[call](after, who, otherOf(who));
  const agrees = call === 'like' || call === 'share-photos' || call === 'accept-photos';
  if (agrees && (before.blocks.ann || before.blocks.bob)) return { answer: 'refused', after };
  return { answer: isSharing(call) ? flagsText(flagsOf(after, who)) : 'done', after };
};

/** Possible states after concurrent calls: those after every order in which each call gets its actual response. */
const standings = (starts: readonly Model[], calls: readonly Answered[]): Model[] => {
  const kinds = [...new Map(calls.map((each) => [JSON.stringify(each), each])).entries()];
  const counts = kinds.map(([key]) => calls.filter((each) => JSON.stringify(each) === key).length);
  const seen = new Set<string>();
  const found = new Map<string, Model>();
  const visit = (model: Model, left: readonly number[]): void => {
    const key = JSON.stringify([model, left]);
    if (seen.has(key)) return;
    seen.add(key);
    if (left.every((count) => count === 0)) found.set(JSON.stringify(model), model);
    for (const [index, [, { who, call, answer }]] of kinds.entries()) {
      if (!left[index]) continue;
      const next = answerOf(model, who, call);
      if (next.answer !== answer) continue;
      visit(
        next.after,
        left.map((count, each) => (each === index ? count - 1 : count)),
      );
    }
  };
  for (const start of starts) visit(start, counts);
  return [...found.values()];
};

const seenBy = async (viewer: Someone, other: Someone) => {
  const asked = { viewer: viewer.id, ids: [other.id] };
  const { body } = await service.internal('/internal/records', asked);
  const [record] = body.records;
  return record ? sight(record.covalence, record.blocked, record.shared_photos) : 'hidden';
};

/** Makes a call; refusals that say who blocks count as refused. */
const make = async (by: Someone, call: Move[1], profileid: number): Promise<string> => {
  const { status, body } = await send(by, call, profileid);
  if (status === 403 && [80004, 80005].includes(body.failcode?.[0])) return 'refused';
  if (status !== 200) throw new Error(`${call} answered ${status} ${JSON.stringify(body)}`);
  return isSharing(call) ? flagsText(body) : 'done';
};

describe('twenty clients at once on one pair', () => {
  const move = fc.tuple(fc.constantFrom<Who>('ann', 'bob'), fc.constantFrom(...calls));
  const crowds = fc
    .uniqueArray(move, { minLength: 2, maxLength: 5, selector: (one) => one.join() })
    .chain((kinds) => fc.array(fc.constantFrom(...kinds), { minLength: 17, maxLength: 17 }));

  it('get answers of a sequential order of their calls (linearizable)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(crowds, { minLength: 3, maxLength: 3 }), async (waves) => {
        const [ann, bob] = await Promise.all([register(service, 'Male'), register(service, 'Female')]);
        const members = { ann, bob };
        const look = async (who: Who): Promise<Answered> => ({
          who,
          call: 'look',
          answer: await seenBy(members[who], members[otherOf(who)]),
        });
        let possible = [unknown()];
        for (const moves of waves) {
          const made = moves.map(async ([who, call]): Promise<Answered> => {
            const answer = await make(members[who], call, members[otherOf(who)].id);
            return { who, call, answer };
          });
          // Three look on meanwhile; and both when all is done, which is a wave of its own.
          possible = standings(possible, await Promise.all([look('ann'), ...made, look('bob'), look('ann')]));
          possible = standings(possible, [await look('ann'), await look('bob')]);
          expect(possible.length).toBeGreaterThan(0);
        }
      }),
      { ...fuzzing(5), endOnFailure: true },
    );
  });

  it('lose no action that does not exclude another', async () => {
    const [ann, bob] = await Promise.all([register(service, 'Male'), register(service, 'Female')]);
    const twice = [...does(ann, bob), ...does(bob, ann), ...does(ann, bob), ...does(bob, ann)];
    const answers = await Promise.all(twice);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const [viewer, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const asked = { viewer: viewer.id, ids: [other.id] };
      const { body } = await service.internal('/internal/records', asked);
      expect(body.records).toMatchObject([
        {
          covalence: 'mutual',
          reported: true,
          viewer_messaged_by_member: true,
          member_messaged_by_viewer: true,
          shared_photos: { can_send_to: true, can_receive_from: true, receiving_me: true },
        },
      ]);
    }
  });
});
