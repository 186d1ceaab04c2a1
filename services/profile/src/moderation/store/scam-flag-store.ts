import type { ScamRules, ScamSignal } from '@covalence/contract/scam-rules';
import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import { v7 } from 'uuid';

/** The decision of staff on a flagged member. */
export type FlagOutcome = 'fraud' | 'not_fraud';

/** A flag: the member reached the threshold under a version of the rules. */
export interface ScamFlag {
  /** UUIDv7, so ids sort by time. */
  readonly _id: string;
  readonly member: number;
  readonly siteid: number;
  readonly version: string;
  readonly mode: ScamRules['mode'];
  readonly signals: readonly ScamSignal[];
  readonly score: number;
  readonly since: Date;
  /** Until staff decide, or the time for it has passed. */
  readonly open?: boolean;
  /** When decisions are looked for next; absent once the time for them has passed. */
  readonly check_at?: Date;
  readonly until: Date;
  readonly outcome?: FlagOutcome;
  readonly decided_at?: Date;
  readonly expires_at: Date;
}

/** The counted facts of a member flagged by a version of the rules in a mode. */
export interface FlaggedMember {
  readonly siteid: number;
  readonly version: string;
  readonly mode: ScamRules['mode'];
  readonly signals: readonly ScamSignal[];
  readonly outcome?: FlagOutcome;
  /** The first; absent of an erased member. */
  readonly since: Date | null;
}

// The flags of an erased member stay for the counts, without its number; the id still has the time.
const schema = collectionSchema<ScamFlag>('scam-flags', {
  ...required({ _id: String, siteid: Number, version: String, mode: String, expires_at: Date }),
  member: Number,
  signals: [String],
  score: Number,
  since: Date,
  open: Boolean,
  check_at: Date,
  until: Date,
  outcome: String,
  decided_at: Date,
});
const isOpen = { partialFilterExpression: { open: true } };
schema.index({ member: 1, version: 1, open: 1 }, { unique: true, ...isOpen });
schema.index({ member: 1, decided_at: -1 }, { sparse: true });
schema.index({ siteid: 1, _id: -1 }, isOpen);
schema.index({ check_at: 1 }, { sparse: true });
schema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Creates the store on the `scam-flags` collection. */
export function createScamFlagStore(connection: Connection) {
  const model = connection.model('ScamFlag', schema);
  const documents = documentsOf<ScamFlag>(model);
  return {
    /** Flags a member, or adds to the open flag of the version. */
    async raise({ member, version, mode, score, signals, ...rest }: Omit<ScamFlag, '_id' | 'open'>) {
      const raised = {
        $set: { mode },
        $max: { score },
        $addToSet: { signals: { $each: [...signals] } },
        $setOnInsert: { _id: v7(), ...rest },
      };
      await documents.upsert({ member, version, open: true }, raised);
    },
    openOf: (member: number): Promise<ScamFlag[]> => documents.many({ member, open: true }),
    /** When staff last decided on flags of a member. */
    async decidedAt(member: number): Promise<Date | undefined> {
      const decided = { member, decided_at: { $gt: new Date(0) } };
      return (await documents.one(decided, { shown: { decided_at: 1 }, sort: { decided_at: -1 } }))
        ?.decided_at;
    },
    toCheck: (now: Date, limit: number): Promise<ScamFlag[]> =>
      documents.many({ check_at: { $lte: now } }, { sort: { check_at: 1 }, limit }),
    /** Notes what staff decided by now, and when to look next; without a time it is final. A decision that was undone opens it again. */
    async settle(
      { _id, member }: ScamFlag,
      found: Pick<ScamFlag, 'outcome' | 'decided_at'> | undefined,
      next: Date | undefined,
    ) {
      const isClosed = found !== undefined || next === undefined;
      const settle = (isOpen: boolean) =>
        model.updateOne(
          { _id, member },
          {
            $set: { ...found, ...(next && { check_at: next }), ...(isOpen && { open: true }) },
            $unset: {
              ...(!found && { outcome: 1, decided_at: 1 }),
              ...(!isOpen && { open: 1 }),
              ...(!next && { check_at: 1 }),
            },
          },
        );
      // If the same rules flagged the member again, that flag is the open one.
      if (isClosed || !(await unlessDuplicate(settle(true)))) await settle(false);
    },
    /** A page of open flags, the newest first, older than the flag `before`. */
    page(siteids: readonly number[], before: string | undefined, limit: number): Promise<ScamFlag[]> {
      const open = { siteid: { $in: [...siteids] }, open: true, ...(before && { _id: { $lt: before } }) };
      return documents.many(open, { sort: { _id: -1 }, limit });
    },
    /** Members whom each version flagged in each mode, each once. Fraud that staff found once is their outcome. */
    async flagged(siteids: readonly number[]): Promise<FlaggedMember[]> {
      // An erased one has no number.
      const member = {
        siteid: '$siteid',
        version: '$version',
        mode: '$mode',
        member: { $ifNull: ['$member', '$_id'] },
      };
      const found = await model.aggregate<{
        readonly _id: Pick<FlaggedMember, 'siteid' | 'version' | 'mode'>;
        readonly signals: readonly (readonly ScamSignal[])[];
        readonly outcomes: readonly FlagOutcome[];
        readonly since: Date | null;
      }>([
        { $match: { siteid: { $in: [...siteids] } } },
        {
          $group: {
            _id: member,
            signals: { $push: '$signals' },
            outcomes: { $push: '$outcome' },
            since: { $min: '$since' },
          },
        },
      ]);
      return found.map(({ _id: { siteid, version, mode }, signals, outcomes, since }) => {
        const outcome = outcomes.find((each) => each === 'fraud') ?? outcomes.find(Boolean);
        return { siteid, version, mode, signals: signals.flat(), ...(outcome && { outcome }), since };
      });
    },
    /** Keeps of a member's flags only what they count for: rules, signals and the decision. */
    async forget(member: number) {
      await documents.removeAll({ member, outcome: { $exists: false } });
      const names = { member: 1, score: 1, since: 1, open: 1, check_at: 1, until: 1, decided_at: 1 };
      await documents.updateAll({ member }, { $unset: names });
    },
  };
}
