import type { Key } from './codes.ts';
import type { NameTradition } from '../names/first-names.ts';
import type { NameFamily } from '../names/last-names.ts';

/** The usual shade of skin, hair and eyes of a family. */
export type Complexion = 'fair' | 'light' | 'olive' | 'tan' | 'brown' | 'dark';

type Weights<K extends string> = Readonly<Partial<Record<K, number>>>;

/** Traits that follow from a family's origin: names, looks, religion and languages. */
export interface Heritage {
  readonly race: Key<'race'>;
  readonly roots: readonly Key<'family_roots'>[];
  readonly given: Weights<NameTradition>;
  readonly family: NameFamily;
  readonly complexion: Weights<Complexion>;
  readonly religion: Weights<Key<'religion'>>;
  /** A further language and how many speak it. */
  readonly speaks?: readonly [Key<'language'>, number];
}

const fair: Weights<Complexion> = { fair: 4, light: 6 };
const light: Weights<Complexion> = { fair: 2, light: 7, olive: 1 };
const olive: Weights<Complexion> = { light: 3, olive: 7 };
const tan: Weights<Complexion> = { light: 1, olive: 3, tan: 6, brown: 1 };
const protestant: Heritage['religion'] = {
  protestant: 24,
  christian_other: 22,
  catholic: 9,
  agnostic: 18,
  atheist: 9,
  spiritual: 14,
  buddhist: 1,
  other: 2,
};
const catholic: Heritage['religion'] = {
  catholic: 46,
  christian_other: 8,
  agnostic: 18,
  atheist: 9,
  spiritual: 14,
  other: 2,
};
const secular: Heritage['religion'] = {
  protestant: 18,
  catholic: 14,
  christian_other: 6,
  agnostic: 28,
  atheist: 22,
  spiritual: 8,
  buddhist: 1,
};

const white = (
  roots: readonly Key<'family_roots'>[],
  family: NameFamily,
  religion: Heritage['religion'],
  complexion: Heritage['complexion'] = light,
  given: Heritage['given'] = { american: 1 },
): Heritage => ({ race: 'white', roots, given, family, complexion, religion });

/** The origins that the population knows. */
export const heritages = {
  english: white(['british_or_irish'], 'english', protestant, fair),
  irish: white(['british_or_irish'], 'irish', catholic, fair),
  scottish: white(['british_or_irish'], 'scottish', protestant, fair),
  german_american: white(['german'], 'german_american', protestant, fair),
  scandinavian: white(['scandinavian'], 'scandinavian', protestant, { fair: 1 }),
  italian: white(['italian'], 'italian', catholic, olive),
  polish: white(['eastern_european'], 'polish', catholic, fair),
  jewish: white(['eastern_european'], 'jewish', { jewish: 66, agnostic: 14, atheist: 10, spiritual: 8 }),
  cajun: white(['french'], 'french', catholic),
  greek_american: {
    ...white(['greek'], 'greek', { orthodox: 60, agnostic: 16, spiritual: 12, atheist: 6 }, olive, {
      american: 5,
      greek: 4,
    }),
    speaks: ['greek', 0.6],
  },
  african_american: {
    race: 'black',
    roots: ['african'],
    given: { american: 6, african_american: 4 },
    family: 'african_american',
    complexion: { brown: 5, dark: 5, tan: 1 },
    religion: {
      protestant: 38,
      christian_other: 34,
      spiritual: 13,
      agnostic: 7,
      muslim: 3,
      catholic: 4,
      atheist: 2,
    },
  },
  mixed: {
    race: 'mixed',
    roots: ['african', 'british_or_irish'],
    given: { american: 9, african_american: 1 },
    family: 'english',
    complexion: { tan: 6, brown: 4 },
    religion: protestant,
  },
  hispanic: {
    race: 'hispanic',
    roots: ['latin_american'],
    given: { american: 4, hispanic: 6 },
    family: 'hispanic',
    complexion: tan,
    religion: { catholic: 58, christian_other: 18, spiritual: 10, agnostic: 8, atheist: 4 },
    speaks: ['spanish', 0.75],
  },
  chinese: {
    race: 'asian',
    roots: ['asian'],
    given: { american: 4, east_asian: 6 },
    family: 'chinese',
    complexion: { light: 8, olive: 2 },
    religion: { agnostic: 34, atheist: 20, buddhist: 18, christian_other: 14, spiritual: 10, protestant: 4 },
    speaks: ['chinese', 0.7],
  },
  korean: {
    race: 'asian',
    roots: ['asian'],
    given: { american: 4, east_asian: 6 },
    family: 'korean',
    complexion: { light: 9, olive: 1 },
    religion: { protestant: 36, christian_other: 16, agnostic: 26, atheist: 8, buddhist: 8, spiritual: 6 },
    speaks: ['other', 0.6],
  },
  vietnamese: {
    race: 'asian',
    roots: ['asian'],
    given: { american: 4, east_asian: 6 },
    family: 'vietnamese',
    complexion: { light: 5, olive: 5 },
    religion: { buddhist: 34, catholic: 28, agnostic: 22, spiritual: 10, atheist: 6 },
    speaks: ['other', 0.6],
  },
  filipino: {
    race: 'asian',
    roots: ['asian'],
    given: { american: 6, hispanic: 4 },
    family: 'filipino',
    complexion: { olive: 4, tan: 6 },
    religion: { catholic: 68, christian_other: 16, agnostic: 8, spiritual: 6 },
    speaks: ['other', 0.5],
  },
  indian: {
    race: 'asian',
    roots: ['asian'],
    given: { indian: 1 },
    family: 'indian',
    complexion: { tan: 5, brown: 5 },
    religion: { hindu: 58, agnostic: 14, spiritual: 12, atheist: 5, muslim: 5, christian_other: 4 },
    speaks: ['other', 0.8],
  },
  arab: {
    race: 'middle_eastern',
    roots: ['middle_eastern'],
    given: { arab: 1 },
    family: 'arab',
    complexion: { olive: 6, tan: 4 },
    religion: { muslim: 58, agnostic: 12, orthodox: 8, catholic: 8, spiritual: 8, atheist: 6 },
    speaks: ['arabic', 0.8],
  },
  native: {
    race: 'native_american',
    roots: ['native_american'],
    given: { american: 1 },
    family: 'native',
    complexion: { tan: 7, brown: 3 },
    religion: { spiritual: 36, christian_other: 30, agnostic: 14, other: 14, catholic: 6 },
  },
  hawaiian: {
    race: 'pacific_islander',
    roots: ['other'],
    given: { american: 1 },
    family: 'hawaiian',
    complexion: { tan: 7, brown: 3 },
    religion: { christian_other: 30, spiritual: 24, agnostic: 18, catholic: 14, buddhist: 10, other: 4 },
  },
  british: white(['british_or_irish'], 'english', secular, fair, { british: 1 }),
  scots: white(['british_or_irish'], 'scottish', secular, { fair: 1 }, { british: 1 }),
  welsh: white(['british_or_irish'], 'welsh', secular, fair, { british: 1 }),
  british_irish: white(['british_or_irish'], 'irish', catholic, { fair: 1 }, { british: 1 }),
  british_indian: {
    race: 'asian',
    roots: ['asian'],
    given: { indian: 8, british: 2 },
    family: 'indian',
    complexion: { tan: 5, brown: 5 },
    religion: { hindu: 44, muslim: 18, agnostic: 18, atheist: 8, spiritual: 10 },
    speaks: ['other', 0.6],
  },
  british_caribbean: {
    race: 'black',
    roots: ['african'],
    given: { british: 8, african_american: 2 },
    family: 'english',
    complexion: { brown: 5, dark: 5 },
    religion: { christian_other: 34, protestant: 24, agnostic: 18, spiritual: 16, atheist: 6 },
  },
  german: white(['german'], 'german', secular, fair, { german: 1 }),
  german_turkish: {
    race: 'middle_eastern',
    roots: ['turkish'],
    given: { turkish: 8, german: 1 },
    family: 'turkish',
    complexion: { light: 2, olive: 7, tan: 1 },
    religion: { muslim: 62, agnostic: 18, atheist: 10, spiritual: 8 },
    speaks: ['turkish', 0.9],
  },
  spanish: white(['spanish'], 'spanish', { ...catholic, atheist: 20, agnostic: 26, catholic: 38 }, olive, {
    spanish: 1,
  }),
  french: white(['french'], 'french', { ...catholic, catholic: 28, atheist: 30, agnostic: 24 }, light, {
    french: 1,
  }),
  french_arab: {
    race: 'middle_eastern',
    roots: ['middle_eastern'],
    given: { arab: 7, french: 3 },
    family: 'arab',
    complexion: { olive: 6, tan: 4 },
    religion: { muslim: 56, agnostic: 18, atheist: 14, spiritual: 8 },
    speaks: ['arabic', 0.6],
  },
  quebecois: white(['french'], 'quebecois', { ...catholic, atheist: 20, agnostic: 26 }, light, { french: 1 }),
  greek: white(['greek'], 'greek', { orthodox: 72, agnostic: 12, atheist: 10, spiritual: 6 }, olive, {
    greek: 1,
  }),
  turkish: {
    race: 'middle_eastern',
    roots: ['turkish'],
    given: { turkish: 1 },
    family: 'turkish',
    complexion: { light: 3, olive: 7 },
    religion: { muslim: 70, agnostic: 12, atheist: 8, spiritual: 9 },
  },
} satisfies Record<string, Heritage>;

/** The name of an origin. */
export type HeritageName = keyof typeof heritages;
