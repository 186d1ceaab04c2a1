import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import { appDevice } from '../families/app-device.ts';
import { isExpired } from '../families/family-lifetime.ts';
import type { AppDevice, Family } from '../families/family-store.ts';
import { codeMemorySeconds, familyReserveMs, lifetimes, resumeSeconds } from '../families/lifetimes.ts';
import { isLastToken, type CheckedSubject } from '../families/refresh-rotation.ts';
import { revokeFamily } from '../families/revoke-families.ts';
import { browserName } from '../sessions/browser-name.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { establishedAt } from '../sessions/established-at.ts';
import { resultOf } from '../sessions/sign-in-result.ts';
import { clientMetadata } from './client-metadata.ts';
import { createHostedPagesClient, hostedPagesClientId } from './hosted-pages-client.ts';
import type { ProviderDependencies } from './dependencies.ts';
import { stateOf } from './request-state.ts';

const nothing = () => Promise.resolve();

/** Methods of an adapter that the model does not need. */
const unused = {
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

const parse = (payload: string): AdapterPayload => JSON.parse(payload) as AdapterPayload;
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

const clientAdapter = ({ clients, issuer }: ProviderDependencies): Adapter => {
  const hostedPages = createHostedPagesClient(issuer);
  return {
    ...unused,
    upsert: nothing,
    async find(id) {
      const client = id === hostedPagesClientId ? hostedPages : await clients.find(id);
      return client && !client.disabled ? clientMetadata(client) : undefined;
    },
  };
};

/** The account of a code or session, or of the session behind an interaction. */
const accountOf = ({ accountId, session }: AdapterPayload): string | undefined =>
  accountId ?? session?.accountId;

const redisAdapter = (kind: string, { tokens: { sessions } }: ProviderDependencies): Adapter => ({
  ...unused,
  upsert: (id, payload, expiresIn = 0) =>
    sessions.save([{ kind, id, payload: JSON.stringify(payload) }], expiresIn, accountOf(payload)),
  async find(id) {
    const found = await sessions.find(kind, id);
    return found && parse(found.payload);
  },
  destroy: (id) => sessions.remove(kind, id),
});

/**
 * A pushed request is used up by the code that it leads to. It stays as long as a sign-in that began with it, so that none gets a
 * second code.
 */
const pushedRequestAdapter = (dependencies: ProviderDependencies): Adapter => {
  const kind = 'PushedAuthorizationRequest';
  const { tokens, clock } = dependencies;
  return {
    ...redisAdapter(kind, dependencies),
    upsert(id, payload, expiresIn = 0) {
      const life = expiresIn + lifetimes.interaction + resumeSeconds;
      return tokens.sessions.save([{ kind, id, payload: JSON.stringify(payload) }], life);
    },
    async find(id) {
      const found = await tokens.sessions.find(kind, id);
      return found && { ...parse(found.payload), consumed: found.consumed };
    },
    async consume(id) {
      if (!(await tokens.sessions.consume(kind, id, seconds(clock()))))
        throw new errors.InvalidRequestUri('request_uri was already used');
    },
  };
};

/**
 * The provider destroys an interaction before it responds. The response may get lost, so the interaction stays for a retry.
 * Its result is in a cookie of the browser that submitted the form; other browsers find none.
 */
const interactionAdapter = (dependencies: ProviderDependencies): Adapter => {
  const kind = 'Interaction';
  const interactions = redisAdapter(kind, dependencies);
  return {
    ...interactions,
    async find(id) {
      const found = await interactions.find(id);
      const context = Provider.ctx;
      if (!found || context?.oidc.route !== 'resume') return found;
      return { ...found, result: resultOf(context.req, id, dependencies) };
    },
    destroy: (id) => dependencies.tokens.sessions.removeIn(kind, id, resumeSeconds),
  };
};

/** The provider finds sessions by id and by uid. */
const sessionAdapter = (dependencies: ProviderDependencies): Adapter => {
  const store = dependencies.tokens.sessions;
  const sessions = redisAdapter('Session', dependencies);
  /** A request that was under way may have stored an ended session again. */
  const find = async (id: string) => {
    const session = await sessions.find(id);
    return session?.uid !== undefined && (await store.isBrowserEnded(session.uid)) ? undefined : session;
  };
  return {
    ...sessions,
    find,
    upsert(id, payload, expiresIn = 0) {
      const { uid } = payload;
      const session = { kind: 'Session', id, payload: JSON.stringify(payload) };
      const reference = uid === undefined ? [] : [{ kind: 'SessionUid', id: uid, payload: id }];
      return store.save([session, ...reference], expiresIn, accountOf(payload));
    },
    async findByUid(uid) {
      const found = await store.find('SessionUid', uid);
      return found && find(found.payload);
    },
  };
};

const requestState = () => stateOf(Provider.ctx?.req);

const codeKind = 'AuthorizationCode';

/** Makes the code valid again that a request consumed and then failed: the client may retry. */
export async function restoreCode(
  request: Parameters<typeof stateOf>[0],
  sessions: SessionStore,
): Promise<void> {
  const { consumedCode } = stateOf(request);
  if (consumedCode !== undefined) await sessions.unconsume(codeKind, consumedCode);
}

/** The code of a request. The code of an identity token is issued here, because by now the client has proven its identity. */
async function exchangedCode(value: string): Promise<string> {
  const { client, params } = Provider.ctx?.oidc ?? {};
  const { exchange } = requestState();
  if (!exchange || !client || !params) return value;
  const { code, redirect_uri } = await exchange(client.clientId);
  params['redirect_uri'] = redirect_uri;
  return code;
}

const codeAdapter = (dependencies: ProviderDependencies): Adapter => {
  const { tokens, envelopes, clock } = dependencies;
  return {
    ...unused,
    upsert(id, payload, expiresIn = 0) {
      const code = { kind: codeKind, id, payload: JSON.stringify(payload) };
      return tokens.sessions.save([code], expiresIn + codeMemorySeconds, accountOf(payload));
    },
    async find(value) {
      const id = envelopes.unwrapCode(await exchangedCode(value));
      const found = id === undefined ? undefined : await tokens.sessions.find(codeKind, id);
      if (!found) return undefined;
      const payload = parse(found.payload);
      if (found.consumed === undefined) return payload;
      // Not expired for the provider, so that a replay revokes what the first use issued.
      return { ...payload, consumed: found.consumed, exp: seconds(clock()) + lifetimes.code };
    },
    async consume(id) {
      if (await tokens.sessions.consume(codeKind, id, seconds(clock()))) {
        requestState().consumedCode = id;
        return;
      }
      // Two concurrent uses: the tokens of the other one are revoked with their family.
      const found = await tokens.sessions.find(codeKind, id);
      const grantId = found && parse(found.payload).grantId;
      if (grantId) await revokeFamily(grantId, dependencies);
      throw new errors.InvalidGrant({ detail: 'authorization code already consumed' });
    },
    destroy: (id) => tokens.sessions.remove(codeKind, id),
  };
};

const refreshTokenAdapter = (dependencies: ProviderDependencies): Adapter => {
  const { rotation, envelopes, tokens, clock } = dependencies;
  return {
    ...unused,
    async upsert(id, payload) {
      const { grantId = '', exp = 0, rotations } = payload;
      const token = { id, payload: JSON.stringify(payload), expires: new Date(exp * 1000) };
      // A rotated token is stored together with its response.
      if (rotations) requestState().next = token;
      else {
        // The account is the one that findAccount() returned.
        const checked = Provider.ctx?.oidc.account as Partial<CheckedSubject> | undefined;
        await rotation.begin(grantId, token, checked?.checkedAt && (checked as CheckedSubject));
      }
    },
    async find(value) {
      const { oidc } = Provider.ctx ?? {};
      if (oidc?.route === 'revocation') return findRevoked(value, dependencies);
      const token = envelopes.peekRefresh(value);
      const family = token && (await tokens.families.find(token.family));
      // The last issued token needs no check of its signature.
      const isOurs = family && (isLastToken(value, family) || envelopes.unwrapRefresh(value) !== undefined);
      if (!isOurs) return undefined;
      if (isExpired(family, oidc?.client, clock())) {
        await revokeFamily(family._id, dependencies);
        return undefined;
      }
      // Only a former token can need the stored response.
      const whole = token.id === family.current ? family : await tokens.families.findWhole(family._id);
      if (!whole) return undefined;
      const state = requestState();
      const { payload, repeated } = rotation.present(token, whole, state.arrival);
      Object.assign(state, { family: whole, repeated });
      return payload;
    },
    revokeByGrantId: (grantId) => revokeFamily(grantId, dependencies),
  };
};

/** Finds `id family`, as asRevocation() writes it. A former token revokes the family too. */
async function findRevoked(
  value: string,
  { tokens }: ProviderDependencies,
): Promise<AdapterPayload | undefined> {
  const [, id = ''] = value.split(' ');
  const family = await tokens.families.find(id);
  return family?.token === undefined ? undefined : { ...parse(family.token), jti: value };
}

/** When the session behind a new grant was established: now for a code without a browser. */
function grantedAt({ clock }: ProviderDependencies): Date {
  const session = Provider.ctx?.oidc.session;
  return session?.accountId === undefined ? clock() : new Date(establishedAt(session));
}

/** The device of an authorization request as the app names it, and the browser session that it came through. */
function appOf(): AppDevice & Pick<Family, 'browser' | 'browser_name'> {
  const { oidc: { params, session } = {}, req } = Provider.ctx ?? {};
  const browser_name = session && browserName(req?.headers['user-agent']);
  return {
    ...appDevice(params),
    ...(session && { browser: session.uid }),
    ...(browser_name !== undefined && { browser_name }),
  };
}

/** A grant is stored as the family of its tokens. */
const grantAdapter = (dependencies: ProviderDependencies): Adapter => {
  const { tokens, clock } = dependencies;
  return {
    ...unused,
    upsert: (id, payload) =>
      tokens.families.begin({
        _id: id,
        account_id: payload.accountId ?? '',
        grant: JSON.stringify(payload),
        begun_at: grantedAt(dependencies),
        ...appOf(),
        // Longer than the first refresh token; rotations extend it.
        expires_at: new Date(clock().getTime() + lifetimes.refreshToken * 1000 + familyReserveMs),
        unused_until: new Date(clock().getTime() + (lifetimes.code + codeMemorySeconds) * 1000),
      }),
    async find(id) {
      const state = requestState();
      const family = state.family?._id === id ? state.family : await tokens.families.find(id);
      if (!family || family.revoked_at) return undefined;
      const { subject, browser } = family;
      // A code that the browser got just before its session was ended.
      if (!subject && browser && (await tokens.sessions.isBrowserEnded(browser))) return undefined;
      state.family = family;
      return parse(family.grant);
    },
    destroy: (id) => revokeFamily(id, dependencies),
  };
};

const adapters: Record<string, (dependencies: ProviderDependencies) => Adapter> = {
  Client: clientAdapter,
  Grant: grantAdapter,
  RefreshToken: refreshTokenAdapter,
  AuthorizationCode: codeAdapter,
  Interaction: interactionAdapter,
  Session: sessionAdapter,
  PushedAuthorizationRequest: pushedRequestAdapter,
};

/**
 * The provider's storage by model: clients and families (grants with refresh tokens) in MongoDB, everything else in Redis.
 * The provider uses no store except through adapters.
 */
export function createAdapter(model: string, dependencies: ProviderDependencies): Adapter {
  return adapters[model]?.(dependencies) ?? redisAdapter(model, dependencies);
}
