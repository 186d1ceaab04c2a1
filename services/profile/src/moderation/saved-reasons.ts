import { invalidArgument } from '@covalence/contract/failure';
import { normalizedText } from '@covalence/contract/normalized-text';
import { z } from 'zod';
import { waitingKinds } from '../members/document/account-status.ts';

const longestReason = 1_000;

/** The reason of a decision. */
export const reason = normalizedText(longestReason, 1);

/** The languages that every saved reason is in. */
const languages = ['en', 'de', 'el', 'es', 'fr', 'tr'] as const;

const isLanguage = (text: string): text is (typeof languages)[number] =>
  languages.some((language) => language === text);

/** Uses of a saved reason: a kind of review, or a decision on the account. */
const reasonKinds = [...waitingKinds, 'account'] as const;

/** The use of a saved reason. */
export type ReasonKind = (typeof reasonKinds)[number];

/** A saved reason. */
export const reasonSchema = z.strictObject({
  id: z
    .string()
    .regex(/^(?!total$|withheld$)[a-z][a-z_]{0,39}$/)
    .meta({ examples: ['contact_data'] }),
  kinds: z.array(z.enum(reasonKinds)).min(1).meta({ description: 'The decisions that it fits.' }),
  basis: z.enum(['terms', 'law']).default('terms').meta({ description: 'The legal basis.' }),
  clause: normalizedText(100, 1)
    .optional()
    .meta({ description: 'The clause of the terms, or the law.', examples: ['4.2'] }),
  misuse: z.enum(['illegal_content', 'notices', 'appeals']).optional().meta({
    description:
      'What a suspension for this reason is for, for the transparency report: illegal content again and again, or misuse of notices or appeals.',
  }),
  points: z.int().min(1).max(100).optional().meta({
    description: 'Points of a restriction for it, on sites with strikes.',
  }),
  fraud: z.boolean().optional().meta({
    description:
      'Whether a ban for it warns members who wrote with the banned one, on sites that do so. Only for the kind `account`: a rejection leaves a fraudster signed in.',
  }),
  siteids: z.array(z.int()).min(1).optional().meta({ description: 'The sites; every one by default.' }),
  texts: z.strictObject({ en: reason, de: reason, el: reason, es: reason, fr: reason, tr: reason }),
});

const reasonsSchema = z
  .array(reasonSchema)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'id must be unique')
  .refine(
    (list) => list.every(({ fraud, kinds }) => !fraud || kinds.every((kind) => kind === 'account')),
    'one with "fraud" must be for the kind "account" only',
  )
  .refine(
    (list) =>
      list.some(
        ({ id, kinds, siteids }) => id === 'terms' && kinds.length === reasonKinds.length && !siteids,
      ),
    'one must be "terms", for every kind and site',
  );

/** The reasons that staff choose from. */
export type SavedReasons = readonly z.output<typeof reasonSchema>[];

/** Parses the reasons of a configuration. Throws a ZodError that names each problem. */
export const parseReasons = (data: unknown): SavedReasons => reasonsSchema.parse(data);

/** The saved reason with an id; undefined where the configuration does not have it. */
export const groundOf = (id: string | undefined, reasons: SavedReasons) =>
  reasons.find((each) => each.id === id);

/** A saved reason. Throws 403 for one that does not fit the decision or the site. */
export function savedReason(
  id: string,
  kind: ReasonKind,
  siteid: number,
  reasons: SavedReasons,
): SavedReasons[number] {
  const found = groundOf(id, reasons);
  if (!found?.kinds.includes(kind) || found.siteids?.includes(siteid) === false) throw invalidArgument();
  return found;
}

/** The text of a saved reason in the language of a locale, or in English. */
export function textOfReason({ texts }: SavedReasons[number], locale: string): string {
  const language = locale.slice(0, 2);
  return texts[isLanguage(language) ? language : 'en'];
}
