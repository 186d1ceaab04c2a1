import type { ComparisonRequest } from './queries.ts';

/** The criteria of a search, as the API takes them. */
export type Criteria = ComparisonRequest['criteria'];

/** The initial text of forms. */
export const exampleCriteria = JSON.stringify({ age: { from: 25, to: 45 }, smoking: { value: 10 } }, null, 2);

/** The criteria of a text; undefined if it is no JSON. */
export function readJson(json: string): Criteria | undefined {
  try {
    return JSON.parse(json) as Criteria;
  } catch {
    return undefined;
  }
}
