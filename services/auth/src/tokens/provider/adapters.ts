import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { ClientApplication, ClientStore } from '../../clients/client-store.ts';
import { secretHashesOf } from '../../clients/secrets.ts';
import { demandsPkce, settingsOf } from '../../clients/settings.ts';
import type { Envelopes } from '../envelope.ts';
import { answeredSeconds, codeMemorySeconds, grantReserveMs, lifetimes } from '../lifetimes.ts';
import { isLastText } from '../families/last-text.ts';
import { createOwnClient, ownClientId } from './hosted-pages-client.ts';
import { isOver } from '../families/family-lifetime.ts';
import { endFamily, type EndContext } from '../families/end-families.ts';
import { notesOf, type TokenReference } from './request-state.ts';
import type { RefreshRotation } from '../families/refresh-rotation.ts';
import type { ShortLivedStore } from '../sessions/short-lived-store.ts';
import { givenAt } from './sign-in-policy.ts';
import { resultOf, type ResultContext } from '../sessions/sign-in-result.ts';

/** What oidc-provider's storage is made of. */
export interface AdapterDependencies extends EndContext, ResultContext {
  readonly clients: ClientStore;
  readonly shortLived: ShortLivedStore;
  readonly rotation: RefreshRotation;
  readonly envelopes: Envelopes;
}

const nothing = () => Promise.resolve();

/** An adapter's methods that a model never needs. */
const unused = {
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

const parse = (payload: string): AdapterPayload => JSON.parse(payload) as AdapterPayload;
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** How oidc-provider sees a client application. */
export function clientMetadata(client: ClientApplication): AdapterPayload {
  return {
    client_id: client._id,
    // The provider wants one; what is compared are the hashes.
    client_secret: client.secret_hash,
    secret_hashes: secretHashesOf(client),
    client_name: client.name,
    redirect_uris: [...client.redirect_uris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    staff: client.staff,
    ...settingsOf(client),
    require_pkce: demandsPkce(client),
  };
}

const clientAdapter = ({ clients, issuer }: AdapterDependencies): Adapter => {
  const own = createOwnClient(issuer);
  return {
    ...unused,
    upsert: nothing,
    async find(id) {
      const client = id === ownClientId ? own : await clients.find(id);
      return client && !client.disabled ? clientMetadata(client) : undefined;
    },
  };
};

/** The account that a payload names: that of a code or session, or of the session behind a sign-in. */
const accountOf = ({ accountId, session }: AdapterPayload): string | undefined =>
  accountId ?? session?.accountId;

const shortLivedAdapter = (kind: string, { shortLived }: AdapterDependencies): Adapter => ({
  ...unused,
  upsert: (id, payload, expiresIn = 0) =>
    shortLived.save([{ kind, id, payload: JSON.stringify(payload) }], expiresIn, accountOf(payload)),
  async find(id) {
    const found = await shortLived.find(kind, id);
    return found && parse(found.payload);
  },
  destroy: (id) => shortLived.remove(kind, id),
});

/**
 * The provider destroys a sign-in before it answers: on a phone that answer may be lost, and the browser asks again. What came
 * of a sign-in is with the browser that entered it: another one that goes on finds it as if nothing had been entered.
 */
const interactionAdapter = (dependencies: AdapterDependencies): Adapter => {
  const kind = 'Interaction';
  const interactions = shortLivedAdapter(kind, dependencies);
  return {
    ...interactions,
    async find(id) {
      const found = await interactions.find(id);
      const context = Provider.ctx;
      if (!found || context?.oidc.route !== 'resume') return found;
      return { ...found, result: resultOf(context.req, id, dependencies) };
    },
    destroy: (id) => dependencies.shortLived.removeIn(kind, id, answeredSeconds),
  };
};

/** The provider also finds sessions by a second name. */
const sessionAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { shortLived } = dependencies;
  const sessions = shortLivedAdapter('Session', dependencies);
  return {
    ...sessions,
    upsert(id, payload, expiresIn = 0) {
      const { uid } = payload;
      const session = { kind: 'Session', id, payload: JSON.stringify(payload) };
      const name = uid === undefined ? [] : [{ kind: 'SessionUid', id: uid, payload: id }];
      return shortLived.save([session, ...name], expiresIn, accountOf(payload));
    },
    async findByUid(uid) {
      const found = await shortLived.find('SessionUid', uid);
      return found && sessions.find(found.payload);
    },
  };
};

const requestNotes = () => notesOf(Provider.ctx?.req);

const codeAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { shortLived, envelopes, now } = dependencies;
  const kind = 'AuthorizationCode';
  return {
    ...unused,
    upsert(id, payload, expiresIn = 0) {
      const code = { kind, id, payload: JSON.stringify(payload) };
      return shortLived.save([code], expiresIn + codeMemorySeconds, accountOf(payload));
    },
    async find(value) {
      const id = envelopes.unwrapCode(value);
      const found = id === undefined ? undefined : await shortLived.find(kind, id);
      if (!found) return undefined;
      const payload = parse(found.payload);
      if (found.consumed === undefined) return payload;
      // A replay is told from an expired code as long as it is remembered, so that it revokes what the first use gave.
      return { ...payload, consumed: found.consumed, exp: seconds(now()) + lifetimes.code };
    },
    async consume(id) {
      if (await shortLived.consume(kind, id, seconds(now()))) {
        requestNotes().giveCodeBack = () => shortLived.giveBack(kind, id);
        return;
      }
      // Used twice at once: whatever the other use obtains is over with its family.
      const found = await shortLived.find(kind, id);
      const grantId = found && parse(found.payload).grantId;
      if (grantId) await endFamily(grantId, dependencies);
      throw new errors.InvalidGrant({ detail: 'authorization code already consumed' });
    },
    destroy: (id) => shortLived.remove(kind, id),
  };
};

const refreshTokenAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { rotation, envelopes, families, now } = dependencies;
  return {
    ...unused,
    async upsert(id, payload) {
      const { grantId = '', exp = 0, rotations } = payload;
      const token = { id, payload: JSON.stringify(payload), expires: new Date(exp * 1000) };
      // The next token of a family is written with the answer that tells of it.
      if (rotations) requestNotes().next = token;
      else await rotation.begin(grantId, token, requestNotes());
    },
    async find(value) {
      const { revoked } = requestNotes();
      if (revoked?.id === value) return presentRevoked(revoked, dependencies);
      const token = envelopes.peekRefresh(value);
      const family = token && (await families.find(token.family));
      // The very text that was given out last needs no other proof, and to check its signature costs more than anything else here.
      const isOurs = family && (isLastText(value, family) || envelopes.unwrapRefresh(value) !== undefined);
      if (!isOurs) return undefined;
      const { oidc } = Provider.ctx ?? {};
      if (isOver(family, oidc?.client, now())) {
        await endFamily(family._id, dependencies);
        return undefined;
      }
      // An answer is only given again for a token from before.
      const whole = token.id === family.current ? family : await families.findWhole(family._id);
      return whole && rotation.present(token, whole, requestNotes());
    },
    revokeByGrantId: (grantId) => endFamily(grantId, dependencies),
  };
};

/** Whoever revokes a token means its family, however long ago the token was used. */
async function presentRevoked(
  { id, family: familyId }: TokenReference,
  { families }: AdapterDependencies,
): Promise<AdapterPayload | undefined> {
  const family = await families.find(familyId);
  return family?.token === undefined ? undefined : { ...parse(family.token), jti: id };
}

/** When the credentials behind a new grant were given: now, where it comes of no request but of a registration. */
function begunAt({ now }: AdapterDependencies): Date {
  const context = Provider.ctx;
  return context?.oidc.session?.accountId === undefined ? now() : new Date(givenAt(context));
}

/** A grant is the family of everything that its sign-in gives. */
const grantAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { families, now } = dependencies;
  return {
    ...unused,
    upsert: (id, payload) =>
      families.begin({
        _id: id,
        account_id: payload.accountId ?? '',
        grant: JSON.stringify(payload),
        begun_at: begunAt(dependencies),
        // Longer than a first refresh token would live; rotations move it on.
        expires_at: new Date(now().getTime() + lifetimes.refreshToken * 1000 + grantReserveMs),
      }),
    async find(id) {
      const notes = requestNotes();
      const family = notes.family?._id === id ? notes.family : await families.find(id);
      if (!family || family.ended_at) return undefined;
      notes.family = family;
      return parse(family.grant);
    },
    destroy: (id) => endFamily(id, dependencies),
  };
};

const adapters: Record<string, (dependencies: AdapterDependencies) => Adapter> = {
  Client: clientAdapter,
  Grant: grantAdapter,
  RefreshToken: refreshTokenAdapter,
  AuthorizationCode: codeAdapter,
  Interaction: interactionAdapter,
  Session: sessionAdapter,
};

/**
 * oidc-provider's storage by model: clients and families (grants with their refresh tokens) in MongoDB, everything else in Redis. Adapters
 * are the only place where the provider touches a store.
 */
export function createAdapter(model: string, dependencies: AdapterDependencies): Adapter {
  return adapters[model]?.(dependencies) ?? shortLivedAdapter(model, dependencies);
}
