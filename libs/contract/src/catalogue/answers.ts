import { basicTraitFields } from './basic-trait-fields.ts';
import { favoriteFields } from './favorite-fields.ts';
import type { Field, FieldGroup, Labels } from './field.ts';
import { interestFields } from './interest-fields.ts';
import { labels } from './labels.ts';
import { lifestyleFields } from './lifestyle-fields.ts';
import { opinionFields } from './opinion-fields.ts';
import { personalityFields } from './personality-fields.ts';
import { platinumTraitFields } from './platinum-trait-fields.ts';
import { questionFields } from './question-fields.ts';

/** Answers that only their owner may read, like every opinion. */
const sensitive = new Set([
  'race',
  'family_roots',
  'religion',
  'i_religion',
  'ls_religion',
  'politics',
  'i_politics',
  'f_politician',
  'income',
]);

const withVisibility = (field: Field): Field =>
  field.group === 'opinion' || sensitive.has(field.name) ? { ...field, visibility: 'owner' } : field;

/** The fields that a profile shows as answers, in order, without account and settings. */
export const answerFields: readonly Field[] = [
  ...basicTraitFields,
  ...platinumTraitFields,
  ...opinionFields,
  ...favoriteFields,
  ...interestFields,
  ...lifestyleFields,
  ...personalityFields,
  ...questionFields,
].map(withVisibility);

const byName = new Map(answerFields.map((field) => [field.name, field]));

/** The answer field of a canonical name. */
export function answerByName(name: string): Field | undefined {
  return byName.get(name);
}

/** Names of free-text answers, which are reviewed before others read them. */
export const freeTextAnswers: readonly string[] = answerFields
  .filter(({ kind }) => kind === 'text')
  .map(({ name }) => name);

/** Most answers that a search may request per result. */
export const mostShownAnswers = 10;

/** Labels of the groups. */
export const groupLabels: Readonly<Record<FieldGroup, Labels>> = {
  basic: labels('group.basic', 'Basics'),
  opinion: labels('group.opinion', 'Opinions'),
  favorite: labels('group.favorite', 'Favorites'),
  interest: labels('group.interest', 'Interests'),
  lifestyle: labels('group.lifestyle', 'Lifestyle'),
  personality: labels('group.personality', 'Personality'),
  question: labels('group.question', 'Questions'),
};
