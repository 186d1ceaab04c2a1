import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import type { Clock } from '@covalence/runtime/clock';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { z } from 'zod';

import { storedCriteria } from '../criteria/stored-criteria.ts';
import {
  alertBasis,
  type AlertBasis,
  type AlertSearcher,
  mostAlerts,
  type NotifyChoice,
  notifyChoices,
} from './alert-choice.ts';
import { savedControls } from './saved-controls.ts';

const contentSchema = z.object({
  name: z.string(),
  criteria: storedCriteria,
  controls: savedControls,
  notify: z.enum(notifyChoices).default('never'),
});

/** Name, criteria and control parameters of a saved search, and when it notifies. */
export type SavedContent = z.infer<typeof contentSchema>;

/** A saved search with what its alert depends on; absent without an alert. */
interface StoredContent extends SavedContent {
  readonly alert?: AlertBasis | undefined;
}

/** A saved search. */
export interface SavedSearch extends SavedContent {
  readonly id: string;
  /** Increases with every change, so that no concurrent change is lost. */
  readonly revision: number;
}

/** Saved searches of a member, and those of them that may have alerts. */
const most = { searches: 100, alerts: mostAlerts };

/** A saved search that has or had an alert, with its member. */
export interface AlertingSearch extends SavedSearch {
  readonly member: number;
  readonly alert: AlertBasis;
  /** When it changed last, ms. */
  readonly changedAt: number;
}

/** Saved searches of members. */
export type SavedSearchStore = ReturnType<typeof createSavedSearchStore>;

interface SavedSearchDocument {
  _id: string;
  member: number;
  name: string;
  criteria: Record<string, unknown>;
  controls: Record<string, unknown>;
  /** Absent until the first change. */
  revision?: number;
  /** Absent if it never had an alert. */
  notify?: NotifyChoice;
  alert?: AlertBasis & { changed_at: Date };
}

const schema = new Schema<SavedSearchDocument>(
  {
    ...required({ _id: String, member: Number, name: String, criteria: Schema.Types.Mixed }),
    ...required({ controls: Schema.Types.Mixed }),
    revision: { type: Number },
    notify: { type: String, enum: notifyChoices },
    alert: { type: Schema.Types.Mixed },
  },
  { collection: 'saved_searches', versionKey: false, minimize: false },
);
schema.index({ member: 1, name: 1 }, { unique: true });
schema.index({ 'alert.changed_at': 1 }, { sparse: true });
schema.index({ notify: 1 }, { sparse: true });

/** Ids are random, so a duplicate key is a name that is taken. */
function nameTaken(error: unknown): never {
  throw isDuplicateKey(error) ? invalidArgument(failCodes.searchNameTaken) : error;
}

const read = (found: SavedSearchDocument): SavedSearch => ({
  id: found._id,
  revision: found.revision ?? 0,
  ...contentSchema.parse(found),
});

/** Reads a search with an alert; undefined for one that only another version can read. */
function readAlert(found: SavedSearchDocument): AlertingSearch | undefined {
  const alert = alertBasis.safeParse(found.alert);
  const content = contentSchema.safeParse(found);
  if (!alert.success || !content.success) return undefined;
  const { _id: id, member, revision = 0 } = found;
  const changedAt = found.alert?.changed_at.getTime() ?? 0;
  return { id, member, revision, ...content.data, alert: alert.data, changedAt };
}

const withAlert = { notify: { $in: ['live', 'daily'] as NotifyChoice[] } };

/** Creates the store. */
export function createSavedSearchStore(connection: Connection, clock: Clock) {
  const model = connection.model('SavedSearch', schema);
  const withTime = ({ alert, ...content }: StoredContent) => ({
    ...content,
    ...(alert && { alert: { ...alert, changed_at: clock() } }),
  });
  return {
    /** The member's searches, by name. */
    list: async (member: number): Promise<SavedSearch[]> =>
      (await model.find({ member }).sort({ name: 1 }).lean<SavedSearchDocument[]>()).map(read),
    async find(member: number, id: string): Promise<SavedSearch | undefined> {
      const found = await model.findOne({ _id: id, member }).lean<SavedSearchDocument>();
      return found ? read(found) : undefined;
    },
    /** Stores a new search; false if the member would have too many, or too many with alerts. Throws 20225 if the name is taken. */
    async create(member: number, id: string, content: StoredContent): Promise<boolean> {
      await model.create({ _id: id, member, ...withTime(content) }).catch(nameTaken);
      // Counted afterwards, because concurrent calls would all have seen room before.
      const [count, alerts] = await Promise.all([
        model.countDocuments({ member }),
        model.countDocuments({ member, ...withAlert }),
      ]);
      if (count <= most.searches && (content.notify === 'never' || alerts <= most.alerts)) return true;
      await this.remove(member, id);
      return false;
    },
    /**
     * Replaces a search, unless it was changed or deleted since it was read, or the member would have too many with alerts. Throws 20225
     * if the name is taken.
     */
    async replace(
      member: number,
      { id, revision, notify }: SavedSearch,
      content: StoredContent,
    ): Promise<'replaced' | 'changed' | 'tooMany'> {
      const others = { member, ...withAlert, _id: { $ne: id } };
      if (content.notify !== 'never' && (await model.countDocuments(others)) >= most.alerts) return 'tooMany';
      const asRead = revision === 0 ? { $exists: false } : revision;
      // A search without its alert is a changed alert, so that every process forgets it.
      const forgotten = notify !== 'never' && !content.alert && { 'alert.changed_at': clock() };
      const { matchedCount } = await model
        .updateOne(
          { _id: id, member, revision: asRead },
          { $set: { ...withTime(content), ...forgotten, revision: revision + 1 } },
        )
        .catch(nameTaken);
      if (matchedCount === 0) return 'changed';
      // Counted again, because concurrent calls would all have seen room before.
      if (content.notify === 'never' || (await model.countDocuments(others)) < most.alerts) return 'replaced';
      await model.updateOne({ _id: id, member }, { $set: { notify: 'never', 'alert.changed_at': clock() } });
      return 'tooMany';
    },
    /** Deletes a search; false if the member has none with that id. */
    remove: async (member: number, id: string): Promise<boolean> =>
      (await model.deleteOne({ _id: id, member })).deletedCount > 0,
    /** The search of an id that has an alert, of any member. */
    async findAlert(id: string): Promise<AlertingSearch | undefined> {
      const found = await model.findOne({ _id: id, ...withAlert }).lean<SavedSearchDocument>();
      return found ? readAlert(found) : undefined;
    },
    /** The searches among `ids` that exist. */
    async existing(ids: readonly string[]): Promise<Set<string>> {
      const found = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean();
      return new Set(found.map(({ _id }) => _id));
    },
    /** Searches that have or had alerts, changed at that time or later; without a time, those with alerts. Skips those that cannot be read. */
    async *alertsSince(since?: Date): AsyncGenerator<AlertingSearch> {
      const filter = since ? { 'alert.changed_at': { $gte: since } } : withAlert;
      for await (const found of model.find(filter).lean<SavedSearchDocument[]>().cursor()) {
        const search = readAlert(found);
        if (search) yield search;
      }
    },
    /** Stores what changed of a searcher with the searches that notify them. */
    async updateSearcher(member: number, searcher: AlertSearcher): Promise<void> {
      const $set = { 'alert.searcher': searcher, 'alert.changed_at': clock() };
      await model.updateMany({ member, ...withAlert }, { $set });
    },
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ member: { $in: members } });
    },
  };
}
