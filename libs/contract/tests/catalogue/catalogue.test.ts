import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { groupLabels } from '../../src/catalogue/answers.ts';
import { catalogueProblems } from '../../src/catalogue/check-catalogue.ts';
import { criteria } from '../../src/catalogue/criteria.ts';
import { derivedLabels, derivedValueLabels, withinLabel } from '../../src/catalogue/criterion-labels.ts';
import { labelLocales, type Field, type FieldGroup } from '../../src/catalogue/field.ts';
import { canonicalName, fieldByName, fields } from '../../src/catalogue/fields.ts';
import { labelIn, labelLocaleOf } from '../../src/catalogue/labels.ts';
import { parameterNames, fieldNames } from './field-names.ts';

const groups = Object.entries(fieldNames).map(
  ([group, names]) => [group as FieldGroup, names.trim().split(/\s+/)] as const,
);
const alphabetically = (a: string, b: string) => (a < b ? -1 : 1);
const namesOf = (group: FieldGroup) =>
  fields.filter((field) => field.group === group).map(({ name }) => name);

describe('the field catalogue', () => {
  it.each(groups)('has exactly the %s fields that clients know', (group, names) => {
    const beside: readonly string[] = group === 'basic' ? parameterNames : [];
    expect(namesOf(group).sort(alphabetically)).toEqual([...names, ...beside].sort(alphabetically));
  });

  it('is consistent', () => {
    expect(catalogueProblems(fields)).toEqual([]);
  });

  it('lists the registration parameters in the order of their failure codes', () => {
    expect(fields.slice(0, 14).map(({ name }) => name)).toEqual([
      'gender',
      'gender_preference',
      'date_of_birth',
      'username',
      'password',
      'email',
      'city',
      'state',
      'zip',
      'country',
      'latitude',
      'longitude',
      'first_name',
      'last_name',
    ]);
  });

  it('has the values of smoking that 31009 allows', () => {
    expect(fieldByName('smoking')?.values?.map(({ code }) => code)).toEqual([10, 20, 30, 40]);
  });

  it('accepts password only at registration, deactivated and searchable only on update', () => {
    expect(['password', 'deactivated', 'searchable', 'zip'].map((name) => fieldByName(name)?.only)).toEqual([
      'register',
      'update',
      'update',
      undefined,
    ]);
  });

  it('moderates the username, city, headline and about_me', () => {
    const moderated = fields.filter((field) => field.moderated).map(({ name }) => name);
    expect(moderated.sort(alphabetically)).toEqual(['about_me', 'city', 'headline', 'username']);
  });
});

const scaleOf = (name: string) =>
  fieldByName(name)
    ?.values?.map(({ labels }) => labels.en_US)
    .join();
const named = (tier: string, group: string) =>
  fields
    .filter(({ criterion, group: own }) => criterion?.tier === tier && own === group)
    .map(({ name }) => name)
    .sort(alphabetically);

const labelsOf = (name: string) => Object.entries(fieldByName(name)?.labels ?? {});

const translationsOf = (locale: string) => {
  const file = new URL(`../../locales/${locale}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
};

describe('labels', () => {
  const greek = /\p{Script=Greek}/u;
  const texts = fields.flatMap(({ name, labels, values = [] }) =>
    [{ labels }, ...values].map((each) => [name, each.labels] as const),
  );

  it('are written in the script of their locale', () => {
    const inGreek = texts.filter(([, { en_US, es_ES = '', de_DE = '' }]) =>
      greek.test(en_US + es_ES + de_DE),
    );
    expect(inGreek).toEqual([]);
    // Names that stay as they are everywhere, amounts of money and abbreviations.
    const latin = texts.filter(([name, { el_GR = '' }]) => name !== 'income' && !greek.test(el_GR));
    expect([...new Set(latin.map(([, { el_GR }]) => el_GR))]).toEqual(['Email', 'World Plus']);
  });

  it('have the same keys in every language, and no translation without a label', () => {
    const [spanish = {}, ...others] = ['es_ES', 'de_DE', 'el_GR'].map(translationsOf);
    for (const other of others) expect(new Set(Object.keys(other))).toEqual(new Set(Object.keys(spanish)));
    const all = [
      ...texts.map(([, own]) => own),
      ...Object.values({ ...groupLabels, ...derivedLabels, ...derivedValueLabels }),
    ];
    const used = new Set(all.map(({ es_ES }) => es_ES));
    const unused = Object.entries(spanish).filter(([, text]) => !used.has(text));
    expect(unused.map(([key]) => key)).toEqual([
      'value.any_distance',
      'value.miles',
      'value.day',
      'value.days',
    ]);
    expect(withinLabel(5, 'es_ES')).toBe('5 millas');
  });

  it('ask for men and women where they ask for a person', () => {
    const people = `artist athlete author fashion_designer greek_athlete greek_entertainer news_anchor politician turkish_athlete`;
    const ofMen = people
      .split(' ')
      .flatMap((name) => labelsOf(`f_${name}`))
      .filter(([locale, label]) => locale !== 'en_US' && !label.includes('/'));
    expect(ofMen).toEqual([]);
  });

  it('address members formally in Greek, like the pages', () => {
    const familiar = /(^|\s)(σου|σε σένα|εσύ|σένα)(?=[\s.;]|$)|εις(?=[\s.;]|$)/u;
    const asked = fields.filter(({ group }) => group === 'question').map(({ labels }) => labels.el_GR ?? '');
    expect(asked.filter((text) => familiar.test(text))).toEqual([]);
  });

  it('of personality, lifestyle and opinion scales differ between fields', () => {
    const own = fields.filter(({ group }) => group === 'personality' || group === 'lifestyle');
    expect(new Set(own.map(({ name }) => scaleOf(name))).size).toBe(own.length);
    const opinions = ['a_abortion', 'a_nato', 'a_homelessness', 'a_religion'].map(scaleOf);
    expect(new Set(opinions).size).toBe(opinions.length);
  });

  it.each([
    ['es_ES', 'Soltero/a'],
    ['es_MX', 'Soltero/a'],
    ['de_AT', 'Ledig'],
    ['el_GR', 'Ελεύθερος/η'],
    ['en_GB', 'Single'],
    ['tr_TR', 'Single'],
  ])('in %s fall back to the language, then to English', (locale, text) => {
    const [single] = fieldByName('marital_status')?.values ?? [];
    expect(single && labelIn(single.labels, locale)).toBe(text);
    expect(labelLocales).toContain(labelLocaleOf(locale));
  });
});

describe('tiers', () => {
  it('contain the expected criteria', () => {
    expect(named('basic', 'basic')).toEqual(
      `build country drinking education has_children height language marital_status online religion smoking state
      want_children`.split(/\s+/),
    );
    expect(named('platinum', 'basic')).toEqual(
      `best_attribute exercise eye_color family_roots hair_color income music occupation politics race`.split(
        /\s+/,
      ),
    );
    const whole = ['opinion', 'favorite', 'interest', 'lifestyle', 'personality'] as const;
    for (const group of whole) expect(named('platinum', group)).toEqual(namesOf(group).sort(alphabetically));
    expect(fields.filter(({ group, criterion }) => group === 'question' && criterion)).toEqual([]);
    const derived = criteria.filter(({ name }) => !fieldByName(name));
    expect(derived.map(({ name, tier }) => `${name} ${tier}`).sort(alphabetically)).toEqual([
      'age basic',
      'keywords basic',
      'last_active platinum',
      'location basic',
      'mood platinum',
      'new basic',
      'photo basic',
      'zipcode basic',
      'zodiac platinum',
    ]);
  });
});

describe('names', () => {
  it.each([
    ['eye-color', 'eye_color'],
    ['EYE_COLOR', 'eye_color'],
    ['Eye-Color', 'eye_color'],
    ['genderpreference', 'gender_preference'],
    ['genderPreference', 'gender_preference'],
    ['dateofbirth', 'date_of_birth'],
    ['firstname', 'first_name'],
    ['lastname', 'last_name'],
    ['aboutme', 'about_me'],
    ['zippostalcode', 'zip'],
    ['communityoptin', 'world_plus'],
    ['world-plus', 'world_plus'],
    ['agefrom', 'agefrom'],
    ['no-such-field', 'no_such_field'],
    ['', ''],
    ['__proto__', '__proto__'],
  ])('%p means %p', (spelling, name) => {
    expect(canonicalName(spelling)).toBe(name);
  });

  it('are resolved to canonical names', () => {
    for (const { name, aliases = [] } of fields) {
      expect(canonicalName(name)).toBe(name);
      expect(aliases.map(canonicalName)).toEqual(aliases.map(() => name));
    }
  });

  it('find nothing if unknown', () => {
    expect(['constructor', '__proto__', 'toString', 'nickname'].map(fieldByName)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

const labels = (en_US: string, es_ES: string, de_DE: string, el_GR: string) => ({
  en_US,
  es_ES,
  de_DE,
  el_GR,
});

describe('an invalid catalogue', () => {
  const one = labels('One', 'Uno', 'Eins', 'Ένα');
  const text: Field = { name: 'one', group: 'basic', kind: 'text', labels: one };
  const values = [
    { code: 10, labels: labels('Ten', 'Diez', 'Zehn', 'Δέκα') },
    { code: 20, labels: labels('Twenty', 'Veinte', 'Zwanzig', 'Είκοσι') },
  ];
  const choice: Field = { ...text, kind: 'choice', values };
  const twins = [...values, { code: 30, labels: labels('Score', 'Veintena', 'Zwanzig', 'Εικοσάδα') }];
  const criterion = { form: 'general', tier: 'basic', weight: 1 } as const;

  it.each<[string, Field[]]>([
    ['one: the name appears twice', [text, text]],
    ['one: the name appears twice', [text, { ...text, name: 'two', aliases: ['one'] }]],
    ['One: its name is not lowercase with underscores', [{ ...text, name: 'One' }]],
    [
      'one: the field has no text in en_US (libs/contract/src/catalogue)',
      [{ ...text, labels: { ...one, en_US: '' } }],
    ],
    [
      'one: the field has no text in el_GR (libs/contract/locales/el_GR.json)',
      [{ ...text, labels: { ...one, el_GR: ' ' } }],
    ],
    ['one: two values read the same in de_DE', [{ ...choice, values: twins }]],
    ['one: exactly the choice kinds declare values', [{ ...text, values }]],
    ['one: exactly the choice kinds declare values', [{ ...text, kind: 'choice' }]],
    ['one: a value code appears twice', [{ ...choice, values: [...values, { code: 20, labels: one }] }]],
    ['one: a failure code is not in the table', [{ ...text, codes: { register: 12_345 } }]],
    ['one: its weight is not a whole number', [{ ...text, criterion: { ...criterion, weight: 1.5 } }]],
    ['one: its weight is not positive', [{ ...text, criterion: { ...criterion, weight: 0 } }]],
    [
      'one: a neighbor is not one of its values',
      [{ ...choice, criterion: { ...criterion, neighbors: { 10: { 30: 0.5 } } } }],
    ],
    [
      'one: a neighbor credit is not between 0 and 1',
      [{ ...choice, criterion: { ...criterion, neighbors: { 10: { 20: 1 } } } }],
    ],
  ])('is reported: %s', (problem, catalogue) => {
    expect(catalogueProblems(catalogue)).toEqual([problem]);
  });

  it('is reported with each missing translation', () => {
    const untranslated = { ...choice, values: [...values, { code: 30, labels: { en_US: 'Thirty' } }] };
    expect(catalogueProblems([untranslated])).toEqual([
      'one: choice 30 has no text in es_ES (libs/contract/locales/es_ES.json)',
      'one: choice 30 has no text in de_DE (libs/contract/locales/de_DE.json)',
      'one: choice 30 has no text in el_GR (libs/contract/locales/el_GR.json)',
    ]);
  });
});
