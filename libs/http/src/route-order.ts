const rankOf = (segment: string): string => {
  if (segment === '*') return '2';
  return /^[:{]/.test(segment) ? '1' : '0';
};

const ranksOf = (path: string): string => path.split('/').map(rankOf).join('');

/**
 * Orders path patterns, with or without a method before them, by segment: text, then a parameter (`:name` or `{name}`), then `*`.
 * Otherwise `/pets/:id` before `/pets/summary` would take its requests.
 */
export function byPath(one: string, other: string): number {
  return ranksOf(one).localeCompare(ranksOf(other));
}
