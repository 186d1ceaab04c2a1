import { readJson } from './criteria-text.ts';
import type { SearchSettings, SettingsChange } from './queries.ts';
import { settingChanges } from './setting-changes.ts';
import { rankingOf } from './weights.ts';

/** All settings as text, and those that it was made from: what others publish meanwhile is not theirs to undo. */
export interface SettingsDraft {
  readonly base: SearchSettings;
  readonly json: string;
}

const contentOf = (settings: SearchSettings) => ({
  languages: settings.languages,
  relevance: rankingOf(settings),
});

/** The settings in force as text. */
export const settingsText = (settings: SearchSettings) => JSON.stringify(contentOf(settings), null, 2);

const isOther = (one: unknown, other: unknown) =>
  one !== undefined && JSON.stringify(one) !== JSON.stringify(other);

/** The parts that a draft changes, the others stay; undefined if it changes nothing, or is no JSON of settings. */
export function changeIn({ base, json }: SettingsDraft): SettingsChange | undefined {
  const read: unknown = readJson(json);
  if (typeof read !== 'object' || read === null) return undefined;
  const before = contentOf(base);
  const { languages, relevance }: SettingsChange = { ...before, ...read };
  const change = {
    ...(isOther(languages, before.languages) && { languages }),
    ...(isOther(relevance, before.relevance) && { relevance }),
  };
  return Object.keys(change).length ? change : undefined;
}

/** The changes of a draft, a line each. */
export const draftChanges = (draft: SettingsDraft, unset: string): string[] =>
  settingChanges(contentOf(draft.base), { ...contentOf(draft.base), ...changeIn(draft) }, unset);
