import { bearer, post, send, type BenchMember, type System } from './system.ts';

/** A call by its turn; no two turns of a write are the same. */
export type Make = (turn: number) => Promise<unknown>;

/** Couples who like each other: odd members are women who look for men. */
export const couplesOf = ({ members }: System) =>
  members.flatMap((one, at) => {
    const other = members[at + 1];
    return at % 2 === 0 && other ? [[one, other] as const] : [];
  });

/** The couple of a turn; with an offset, another man. */
export function coupleAt(pairs: ReturnType<typeof couplesOf>, turn: number, offset = 0) {
  const [one] = pairs[turn % pairs.length] ?? [];
  const [, other] = pairs[(turn + offset) % pairs.length] ?? [];
  if (!one || !other) throw new Error('no couple');
  return [one, other] as const;
}

/** The everyday calls of an app through the gateway. Likes are of members who have nothing in common yet. */
export function everydayCalls(system: System) {
  const gateway = system.urlOf('gateway');
  const pairs = couplesOf(system);
  const get = (pathFor: (other: BenchMember) => string): Make => {
    return (turn) => {
      const [one, other] = coupleAt(pairs, turn);
      return send(`${gateway}${pathFor(other)}`, { headers: bearer(one) });
    };
  };
  const posted = (path: string, body: (other: BenchMember, turn: number) => object, isNew = false): Make => {
    return (turn) => {
      const [one, other] = coupleAt(pairs, turn, isNew ? 1 + Math.floor(turn / pairs.length) : 0);
      return post(system, path, one, body(other, turn));
    };
  };
  return {
    'GET /users/self': get(() => '/users/self'),
    'GET /users/{id}': get(({ id }) => `/users/${id}`),
    'GET /questions': get(() => '/questions'),
    'POST /searches': posted('/searches', () => ({ age: { from: 25, to: 60 } })),
    'GET /members/self/activity': get(() => '/members/self/activity'),
    'GET /members/self/activity/likedme': get(() => '/members/self/activity/likedme'),
    'POST /messages': posted('/messages', ({ id }) => ({ profileid: id, text: 'Shall we walk on Sunday?' })),
    'GET /messages/{id}': get(({ id }) => `/messages/${id}`),
    'POST /like': posted('/like', ({ id }) => ({ profileid: id }), true),
  } satisfies Record<string, Make>;
}
