/** Codes in tens in the order of the keys, as the field catalogue numbers its scales. */
const scale = <K extends string>(...keys: readonly K[]): Readonly<Record<K, number>> =>
  Object.fromEntries(keys.map((key, index) => [key, (index + 1) * 10])) as Record<K, number>;

/**
 * The generator's keys for the values of coded fields, with the catalogue's codes. A key is the catalogue's
 * English label in lower case with underscores; a test checks that both lists agree.
 */
export const codes = {
  build: scale('slim', 'athletic', 'average', 'curvy', 'stocky', 'large'),
  smoking: scale('never', 'occasionally', 'regularly', 'trying_to_quit'),
  drinking: scale('never', 'rarely', 'socially', 'often'),
  education: scale(
    'high_school',
    'some_college',
    'associate_degree',
    'bachelors_degree',
    'masters_degree',
    'doctorate',
  ),
  religion: scale(
    'agnostic',
    'atheist',
    'buddhist',
    'catholic',
    'christian_other',
    'hindu',
    'jewish',
    'muslim',
    'orthodox',
    'protestant',
    'spiritual',
    'other',
  ),
  marital_status: scale('single', 'separated', 'divorced', 'widowed'),
  has_children: scale('no', 'yes_at_home', 'yes_sometimes_at_home', 'yes_away_from_home'),
  want_children: scale('yes', 'probably', 'not_sure', 'probably_not', 'no'),
  language: scale(
    'english',
    'spanish',
    'german',
    'french',
    'greek',
    'turkish',
    'italian',
    'portuguese',
    'arabic',
    'chinese',
    'russian',
    'other',
  ),
  income: scale(
    'under_25000',
    '25000_50000',
    '50000_75000',
    '75000_100000',
    '100000_150000',
    'over_150000',
    'rather_not_say',
  ),
  occupation: scale(
    'administration',
    'arts_and_media',
    'business_and_finance',
    'construction_and_trades',
    'education',
    'engineering',
    'health_care',
    'hospitality',
    'information_technology',
    'law',
    'public_service',
    'retail_and_sales',
    'science',
    'student',
    'transport',
    'self_employed',
    'retired',
    'other',
  ),
  exercise: scale('never', 'now_and_then', 'weekly', 'several_times_a_week', 'daily'),
  best_attribute: scale('eyes', 'smile', 'hair', 'voice', 'hands', 'humor', 'mind', 'heart'),
  eye_color: scale('black', 'blue', 'brown', 'gray', 'green', 'hazel'),
  hair_color: scale('auburn', 'black', 'blond', 'brown', 'gray', 'red', 'white', 'bald'),
  family_roots: scale(
    'african',
    'asian',
    'british_or_irish',
    'eastern_european',
    'french',
    'german',
    'greek',
    'italian',
    'latin_american',
    'middle_eastern',
    'native_american',
    'scandinavian',
    'spanish',
    'turkish',
    'other',
  ),
  race: scale(
    'asian',
    'black',
    'hispanic',
    'middle_eastern',
    'mixed',
    'native_american',
    'pacific_islander',
    'white',
    'other',
  ),
  politics: scale(
    'very_liberal',
    'liberal',
    'middle_of_the_road',
    'conservative',
    'very_conservative',
    'not_political',
  ),
  music: scale(
    'blues',
    'classical',
    'country',
    'dance',
    'folk',
    'hip_hop',
    'jazz',
    'latin',
    'metal',
    'pop',
    'rock',
    'soul',
    'world',
  ),
} as const;

/** A coded field of the generator. */
export type CodedField = keyof typeof codes;

/** A value of a coded field by its key. */
export type Key<F extends CodedField> = keyof (typeof codes)[F] & string;

/** Codes for the importance of an interest: `i_` fields. */
export const interestCodes: Readonly<Record<Liking, number>> = scale(
  'not_for_me',
  'now_and_then',
  'often',
  'love_it',
);

/** The importance of an interest to a person. */
export type Liking = 'not_for_me' | 'now_and_then' | 'often' | 'love_it';

/** The code of an opinion (`a_`), lifestyle (`ls_`) or personality (`p_`) scale: 1 to 5 in tens. */
export function fiveStep(step: number): number {
  return Math.min(5, Math.max(1, Math.round(step))) * 10;
}

/** The catalogue code of one value. */
export function codeOf<F extends CodedField>(field: F, key: Key<F>): number {
  return (codes[field] as Readonly<Record<string, number>>)[key] as number;
}
