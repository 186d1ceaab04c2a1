/** The locales that labels are written in, every label of the catalogue in each; en_US is the fallback. */
export const labelLocales = ['en_US', 'es_ES', 'de_DE', 'el_GR'] as const;

/** One of the above. */
export type LabelLocale = (typeof labelLocales)[number];

/** A text in the locales it has been translated to. */
export type Labels = { readonly en_US: string } & { readonly [locale in LabelLocale]?: string };

/** What a field's value is and how it is checked (check-value.ts). */
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

/** One allowed value of a choice: the code that is stored and sent, and its text. */
export interface FieldValue {
  readonly code: number | string;
  readonly labels: Labels;
}

/** The groups of fields, each but the first with a prefix of its own. */
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

/** How a criterion is written in a search: one of these forms. */
type CriterionForm = 'general' | 'range' | 'geolocation';

/** Availability of a criterion: for every member, or for members with a paid membership. */
type CriterionTier = 'basic' | 'platinum';

/** The search criterion that a field makes. */
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
  /** Credit 0..1 for a value that is near a wanted one, by wanted code, then member's code. */
  readonly neighbors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Lowest and highest value of a range criterion. */
  readonly bounds?: readonly [number, number];
}

/** One profile field: everything that validation, questions, criteria and the index mapping know about it. */
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
