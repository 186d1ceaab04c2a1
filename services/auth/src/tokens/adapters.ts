import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Clock } from '@covalence/runtime/clock';
import type { ClientApplication, ClientStore } from '../clients/client-store.ts';
import type { Envelopes } from './envelope.ts';
import { codeMemorySeconds, grantReserveMs, lifetimes } from './lifetimes.ts';
import { notedGrantEnd, noteGrantEnd, unwrapped } from './request-notes.ts';
import type { RefreshRotation } from './refresh-rotation.ts';
import type { RefreshTokenStore } from './refresh-token-store.ts';
import type { ShortLivedStore } from './short-lived-store.ts';

/** What oidc-provider's storage is made of. */
export interface AdapterDependencies {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly shortLived: ShortLivedStore;
  readonly rotation: RefreshRotation;
  readonly envelopes: Envelopes;
  readonly now: Clock;
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
  const isWeb = client.redirect_uris.every((uri) => /^https?:/i.test(uri));
  return {
    client_id: client._id,
    // Compared by compareClientSecret, which knows that this is a hash.
    client_secret: client.secret_hash,
    client_name: client.name,
    redirect_uris: [...client.redirect_uris],
    application_type: isWeb ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    staff: client.staff,
  };
}

const clientAdapter = ({ clients }: AdapterDependencies): Adapter => ({
  ...unused,
  upsert: nothing,
  async find(id) {
    const client = await clients.find(id);
    return client && !client.disabled ? clientMetadata(client) : undefined;
  },
});

const shortLivedAdapter = (kind: string, { shortLived }: AdapterDependencies): Adapter => ({
  ...unused,
  upsert: (id, payload, expiresIn = 0) => shortLived.save(kind, id, JSON.stringify(payload), expiresIn),
  async find(id) {
    const found = await shortLived.find(kind, id);
    return found && parse(found.payload);
  },
  destroy: (id) => shortLived.remove(kind, id),
});

/** The provider also finds sessions by a second name. */
const sessionAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { shortLived } = dependencies;
  const sessions = shortLivedAdapter('Session', dependencies);
  return {
    ...sessions,
    async upsert(id, payload, expiresIn = 0) {
      await sessions.upsert(id, payload, expiresIn);
      if (payload.uid) await shortLived.save('SessionUid', payload.uid, id, expiresIn);
    },
    async findByUid(uid) {
      const found = await shortLived.find('SessionUid', uid);
      return found && sessions.find(found.payload);
    },
  };
};

const codeAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { shortLived, refreshTokens, envelopes, now } = dependencies;
  const kind = 'AuthorizationCode';
  return {
    ...unused,
    upsert: (id, payload, expiresIn = 0) =>
      shortLived.save(kind, id, JSON.stringify(payload), expiresIn + codeMemorySeconds),
    async find(value) {
      const id = await envelopes.unwrap('code', value);
      const found = id === undefined ? undefined : await shortLived.find(kind, id);
      if (!found) return undefined;
      const payload = parse(found.payload);
      if (found.consumed === undefined) return payload;
      // A replay is told from an expired code as long as it is remembered, so that it revokes what the first use gave.
      return { ...payload, consumed: found.consumed, exp: seconds(now()) + lifetimes.code };
    },
    async consume(id) {
      if (await shortLived.consume(kind, id, seconds(now()))) return;
      // Used twice at once: without its grant, whatever the other use obtains ends with its access token.
      const found = await shortLived.find(kind, id);
      const grantId = found && parse(found.payload).grantId;
      if (grantId) await refreshTokens.removeGrant(grantId);
      throw new errors.InvalidGrant({ detail: 'authorization code already consumed' });
    },
    destroy: (id) => shortLived.remove(kind, id),
  };
};

const refreshTokenAdapter = (dependencies: AdapterDependencies): Adapter => {
  const { refreshTokens, rotation, envelopes } = dependencies;
  return {
    ...unused,
    async upsert(id, payload) {
      const grant_id = payload.grantId ?? '';
      const expires_at = new Date((payload.exp ?? 0) * 1000);
      const familyEnd = notedGrantEnd(Provider.ctx?.req);
      if (!familyEnd || familyEnd < expires_at)
        await refreshTokens.extendGrant(grant_id, new Date(expires_at.getTime() + grantReserveMs));
      await refreshTokens.save({
        _id: id,
        grant_id,
        account_id: payload.accountId ?? '',
        client_id: payload.clientId ?? '',
        rotation: payload.rotations ?? 0,
        payload: JSON.stringify(payload),
        consumed_at: null,
        expires_at,
      });
    },
    async find(value) {
      const context = Provider.ctx;
      const isUnwrapped = context !== undefined && unwrapped.get(context.req) === value;
      const id = isUnwrapped ? value : await envelopes.unwrap('refresh', value);
      const token = id === undefined ? undefined : await refreshTokens.find(id);
      if (!token) return undefined;
      // Whoever revokes a used token means its family, however long ago the use was.
      return isUnwrapped ? parse(token.payload) : rotation.present(token, context);
    },
    consume: (id) => rotation.consume(id, Provider.ctx),
    destroy: (id) => refreshTokens.remove(id),
    revokeByGrantId: (grantId) => refreshTokens.removeFamily(grantId),
  };
};

const grantAdapter = ({ refreshTokens, now }: AdapterDependencies): Adapter => ({
  ...unused,
  upsert: (id, payload) =>
    refreshTokens.saveGrant({
      _id: id,
      account_id: payload.accountId ?? '',
      payload: JSON.stringify(payload),
      // Longer than a first refresh token would live; rotations move it on.
      expires_at: new Date(now().getTime() + lifetimes.refreshToken * 1000 + grantReserveMs),
    }),
  async find(id) {
    const grant = await refreshTokens.findGrant(id);
    if (grant) noteGrantEnd(Provider.ctx?.req, grant.expires_at);
    return grant && parse(grant.payload);
  },
  destroy: (id) => refreshTokens.removeGrant(id),
});

const adapters: Record<string, (dependencies: AdapterDependencies) => Adapter> = {
  Client: clientAdapter,
  Grant: grantAdapter,
  RefreshToken: refreshTokenAdapter,
  AuthorizationCode: codeAdapter,
  Session: sessionAdapter,
};

/**
 * oidc-provider's storage by model: clients, grants and refresh tokens in MongoDB, everything else in Redis. Adapters
 * are the only place where the provider touches a store.
 */
export function createAdapter(model: string, dependencies: AdapterDependencies): Adapter {
  return adapters[model]?.(dependencies) ?? shortLivedAdapter(model, dependencies);
}
