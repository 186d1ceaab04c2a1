import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

/** A call of staff. */
export interface AuditEntry {
  /** UUIDv7, so ids sort by time. */
  readonly _id: string;
  readonly at: Date;
  readonly staff: string;
  readonly call: string;
  readonly about: readonly string[];
  readonly status?: number;
  /** X-Request-Id, which the logs of all services have. */
  readonly request_id?: string;
}

/** Selects entries. */
export interface AuditFilter {
  readonly staff?: string | undefined;
  readonly call?: string | undefined;
  /** Ids, one of which the call is about. */
  readonly about?: readonly string[] | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Entries are kept for two years. */
const keptSeconds = 2 * 365 * 24 * 60 * 60;

const schema = new Schema<AuditEntry>(
  {
    ...required({ _id: String, at: Date, staff: String, call: String, about: [String] }),
    status: Number,
    request_id: String,
  },
  { collection: 'audit', versionKey: false, strict: 'throw' },
);
schema.index({ at: 1 }, { expireAfterSeconds: keptSeconds });
schema.index({ staff: 1, _id: -1 });
schema.index({ about: 1, _id: -1 });
schema.index({ call: 1, _id: -1 });

/** The audit log. */
export type AuditStore = ReturnType<typeof createAuditStore>;

/** Creates the store of the audit log. It adds and reads: entries never change. */
export function createAuditStore(connection: Connection) {
  const model = connection.model('Audit', schema);
  return {
    async add(entry: AuditEntry) {
      await model.create(entry);
    },
    /** Entries, newest first, older than the entry `before`. */
    async find({ staff, call, about, since, until }: AuditFilter, limit: number, before?: string) {
      return model
        .find({
          ...(staff !== undefined && { staff }),
          ...(call !== undefined && { call }),
          ...(about && { about: { $in: about } }),
          ...((since ?? until) && { at: { ...(since && { $gte: since }), ...(until && { $lt: until }) } }),
          ...(before !== undefined && { _id: { $lt: before } }),
        })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<AuditEntry[]>();
    },
  };
}
