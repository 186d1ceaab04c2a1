import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { criteria } from '@covalence/contract/catalogue/criteria';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { labelLocales } from '@covalence/contract/catalogue/field';
import { derivedLabels } from '@covalence/contract/catalogue/criterion-labels';
import { member } from '../population.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

interface Question {
  readonly name: string;
  readonly label: string;
  readonly form: string;
  readonly accessible: boolean;
  readonly values?: { value: string | number; label: string }[];
  readonly from?: number;
  readonly to?: number;
  readonly within?: { value: number; label: string; accessible: boolean }[];
}

const plain = member(1, { siteid: 1 });
const subscriber = member(2, { siteid: 1 });
const elsewhere = member(3, { siteid: 2 });
const strict = member(4, { siteid: 4 });

const ofTier = (wanted: string) => criteria.flatMap(({ name, tier }) => (tier === wanted ? [name] : []));

const names = (group: Question[]) => group.map(({ name }) => name);

const one = (group: Question[], name: string) => group.find((question) => question.name === name);

/** The texts of the questions by path, without names of countries, which have their own order and are often the same. */
const textsOf = (questions: Question[]) =>
  questions.flatMap(({ name, label, values = [], within = [] }) => [
    [name, label] as const,
    ...[...(name === 'country' ? [] : values), ...within].map(
      (choice) => [`${name} ${choice.value}`, choice.label] as const,
    ),
  ]);

describe('GET /searches/questions', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('questions', { members: [plain, subscriber, elsewhere, strict] });
    service.profile.platinum.add(subscriber.id);
  });
  afterAll(() => service?.close());

  const ask = async (viewer: number) => {
    const { status, body } = await service.call(viewer, 'get', '/searches/questions');
    expect(status).toBe(200);
    return body as Record<'basic' | 'platinum' | 'my-matches', Question[]>;
  };

  it('partitions the criteria into basic, platinum and my-matches', async () => {
    const groups = await ask(plain.id);
    expect(names(groups.basic)).toEqual(ofTier('basic'));
    expect(names(groups.platinum)).toEqual(ofTier('platinum'));
    expect(names(groups['my-matches'])).toEqual(criteria.map(({ name }) => name));
  });

  it('marks the criteria that the member may use', async () => {
    const [mine, theirs] = [await ask(plain.id), await ask(subscriber.id)];
    expect(new Set(mine.basic.map(({ accessible }) => accessible))).toEqual(new Set([true]));
    expect(new Set(mine.platinum.map(({ accessible }) => accessible))).toEqual(new Set([false]));
    expect(one(mine['my-matches'], 'income')?.accessible).toBe(false);
    expect(new Set(theirs.platinum.map(({ accessible }) => accessible))).toEqual(new Set([true]));
    const open = (groups: { basic: Question[] }) =>
      one(groups.basic, 'location')?.within?.flatMap(({ value, accessible }) => (accessible ? [value] : []));
    expect(open(mine)).toEqual([-1, 150, 500, 1000]);
    expect(open(theirs)).toEqual([-1, 20, 30, 40, 50, 150, 500, 1000]);
  });

  it('labels a criterion as its field', async () => {
    const { basic: group, platinum: more } = await ask(plain.id);
    expect(one(group, 'zipcode')?.label).toBe(fieldByName('zip')?.labels.en_US);
    expect(one(more, 'mood')?.label).toBe(fieldByName('p_mood')?.labels.en_US);
    expect(Object.keys(derivedLabels).filter((name) => fieldByName(name))).toEqual([]);
  });

  it('returns forms, values and bounds', async () => {
    const { basic: group, platinum: more } = await ask(plain.id);
    expect(one(group, 'age')).toMatchObject({ form: 'range', from: 18, to: 120, label: 'Age' });
    expect(one(group, 'smoking')?.values?.map(({ value }) => value)).toEqual([10, 20, 30, 40]);
    expect(one(group, 'smoking')?.values?.[0]?.label).toBe('Never');
    expect(one(group, 'keywords')).toEqual({
      name: 'keywords',
      label: 'Keywords',
      form: 'general',
      accessible: true,
    });
    expect(one(more, 'last_active')?.values?.[1]).toEqual({ value: 3, code: 3, label: 'Within 3 days' });
  });

  it('returns values that a search accepts for each criterion without free text', async () => {
    const { 'my-matches': questions } = await ask(subscriber.id);
    const general = questions.filter(({ form }) => form === 'general');
    const open = general.flatMap(({ name, values }) => (values ? [] : [name]));
    expect(open.filter((name) => !name.startsWith('f_'))).toEqual(['zipcode', 'state', 'keywords']);
    const all = general.flatMap(({ name, values }) =>
      values ? [[name, { values: values.map(({ value }) => value) }] as const] : [],
    );
    const search = { age: { from: 18 }, ...Object.fromEntries(all) };
    expect((await service.post(subscriber.id, search)).status).toBe(200);
  });

  it('uses the language of the member', async () => {
    service.profile.settings.set(plain.id, { locale: 'de_AT' });
    const { basic: group, platinum: more } = await ask(plain.id);
    service.profile.settings.delete(plain.id);
    expect(one(group, 'age')?.label).toBe('Alter');
    expect(one(group, 'photo')?.values?.map(({ label }) => label)).toEqual(['Ja', 'Nein']);
    expect(one(group, 'location')?.within?.[0]?.label).toBe('Jede Entfernung');
    expect(one(group, 'country')?.values).toContainEqual({ value: 'GR', key: 'GR', label: 'Griechenland' });
    expect(one(more, 'last_active')?.values?.[0]?.label).toBe('Innerhalb eines Tages');
  });

  const inLocale = async (locale: string) => {
    service.profile.settings.set(plain.id, { locale });
    const { 'my-matches': questions } = await ask(plain.id);
    service.profile.settings.delete(plain.id);
    return questions;
  };

  it('has every text in every language, and English otherwise', async () => {
    const english = textsOf(await inLocale('en_US'));
    expect(english.filter(([, text]) => !text || /NaN|undefined|_/.test(text))).toEqual([]);
    expect(await inLocale('fr_FR')).toEqual(await inLocale('en_US'));
    for (const locale of labelLocales.filter((one) => one !== 'en_US')) {
      const texts = textsOf(await inLocale(locale));
      expect(texts.map(([place]) => place)).toEqual(english.map(([place]) => place));
      const same = texts.filter(([, text], index) => text === english[index]?.[1]);
      // Names and words that are the same in both languages; in Spanish, four signs are.
      expect([locale, same.length < english.length / 10]).toEqual([locale, true]);
      expect(same.filter(([place]) => place.startsWith('zodiac ')).length).toBeLessThan(5);
    }
  });

  it('has zodiac signs only on sites that show them', async () => {
    expect(one((await ask(plain.id)).platinum, 'zodiac')?.values).toHaveLength(12);
    expect(one((await ask(elsewhere.id))['my-matches'], 'zodiac')).toBeUndefined();
  });

  it('omits criteria of fields that the site rejects, as a search does', async () => {
    const mine = names((await ask(plain.id))['my-matches']);
    const theirs = names((await ask(strict.id))['my-matches']);
    const gone = ['mood', 'a_pornography', 'p_mood', 'zodiac', 'zipcode'];
    expect(new Set(mine)).toEqual(new Set([...theirs, ...gone]));
    expect(theirs).toHaveLength(mine.length - gone.length);
    const search = { age: { from: 18 }, a_pornography: { value: 10 } };
    expect((await service.post(plain.id, search)).status).toBe(200);
    const refused = await service.post(strict.id, search);
    expect([refused.status, refused.body]).toEqual([403, { fail: 'Invalid Argument', failcode: [31009] }]);
  });
});
