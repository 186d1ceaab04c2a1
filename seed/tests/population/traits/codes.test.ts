import { checkValue } from '@covalence/contract/catalogue/check-value';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { describe, expect, it } from '@jest/globals';
import { codes, interestCodes } from '../../../src/population/traits/codes.ts';
import { generatePopulation } from '../../../src/population/population.ts';

const now = new Date('2026-11-21T09:00:00Z');

/** A label as the generator spells it: "Bachelor's degree" is bachelors_degree. */
const keyOf = (label: string) =>
  label
    .toLowerCase()
    .replace(/['’,$]/g, '')
    .replace(/[^a-z0-9]+/g, '_');

const catalogueOf = (name: string) =>
  Object.fromEntries(
    (fieldByName(name)?.values ?? []).map(({ code, labels }) => [keyOf(labels.en_US), code]),
  );

const sent = (value: unknown) =>
  typeof value === 'string' ? value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1') : value;

describe('codes', () => {
  it.each(Object.entries(codes))('of %s are those of the catalogue', (name, table) => {
    expect(table).toEqual(catalogueOf(name));
  });

  it('of interests are those of the catalogue', () => {
    expect(interestCodes).toEqual(catalogueOf('i_cooking'));
  });
});

describe('fields of the population', () => {
  const members = [...generatePopulation({ count: 400, seed: 11, now })];
  it('are valid values of catalogue fields, at registration and as updates', () => {
    const refused = members.flatMap(({ external_id, fields }) =>
      Object.entries(fields).flatMap(([name, value]) => {
        const field = fieldByName(name);
        const checks = (['register', 'update'] as const).map(
          (mode) => field && checkValue(field, sent(value), mode),
        );
        // The catalogue stores a time zone by the name that the runtime prefers.
        const same = (checked: unknown) =>
          name === 'timezone' || JSON.stringify(checked) === JSON.stringify(value);
        const stored = checks.every((checked) => checked?.valid && same(checked.value));
        return stored ? [] : [`${external_id} ${name}: ${JSON.stringify(value)}`];
      }),
    );
    expect(refused).toEqual([]);
  });

  it('contain no account data', () => {
    const apart = ['username', 'email', 'password', 'world_plus', 'searchable', 'online'];
    expect(members.filter(({ fields }) => apart.some((name) => name in fields))).toEqual([]);
  });
});
