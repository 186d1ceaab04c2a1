import { classText } from './describe-search.ts';
import type { RecordedAction, RecordedSearch } from './usage-store.ts';

/** Results have pseudonyms, which no field of the index has. */
const objectIdField = 'pseudonym';

const applicationOf = (siteid: number) => `site-${siteid}`;

/** A recorded search as a query of User Behavior Insights 1.3.0 (https://o19s.github.io/ubi). */
export const ubiQuery = ({
  _id,
  searcher,
  day,
  siteid,
  sortby,
  pagesize,
  criteria,
  versions,
  first,
  shown,
  draft,
}: RecordedSearch) => ({
  application: applicationOf(siteid),
  query_id: _id,
  client_id: searcher,
  user_query: classText(criteria, sortby),
  query_attributes: {
    siteid,
    sortby,
    pagesize,
    first,
    criteria,
    versions,
    ...(draft && { experiment: draft.experiment, teams: draft.teams }),
  },
  object_id_field: objectIdField,
  timestamp: day.toISOString(),
  query_response_id: _id,
  query_response_hit_ids: shown,
});

/** An action as an event. */
export const ubiEvent = ({ search, searcher, shown, action, position, day, siteid }: RecordedAction) => ({
  application: applicationOf(siteid),
  action_name: action,
  query_id: search,
  client_id: searcher,
  timestamp: day.toISOString(),
  event_attributes: {
    object: { object_id: shown, object_id_type: 'user', object_id_field: objectIdField },
    position: { ordinal: position },
  },
});
