import type { ClientKeys } from '@covalence/contract/client-keys';
import type { setClientSettings } from '@covalence/contract/peers/auth-api';
import { required, setOrRemove } from '@covalence/runtime/schema';
import type { ServiceBase } from '@covalence/runtime/service-base';
import { Schema, type Connection } from 'mongoose';
import type { z } from 'zod';
import type { ClientFlagStore } from './client-flag-store.ts';

/** A client secret as it is stored. */
export interface StoredSecret {
  /** SHA-256 of the secret, 32 random bytes, as base64url. */
  readonly hash: string;
  readonly created_at: Date;
}

/** Settings of a client; absent ones have their defaults. */
type Settings = Omit<z.output<typeof setClientSettings.input>, 'client_id'>;

/** A client application. */
export interface ClientApplication extends Settings {
  /** The client_id. */
  readonly _id: string;
  readonly name: string;
  /** Hash of the secret, or of the older one of two; absent in a public client. */
  readonly secret_hash?: string | undefined;
  /** The newer secret, while both are valid. */
  readonly second_secret?: StoredSecret | undefined;
  /** The public keys of a client of FAPI 2.0, which has no secret. */
  readonly fapi_keys?: ClientKeys | undefined;
  readonly redirect_uris: readonly string[];
  /** The first-party staff client, whose scope is `staff`. */
  readonly staff: boolean;
  readonly disabled: boolean;
  /** When it was last disabled. */
  readonly disabled_at?: Date;
  readonly created_at: Date;
}

/** Fields of a client to change; undefined removes a value. */
export type ClientChange = Partial<Omit<ClientApplication, '_id' | 'name' | 'staff' | 'created_at'>>;

/** The client store with the flags of disabled clients. */
export interface Clients extends ClientStore {
  readonly flags: ClientFlagStore;
}

/** Dependencies of the operations on clients. */
export interface ClientContext extends ServiceBase {
  readonly clients: Clients;
}

const schema = new Schema<ClientApplication>(
  {
    ...required({ _id: String, name: String, redirect_uris: [String], created_at: Date }),
    secret_hash: String,
    second_secret: { type: { hash: String, created_at: Date }, _id: false },
    fapi_keys: Schema.Types.Mixed,
    staff: { type: Boolean, default: false },
    disabled: { type: Boolean, default: false },
    disabled_at: Date,
    require_pkce: Boolean,
    refresh_grace_seconds: Number,
    refresh_lifetime_seconds: Number,
    dpop_bound_access_tokens: Boolean,
    android_app: { type: { package: String, fingerprints: [String] }, _id: false },
    ios_app: String,
    // No empty list in clients without it.
    post_logout_redirect_uris: { type: [String], default: undefined },
  },
  { collection: 'clients', versionKey: false },
);

/** Declares the collection on the service's connection. */
export function createClientStore(connection: Connection) {
  const model = connection.model('ClientApplication', schema);
  return {
    find: async (clientId: string): Promise<ClientApplication | undefined> =>
      (await model.findById(clientId).lean<ClientApplication>()) ?? undefined,
    /** Every client, oldest first. */
    all: (): Promise<ClientApplication[]> => model.find().sort({ created_at: 1 }).lean<ClientApplication[]>(),
    /** Changes a client; false when there is none, or when its secrets have changed since `read`. */
    async change(clientId: string, change: ClientChange, read?: ClientApplication): Promise<boolean> {
      const same = read && {
        secret_hash: read.secret_hash ?? { $exists: false },
        'second_secret.hash': read.second_secret?.hash ?? { $exists: false },
      };
      return (await model.updateOne({ _id: clientId, ...same }, setOrRemove(change))).matchedCount === 1;
    },
    async add(client: ClientApplication) {
      await model.create(client);
    },
  };
}

/** Client applications. */
export type ClientStore = ReturnType<typeof createClientStore>;
