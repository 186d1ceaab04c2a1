import { renderRecords } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import { refusalOf } from '../access/eligibility.ts';
import type { Context } from '../context.ts';
import { relationOf } from '../pairs/relation.ts';
import { fieldsOfSearchRecords } from '../record/search-record-fields.ts';
import { searchRecords } from '../record/records.ts';
import { activeViewer } from './active-viewer.ts';

/** POST /internal/records: the records of a search page, without those no longer eligible (D54). */
export const searchPage = endpoint({
  access: 'service',
  summary: 'Records of a search page',
  ...renderRecords,
  handler: async ({ input }, context: Context) => {
    const { sites } = context;
    const now = context.clock();
    const [found, pairs, sightings] = await Promise.all([
      context.members.byIds([input.viewer, ...input.ids], fieldsOfSearchRecords),
      context.pairs.readMany(input.viewer, input.ids),
      context.presence.read(input.ids, now),
    ]);
    const viewer = activeViewer(found.find(({ _id }) => _id === input.viewer));
    const shown = found
      .filter(({ _id }) => _id !== input.viewer)
      .map((member) => ({ member, relation: relationOf(pairs.get(member._id)) }))
      .filter(
        ({ member: other, relation }) =>
          refusalOf({ viewer, other, relation, sites, now, purpose: 'search' }) === undefined,
      );
    return { records: searchRecords(context, viewer, shown, sightings) };
  },
});
