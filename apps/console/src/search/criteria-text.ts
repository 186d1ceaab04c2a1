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

type Values = Readonly<Record<string, unknown>>;

/** A map; an empty one for anything else that JSON can be. */
const mapOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};

/** A value of one criterion, such as `from` of `age`; undefined where the search has none. */
export function valueOf(criteria: Criteria, name: keyof Criteria, key: string): string | number | undefined {
  const value = mapOf(mapOf(criteria)[name])[key];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

const given = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The criteria with another value of one criterion, or without it. */
export function withValue(
  criteria: Criteria,
  name: keyof Criteria,
  key: string,
  value: string | number | undefined,
): Criteria {
  const all = mapOf(criteria);
  const criterion = given({ ...mapOf(all[name]), [key]: value });
  return given({ ...all, [name]: Object.keys(criterion).length ? criterion : undefined });
}
