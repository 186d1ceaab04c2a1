import type { Position } from '@covalence/contract/position';
import type { estypes } from '@elastic/elasticsearch';

/** The values of `sortby`. */
export const sortBys = [
  'distance',
  'relevance',
  'lastactive',
  'newest',
  'platinum-asc',
  'platinum-desc',
  'platinum-score-asc',
  'platinum-score-desc',
] as const;

/** An order of results. */
export type SortBy = (typeof sortBys)[number];

/** Members without the value come last in either direction. */
const byDate = (field: string, order: 'asc' | 'desc'): estypes.SortOptions => ({
  [field]: { order, missing: '_last' },
});

const byDistance = (origin: Position): estypes.SortOptions => ({
  _geo_distance: { position: origin, order: 'asc', unit: 'mi', distance_type: 'arc' },
});

const leading: Record<SortBy, (origin: Position | null) => estypes.SortOptions[]> = {
  // Without a position, results are sorted by relevance.
  distance: (origin) => (origin ? [byDistance(origin)] : []),
  relevance: () => [],
  lastactive: () => [byDate('last_seen', 'desc')],
  newest: () => [byDate('joined', 'desc')],
  'platinum-asc': () => [byDate('platinum_until', 'asc')],
  'platinum-desc': () => [byDate('platinum_until', 'desc')],
  // By the day on which platinum ends, so that relevance decides within a day.
  'platinum-score-asc': () => [byDate('platinum_day', 'asc')],
  'platinum-score-desc': () => [byDate('platinum_day', 'desc')],
};

/** Meters, in which Elasticsearch compares distances fastest. An index without the column is searched until it is rebuilt. */
const byDraw = (draw: Position): estypes.SortOptions => ({
  _geo_distance: { draw, order: 'asc', unit: 'm', ignore_unmapped: true },
});

/** The order of a search's results; ties go by the score, then by the distance of a draw, if there is one, then id. */
export function sortOf(sortby: SortBy, origin: Position | null, draw?: Position): estypes.SortOptions[] {
  return [
    ...leading[sortby](origin),
    { _score: { order: 'desc' } },
    ...(draw ? [byDraw(draw)] : []),
    { id: { order: 'asc' } },
  ];
}
