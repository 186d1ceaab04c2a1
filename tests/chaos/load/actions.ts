import type { StripeEvent } from '@covalence/fakes/stripe';
import type { Demo } from '@covalence/seed/demo';
import { setTimeout as wait } from 'node:timers/promises';
import { registration } from '../../e2e/support/members.ts';
import { sold, type InAppStore, type Outside } from '../outside.ts';
import type { Answered, Caller } from './caller.ts';
import { signIn } from './sign-in.ts';
import type { Joined, VirtualMember } from './virtual-member.ts';

/** Context of the actions. */
export interface World {
  readonly base: string;
  readonly demo: Demo;
  readonly outside: Outside;
  readonly call: Caller;
  readonly joined: Joined[];
  /** Reports an unexpected refusal, or an accepted value that is missing. */
  readonly complain: (what: string) => void;
  /** Ends the load. */
  readonly over: AbortSignal;
}

type Action = (member: VirtualMember, world: World) => Promise<unknown>;

/** A temporary refusal. */
type Passing = (answered: Answered) => boolean;

const retryMs = 400;

/** A message that could not be stored, or a purchase that is still in progress. */
const isNotStored: Passing = ({ body }) => String(body['failcode']) === '80016';
const isPending: Passing = ({ body }) => body['fail'] === 'Payment Pending';

const told = ({ what, status, text }: Answered) => `${what}: ${status} ${text.slice(0, 200)}`;

/**
 * Retries a call until it succeeds, so that accepted writes are known exactly. Resolves with undefined, and
 * reports it, when it is refused.
 */
async function settle(
  { complain, over }: World,
  attempt: () => Promise<Answered>,
  isPassing: Passing = () => false,
): Promise<Answered | undefined> {
  for (;;) {
    const answered = await attempt();
    if (answered.outcome === 'ok') return answered;
    if (answered.outcome === 'refused' && !isPassing(answered)) {
      complain(`refused ${told(answered)}`);
      return undefined;
    }
    await wait(retryMs, undefined, { signal: over });
  }
}

const post =
  (what: string, path: string, json: object) =>
  (member: VirtualMember, { call }: World) =>
    call({ what, path, json, token: member.tokens.access_token });

const get =
  (what: string, path: string) =>
  (member: VirtualMember, { call }: World) =>
    call({ what, path, token: member.tokens.access_token });

const readSelf: Action = async (member, world) => {
  const { outcome, body } = await get('read self', '/users/self')(member, world);
  if (outcome === 'ok' && body['headline'] !== member.headline) {
    world.complain(
      `member ${member.id} reads '${String(body['headline'])}', accepted was '${member.headline}'`,
    );
  }
};

const updateProfile: Action = async (member, world) => {
  const headline = `Number ${member.random.integer(1, 1_000_000_000)} of what I say`;
  const accepted = await settle(world, () =>
    post('update profile', '/members/self', { headline })(member, world),
  );
  if (accepted) member.headline = headline;
};

/** Likes a partner or revokes the like. */
const like: Action = async (member, world) => {
  const { id: profileid } = member.random.pick(member.partners);
  const { stands, times } = member.likes.get(profileid) ?? { stands: false, times: 0 };
  const path = stands ? '/unlike' : '/like';
  if (!(await settle(world, () => post('like', path, { profileid })(member, world)))) return;
  member.likes.set(profileid, { stands: !stands, times: stands ? times : times + 1 });
};

/** Writes to another member; resolves with the id of the accepted message. */
async function write(member: VirtualMember, to: number, world: World): Promise<string | undefined> {
  const clientId = `${member.id}-${(member.begun += 1)}`;
  const message = { profileid: to, text: `Message ${clientId}`, client_message_id: clientId };
  const accepted = await settle(
    world,
    () => post('message', '/messages', message)(member, world),
    isNotStored,
  );
  return accepted && String(accepted.body['id']);
}

const sendMessage: Action = async (member, world) => {
  const { id: to } = member.random.pick(member.partners);
  const id = await write(member, to, world);
  if (id !== undefined) member.sent.push({ id, to });
};

/** Writes to the member without sockets, whose phone hears of it. */
const wake: Action = async (member, world) => {
  if (!member.sleeper) return;
  const id = await write(member, member.sleeper.id, world);
  if (id !== undefined) member.sleeper.sent.push(id);
};

const search = post('search', '/searches', { age: { from: 18, to: 99 } });

const view: Action = (member, world) =>
  get('view', `/users/${member.random.pick(member.partners).id}`)(member, world);

const exchange = ({ call, demo }: World, parameters: Readonly<Record<string, string>>) => {
  const { client_id, client_secret } = demo;
  return call({ what: 'token', path: '/token', form: { client_id, client_secret, ...parameters } });
};

const keepTokens = (member: VirtualMember, { body }: Answered) => {
  const { access_token, refresh_token } = body;
  member.tokens = { access_token: String(access_token), refresh_token: String(refresh_token) };
};

/** Repeats a refresh: a lost answer is sent again. */
const refresh: Action = async (member, world) => {
  const { refresh_token } = member.tokens;
  const fresh = await settle(world, () => exchange(world, { grant_type: 'refresh_token', refresh_token }));
  if (fresh) keepTokens(member, fresh);
};

/** Exchanges a code. Used or expired codes are refused; the member signs in again later. */
const useCode = async (world: World, code: string): Promise<Answered | undefined> => {
  const { redirect_uri } = world.demo;
  const answered = await exchange(world, { grant_type: 'authorization_code', code, redirect_uri });
  return answered.outcome === 'ok' ? answered : undefined;
};

const signInAgain: Action = async (member, world) => {
  const code = await signIn(world.call, world.base, world.demo, member);
  const tokens = code && (await useCode(world, code));
  if (tokens) keepTokens(member, tokens);
};

/** A new member, not yet paying. */
type Newcomer = Omit<Joined, 'ledger'>;

/** Registers. A registration without an answer is abandoned: its outcome is unknown. */
async function register(world: World): Promise<Newcomer | undefined> {
  const { call, demo } = world;
  const parameters = registration(demo);
  const registered = await call({ what: 'register', path: '/members', json: parameters });
  if (registered.outcome === 'refused') world.complain(`refused ${told(registered)}`);
  if (registered.outcome !== 'ok') return undefined;
  const tokens = await useCode(world, String(registered.body['code']));
  if (!tokens) return undefined;
  const { username, password } = parameters;
  return {
    id: Number(registered.body['id']),
    username: String(username),
    password: String(password),
    token: String(tokens.body['access_token']),
  };
}

/** Sends a store's newest notification about a subscription until it is taken, as the stores do. */
async function notify(world: World, store: InAppStore, subscription: string): Promise<void> {
  const notification = await store.notification(subscription);
  await settle(world, () => world.call({ what: 'notification', ...notification }));
}

/** Buys in an app. The app, the store or both notify the service. Resolves with the subscription. */
async function buyIn(
  store: InAppStore,
  world: World,
  token: string,
  isToldBy: 'app' | 'store' | 'both',
): Promise<string | undefined> {
  const { call } = world;
  const own = await settle(world, () => call({ what: 'membership', path: '/memberships/self', token }));
  if (!own) return undefined;
  const subscription = await store.buy(String(own.body['account_token']));
  const json = { ...store.order, receipt: await store.receipt(subscription) };
  const hand = () => call({ what: 'receipt', path: '/packages/purchase', json, token });
  if (isToldBy !== 'store') await settle(world, hand);
  if (isToldBy !== 'app') await notify(world, store, subscription);
  return subscription;
}

/** Registers and buys in an app; some get their money back. */
const joinInApp: Action = async ({ random }, world) => {
  const newcomer = await register(world);
  if (!newcomer) return;
  const store = random.pick(world.outside.inApps);
  const subscription = await buyIn(store, world, newcomer.token, random.pick(['app', 'store', 'both']));
  if (subscription === undefined) return;
  const isRefunded = random.real() < 0.3;
  if (isRefunded) {
    await store.refund(subscription);
    await notify(world, store, subscription);
  }
  world.joined.push({ ...newcomer, ledger: isRefunded ? ['purchase', 'refund'] : ['purchase'] });
};

/** Posts events until each is taken, as Stripe does. */
async function deliver(world: World, events: readonly StripeEvent[]): Promise<void> {
  for (const event of events) {
    const { body, signature } = world.outside.stripe.posted(event);
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
    const path = '/packages/webhook/stripe';
    await settle(world, () => world.call({ what: 'event', path, json: body, headers }));
  }
}

/** Registers and pays on a page of Stripe. The browser, Stripe or both notify the service; some get their money back. */
const joinOnWeb: Action = async ({ random }, world) => {
  const { call, demo, joined } = world;
  const { stripe } = world.outside;
  const newcomer = await register(world);
  if (!newcomer) return;
  const { token } = newcomer;
  const json = { ...sold.offer, success_url: demo.redirect_uri, cancel_url: demo.redirect_uri };
  const buy = () => call({ what: 'checkout', path: '/packages/purchase', json, token });
  const page = await settle(world, buy, isPending);
  const id = String(page?.body['checkout_url']).split('/').at(-1) ?? '';
  if (!page) return;
  /** Stripe's events of an act. */
  const happen = (act: () => void) => {
    const before = stripe.events.length;
    act();
    return stripe.events.slice(before);
  };
  let subscription = '';
  const paid = happen(() => (subscription = stripe.complete(id)));
  const isToldBy = random.pick(['browser', 'store', 'both']);
  if (isToldBy !== 'store' && (await settle(world, buy, isPending))?.body['status'] !== 'paid')
    world.complain(`what ${newcomer.id} has paid on the page is not paid`);
  if (isToldBy !== 'browser') await deliver(world, paid);
  const isRefunded = random.real() < 0.3;
  if (isRefunded)
    await deliver(
      world,
      happen(() => stripe.refund(subscription)),
    );
  joined.push({ ...newcomer, ledger: isRefunded ? ['purchase', 'refund'] : ['purchase'] });
};

/** Actions and their frequencies. */
const actions = {
  readSelf: { weight: 12, act: readSelf },
  updateProfile: { weight: 14, act: updateProfile },
  like: { weight: 16, act: like },
  message: { weight: 22, act: sendMessage },
  wake: { weight: 8, act: wake },
  search: { weight: 10, act: search },
  view: { weight: 8, act: view },
  refresh: { weight: 6, act: refresh },
  signIn: { weight: 2, act: signInAgain },
  joinInApp: { weight: 6, act: joinInApp },
  joinOnWeb: { weight: 3, act: joinOnWeb },
} as const satisfies Record<string, { weight: number; act: Action }>;

const names = Object.keys(actions) as readonly (keyof typeof actions)[];
const ofMen: ReadonlySet<string> = new Set(['like', 'wake']);
const weightsOf = (isMan: boolean) =>
  Object.fromEntries(
    names.filter((name) => isMan || !ofMen.has(name)).map((name) => [name, actions[name].weight]),
  );
const weights = { man: weightsOf(true), woman: weightsOf(false) };

/** Runs a random action. Only men like, so a like never becomes a connection. */
export async function actOnce(member: VirtualMember, world: World): Promise<void> {
  const name = member.random.weighted<keyof typeof actions>(member.isMan ? weights.man : weights.woman);
  await actions[name].act(member, world);
}

/** Buys a membership, which allows messages to strangers. */
export async function makePlatinum(member: VirtualMember, world: World): Promise<void> {
  await buyIn(member.random.pick(world.outside.inApps), world, member.tokens.access_token, 'app');
}
