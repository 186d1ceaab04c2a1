import { Schema, type Connection } from 'mongoose';

/** A client application (spec 1, 2.1). */
export interface ClientApplication {
  /** The client_id. */
  readonly _id: string;
  readonly name: string;
  /** SHA-256 of the secret, as base64url; the secret itself is 32 random bytes and is kept nowhere. */
  readonly secret_hash: string;
  readonly redirect_uris: readonly string[];
  /** The first-party staff client, whose scope is `staff` (D29). */
  readonly staff: boolean;
  readonly disabled: boolean;
  /** When it was disabled; of no meaning while it is not. */
  readonly disabled_at?: Date;
  readonly created_at: Date;
}

/** What may change of a client. */
export type ClientChange = Partial<
  Pick<ClientApplication, 'secret_hash' | 'redirect_uris' | 'disabled' | 'disabled_at'>
>;

/** Client applications. */
export interface ClientStore {
  find(clientId: string): Promise<ClientApplication | undefined>;
  /** Every client, oldest first. */
  all(): Promise<ClientApplication[]>;
  add(client: ClientApplication): Promise<void>;
  /** Changes a client; false when there is none with this id. */
  change(clientId: string, change: ClientChange): Promise<boolean>;
}

const schema = new Schema<ClientApplication>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    secret_hash: { type: String, required: true },
    redirect_uris: { type: [String], required: true },
    staff: { type: Boolean, default: false },
    disabled: { type: Boolean, default: false },
    disabled_at: Date,
    created_at: { type: Date, required: true },
  },
  { collection: 'clients', versionKey: false },
);

/** Declares the collection on the service's connection. */
export function createClientStore(connection: Connection): ClientStore {
  const model = connection.model('ClientApplication', schema);
  return {
    find: async (clientId) => (await model.findById(clientId).lean<ClientApplication>()) ?? undefined,
    all: () => model.find().sort({ created_at: 1 }).lean<ClientApplication[]>(),
    async change(clientId, change) {
      return (await model.updateOne({ _id: clientId }, { $set: change })).matchedCount === 1;
    },
    async add(client) {
      await model.create(client);
    },
  };
}
