import type { ReasonKind, SavedReason } from './queue-queries.ts';

/** Whether a saved reason is for a kind of decisions on each of some sites. */
export const fits = (
  { kinds, siteids }: Pick<SavedReason, 'kinds' | 'siteids'>,
  kind: ReasonKind,
  sites: readonly number[],
): boolean => kinds.includes(kind) && sites.every((site) => siteids?.includes(site) !== false);

/** A saved reason in the language of the person. */
export const reasonText = ({ texts }: SavedReason, language: string): string =>
  texts[language.slice(0, 2) as keyof SavedReason['texts']];
