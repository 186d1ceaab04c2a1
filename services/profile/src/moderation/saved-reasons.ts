import { invalidArgument } from '@covalence/contract/failure';
import { keptText } from '@covalence/contract/kept-text';
import { z } from 'zod';
import { waitingKinds, type WaitingKind } from '../members/document/account-status.ts';

const longestReason = 1_000;

/** The reason of a decision. */
export const reason = keptText(longestReason, 1);

/** The languages that every saved reason is in. */
const languages = ['en', 'de', 'el', 'es', 'fr', 'tr'] as const;

const isLanguage = (text: string): text is (typeof languages)[number] =>
  languages.some((language) => language === text);

/** A saved reason. */
export const reasonSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z_]{0,39}$/)
    .meta({ examples: ['contact_data'] }),
  kinds: z.array(z.enum(waitingKinds)).min(1).meta({ description: 'The decisions that it fits.' }),
  texts: z.strictObject({ en: reason, de: reason, el: reason, es: reason, fr: reason, tr: reason }),
});

const reasonsSchema = z
  .array(reasonSchema)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'id must be unique');

/** The reasons that staff choose from. */
export type SavedReasons = readonly z.output<typeof reasonSchema>[];

/** Parses the reasons of a configuration. Throws a ZodError that names each problem. */
export const parseReasons = (data: unknown): SavedReasons => reasonsSchema.parse(data);

/** The text of a saved reason in the language of a locale, or in English. Throws 403 for one that does not fit the decision. */
export function reasonText(
  id: string,
  kind: WaitingKind | undefined,
  locale: string,
  reasons: SavedReasons,
): string {
  const found = reasons.find((each) => each.id === id);
  if (!found || !kind || !found.kinds.includes(kind)) throw invalidArgument();
  const language = locale.slice(0, 2);
  return found.texts[isLanguage(language) ? language : 'en'];
}
