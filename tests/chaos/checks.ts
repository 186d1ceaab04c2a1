import type { EngineName } from '@covalence/stack/engines/engine';
import { openDeadLetters } from '@covalence/events/dead-letters/queue';
import { queueNames, queueOf } from '@covalence/events/topology';
import { withDatabases } from '@covalence/testing/with-databases';
import { connect } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { as } from '../e2e/support/members.ts';
import { tokensBySignIn } from '../e2e/support/sign-in.ts';
import type { Load } from './load/load.ts';
import type { Joined, VirtualMember } from './load/virtual-member.ts';
import type { System } from './system.ts';

/** A check while no requests are sent; resolves with its problems. */
type Check = (system: System, load: Load) => Promise<readonly string[]>;

/** Time limit for effects of events. */
const effectsLimitMs = 90_000;

const url = (system: System, name: EngineName) => system.engineUrl(name);

const listed = (items: readonly unknown[]) =>
  `${items.length}: ${items.slice(0, 5).join(', ')}${items.length > 5 ? ' …' : ''}`;

/** Entries that are more frequent in the first list. */
export function without<T>(items: readonly T[], others: readonly T[]): T[] {
  const left = new Map<T, number>();
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1);
  return items.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

const missing = (what: string, wanted: readonly unknown[], found: readonly unknown[]): string[] => {
  const absent = without(wanted, found);
  return absent.length ? [`${what}: missing ${listed(absent)}`] : [];
};

const differences = (what: string, wanted: readonly unknown[], found: readonly unknown[]): string[] => {
  const surplus = without(found, wanted);
  return [
    ...missing(what, wanted, found),
    ...(surplus.length ? [`${what}: too many ${listed(surplus)}`] : []),
  ];
};

/** Every message of a thread, by the pages of GET /messages/{profileid}. */
async function readThread(
  base: string,
  member: VirtualMember,
  other: number,
): Promise<Record<string, unknown>[]> {
  const messages: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `pagesize=100${cursor ? `&cursor=${cursor}` : ''}`;
    const { body } = await as(base, member).get(`/messages/${other}?${query}`).expect(200);
    messages.push(...body.messages);
    cursor = body.next as string | null;
  }
  return messages;
}

/** Profiles, likes, counters and messages match the accepted writes. */
const acceptedWrites: Check = async ({ stack: { url: base } }, { members }) => {
  const problems: string[] = [];
  for (const member of members) {
    const { get } = as(base, member);
    const self = await get('/users/self').expect(200);
    problems.push(...differences(`headline of ${member.id}`, [member.headline], [self.body.headline]));

    const likers = members.filter(({ likes }) => likes.get(member.id)?.stands).map(({ id }) => id);
    const likedBy = await get('/members/self/activity/likedme?pagesize=100').expect(200);
    const shown = likedBy.body.users.map(({ id }: { id: number }) => id);
    problems.push(...differences(`who likes ${member.id}`, likers, shown));
    const counters = await get('/members/self/activity').expect(200);
    problems.push(
      ...differences(`likes counted of ${member.id}`, [likers.length], [counters.body.likedme_total]),
    );

    for (const partner of member.partners) {
      const thread = await readThread(base, member, partner.id);
      const sent = thread.filter((message) => message['sent'] === true).map(({ id }) => String(id));
      const accepted = member.sent.filter(({ to }) => to === partner.id).map(({ id }) => id);
      problems.push(...differences(`messages of ${member.id} to ${partner.id}`, accepted, sent));
    }
  }
  return problems;
};

/** The newest members can sign in, and each payment is booked once. */
const memberships: Check = async ({ stack }, { joined }) => {
  const { staff } = stack.demo;
  const office = as(stack.url, { tokens: await tokensBySignIn(stack.url, staff, staff) });
  const problems: string[] = [];
  for (const { id, ledger } of joined) {
    const { body } = await office.get(`/staff/memberships/${id}`).expect(200);
    const kinds = body.ledger.map(({ kind }: { kind: string }) => kind);
    problems.push(...differences(`ledger of ${id}`, ledger, kinds));
    const status = ledger.includes('refund') ? 'none' : 'active';
    problems.push(...differences(`membership of ${id}`, [status], [body.membership_status]));
  }
  const newest = joined.at(-1);
  if (newest) {
    const tokens = await tokensBySignIn(stack.url, stack.demo, newest);
    const { body } = await as(stack.url, { tokens }).get('/users/self').expect(200);
    problems.push(...differences(`who joined as ${newest.username}`, [newest.id], [body.id]));
  }
  return problems;
};

const platinumShown = async ({ stack }: System, { id, token, ledger }: Joined): Promise<string[]> => {
  const { body } = await as(stack.url, { tokens: { access_token: token } }).get('/users/self');
  const wanted = ledger.includes('refund') ? 'n' : 'y';
  return differences(`platinum of ${id} in the record`, [wanted], [body.platinum]);
};

/** The messages and likes of a member that were accepted, and those that its sockets received. */
function updatesOf({ id, follower }: VirtualMember, { members }: Load) {
  const heard = (type: string, name: string) =>
    follower.told.filter((frame) => frame.type === type).map(({ data }) => String(data[name]));
  const messages = members.flatMap(({ sent }) => sent.filter(({ to }) => to === id).map((one) => one.id));
  const likes = members.flatMap((one) =>
    Array.from({ length: one.likes.get(id)?.times ?? 0 }, () => String(one.id)),
  );
  return [
    { what: `messages sent to ${id}`, accepted: messages, told: heard('message', 'messageid') },
    { what: `likes sent to ${id}`, accepted: likes, told: heard('like', 'profileid') },
  ];
}

/** Updates that a member missed and `reset` announced, after which the client fetches everything again. */
export function announcedGaps(member: VirtualMember, load: Load): string[] {
  const { id, follower } = member;
  if (!follower.resets) return [];
  return [
    ...updatesOf(member, load).flatMap(({ what, accepted, told }) => missing(what, accepted, told)),
    `member ${id} received a reset ${follower.resets} times`,
  ];
}

/** Each member received every message and like exactly once. */
const liveUpdates: Check = (_system, load) => {
  const problems = load.members.flatMap((member) => {
    const { id, follower } = member;
    return [
      ...updatesOf(member, load).flatMap(({ what, accepted, told }) => differences(what, accepted, told)),
      ...(follower.isReady ? [] : [`member ${id} has no live updates`]),
      ...(follower.doubled.length ? [`frames doubled for ${id}: ${listed(follower.doubled)}`] : []),
      ...announcedGaps(member, load),
    ];
  });
  return Promise.resolve([...new Set(problems)]);
};

/** Times that a phone may receive a message: it is sent again if the process ended before it stored the response. */
const mostTimes = 2;

/** Each phone received the newest message to its owner last, none too often, and none that was not accepted. */
const pushes: Check = (_system, { members }) => {
  const problems = members.flatMap(({ sleeper }) => {
    if (!sleeper) return [];
    const { id, heard, sent } = sleeper;
    return Object.entries(heard).flatMap(([platform, read]) => {
      const told = read();
      const allowed = sent.flatMap((one) => Array<string>(mostTimes).fill(one));
      return [
        ...differences(`last push to ${id} on ${platform}`, sent.slice(-1), told.slice(-1)),
        ...without(told, allowed).map((one) => `push of ${one} to ${id} on ${platform} unknown or too often`),
      ];
    });
  });
  return Promise.resolve(problems);
};

/** The store was notified of each purchase that it was taken, so that it does not give the money back. */
const acknowledgements: Check = ({ outside: { play } }) => {
  const bought = new Set(play.notices.map(({ token }) => token));
  return Promise.resolve(differences('purchases acknowledged', [...bought], [...new Set(play.acknowledged)]));
};

/** Stripe was instructed to charge nobody any more whose money it gave back, and to go on with all others, of whom each paid once. */
const cancellations: Check = ({ outside: { stripe } }) => {
  const all = [...stripe.subscriptions.values()];
  const refunded = new Set(
    stripe.events.flatMap(({ type, data }) =>
      type === 'charge.refunded' ? String((data.object as { customer?: unknown }).customer) : [],
    ),
  );
  const ended = all.filter(({ status }) => status === 'canceled').map(({ customer }) => customer);
  const payers = all.map(({ customer }) => customer);
  return Promise.resolve([
    ...differences('subscriptions canceled', [...refunded], ended),
    ...differences('payers at Stripe', [...new Set(payers)], payers),
  ]);
};

const index: Check = async (system) => {
  const found = await system.verifyIndex();
  return found === undefined ? [] : [`index verify: ${found}`];
};

/** No queue has waiting messages or dead letters. */
const emptyQueues: Check = async (system) => {
  const { namespace } = system.stack;
  const connection = await connect(url(system, 'rabbitmq'));
  const letters = await openDeadLetters(url(system, 'rabbitmq'), namespace);
  try {
    const channel = await connection.createChannel();
    const problems: string[] = [];
    const dead = await letters.counts();
    for (const name of queueNames) {
      const { messageCount } = await channel.checkQueue(queueOf(namespace, name));
      if (messageCount) problems.push(`${messageCount} events wait in ${name}`);
      if (dead[name]) problems.push(`${dead[name]} dead letters of ${name}`);
    }
    return problems;
  } finally {
    await letters.close();
    await connection.close();
  }
};

/** No document has unpublished events. */
const emptyOutboxes: Check = (system) =>
  withDatabases(
    async (connection) => {
      const problems: string[] = [];
      for (const service of ['auth', 'profile', 'search', 'billing']) {
        const { db } = connection.useDb(`${system.stack.namespace}-${service}`);
        for (const { name } of (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? []) {
          const waiting = await db?.collection(name).countDocuments({ outboxAt: { $exists: true } });
          if (waiting) problems.push(`${waiting} documents of ${service}.${name} keep unpublished events`);
        }
      }
      return problems;
    },
    url(system, 'mongodb'),
  );

const newestPlatinum: Check = async (system, { joined }) =>
  (await Promise.all(joined.slice(-3).map((one) => platinumShown(system, one)))).flat();

/** Checks that hold at once, and checks that hold after a while. */
const immediate: readonly Check[] = [acceptedWrites, memberships];
const eventual: readonly Check[] = [
  emptyOutboxes,
  emptyQueues,
  liveUpdates,
  pushes,
  acknowledgements,
  cancellations,
  index,
  newestPlatinum,
];

const failedCheck = (error: unknown): string[] => [`a check failed: ${String(error)}`];

/** Runs a check until it passes or its time is over; resolves with its problems. */
async function settled(check: Check, system: System, load: Load): Promise<readonly string[]> {
  const end = Date.now() + effectsLimitMs;
  for (;;) {
    const problems = await check(system, load).catch(failedCheck);
    if (!problems.length || Date.now() > end) return problems;
    await wait(500);
  }
}

/** Runs every check; resolves with the problems. */
export async function checkAll(system: System, load: Load): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const check of immediate) problems.push(...(await check(system, load).catch(failedCheck)));
  for (const check of eventual) problems.push(...(await settled(check, system, load)));
  return problems;
}
