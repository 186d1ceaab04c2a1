/** Whether a value of JSON is a map. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const entriesOf = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.map(textOf))].filter((one) => one !== '') : [];

/**
 * The changes from one document of settings to another, a line each: `weights.smoking: 3 → 6`, `en.synonyms + dog, puppy`. `unset` stands
 * for what a document does not have.
 */
export function settingChanges(from: unknown, to: unknown, unset: string, path = ''): string[] {
  if (isMap(from) || isMap(to)) {
    const [before, after] = [isMap(from) ? from : {}, isMap(to) ? to : {}];
    return Object.keys({ ...before, ...after }).flatMap((name) =>
      settingChanges(before[name], after[name], unset, path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(from) || Array.isArray(to)) {
    const [before, after] = [entriesOf(from), entriesOf(to)];
    return [
      ...after.filter((entry) => !before.includes(entry)).map((entry) => `${path} + ${entry}`),
      ...before.filter((entry) => !after.includes(entry)).map((entry) => `${path} − ${entry}`),
    ];
  }
  return from === to ? [] : [`${path}: ${textOf(from ?? unset)} → ${textOf(to ?? unset)}`];
}
