/** The locales of labels; en_US is the fallback. */
export const labelLocales = ['en_US', 'es_ES', 'de_DE', 'el_GR'] as const;

/** One of the above. */
export type LabelLocale = (typeof labelLocales)[number];

/** The translations of a text. */
export type Labels = { readonly en_US: string } & { readonly [locale in LabelLocale]?: string };

/** The kind of a field's value, which selects its check (check-value.ts). */
export type FieldKind =
  | 'text'
  | 'username'
  | 'email'
  | 'password'
  | 'country'
  | 'locale'
  | 'timezone'
  | 'gender'
  | 'date'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'choice'
  | 'choices'
  | 'keyword';

/** An allowed value of a choice: the stored code and its label. */
export interface FieldValue {
  readonly code: number | string;
  readonly labels: Labels;
}

/** The groups of fields; each except `basic` has its own name prefix. */
export const fieldGroups = [
  'basic',
  'opinion',
  'favorite',
  'interest',
  'lifestyle',
  'personality',
  'question',
] as const;

/** One of the above. */
export type FieldGroup = (typeof fieldGroups)[number];

/** Visibility of an answer: everyone who may see the profile, or only its owner. */
export const visibilities = ['everyone', 'owner'] as const;

/** One of the above. */
export type Visibility = (typeof visibilities)[number];

/** The form of a criterion in a search. */
type CriterionForm = 'general' | 'range' | 'geolocation';

/** Availability of a criterion: for every member, or for members with a paid membership. */
type CriterionTier = 'basic' | 'platinum';

/** The search criterion of a field. */
export interface FieldCriterion {
  readonly form: CriterionForm;
  readonly tier: CriterionTier;
  /** Weight in the relevance sum: a positive integer; the relevance settings may override it. */
  readonly weight: number;
  /** A hard limit filters instead of scoring near misses. */
  readonly hard?: true;
  /** Not needed for exactmatch, e.g. being online. */
  readonly preference?: true;
  /** Matches words instead of codes. */
  readonly text?: true;
  /** Credit 0..1 for a value near the wanted one: by wanted code, then by member's code. */
  readonly neighbors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Lowest and highest value of a range criterion. */
  readonly bounds?: readonly [number, number];
}

/** One profile field; validation, questions, criteria and the index mapping follow from it. */
export interface Field {
  /** Normalized name: lowercase, underscores. */
  readonly name: string;
  /** Legacy spellings that mean the same field, normalized the same way. */
  readonly aliases?: readonly string[];
  readonly group: FieldGroup;
  readonly kind: FieldKind;
  readonly labels: Labels;
  readonly values?: readonly FieldValue[];
  /** Lengths in characters for texts, bounds for numbers. */
  readonly limits?: { readonly min?: number; readonly max?: number };
  /** Limits that differ on update. */
  readonly updateLimits?: { readonly min?: number; readonly max?: number };
  /** The failure code of a bad value; `valueNotListed` by default. */
  readonly codes?: { readonly register?: number; readonly update?: number };
  /** Later changes wait for review. */
  readonly moderated?: true;
  /** The operation that accepts the field; both by default. */
  readonly only?: 'register' | 'update';
  /** Required at registration. */
  readonly required?: true;
  readonly criterion?: FieldCriterion;
  /** Visibility of an answer unless its site overrides it; everyone by default. */
  readonly visibility?: Visibility;
  /** A setting of the account, not a trait: it cannot be cleared. */
  readonly setting?: true;
}
