import type { TextKey } from '../texts/texts.ts';
import { readJson } from './criteria-text.ts';
import type { Languages, Relevance, SearchSettings, SettingsChange } from './queries.ts';
import { isMap, settingChanges } from './setting-changes.ts';
import { wholeSettings } from './settings-shape.ts';
import { languagesWith, type LanguageText } from './synonym-text.ts';
import { rankingOf, weightChanges, withWeight, type Weights } from './weights.ts';

/** Settings that a person changes, on all pages of the search team, and that are not published. */
export interface SettingsDraft {
  /** The settings that it was made from: what others publish meanwhile is not its to undo. */
  readonly base: SearchSettings;
  /** The parts that differ from these, but for the weights. */
  readonly change: SettingsChange;
  /** Changed weights. */
  readonly weights: Weights;
  /** The site on which the weights count; undefined for every site. */
  readonly site?: string | undefined;
  /** Changed languages as typed. */
  readonly texts?: Readonly<Record<string, LanguageText>> | undefined;
  /** All settings as typed, which may be no JSON yet. */
  readonly json?: string | undefined;
}

const contentOf = (settings: SearchSettings) => ({
  languages: settings.languages,
  relevance: rankingOf(settings),
});

const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);

/** The parts in which settings differ from others; those that they do not have are the same. */
function differing({ languages, relevance }: SettingsChange, base: SearchSettings): SettingsChange {
  const before = contentOf(base);
  const isOfFile = relevance === null && base.relevance === null;
  return {
    ...(languages !== undefined && isOther(languages, before.languages) && { languages }),
    ...(relevance !== undefined && !isOfFile && isOther(relevance, before.relevance) && { relevance }),
  };
}

/** Settings with other parts, which may be those in force, and may be of any shape as read. */
export const draftOf = (base: SearchSettings, change: object = {}): SettingsDraft => ({
  base,
  change: differing(wholeSettings({ ...change }), base),
  weights: {},
});

/** The ranking without the changed weights. */
export const rankingUnder = ({ base, change: { relevance } }: SettingsDraft): Relevance =>
  relevance === undefined ? rankingOf(base) : (relevance ?? base.file);

/** The changed parts; undefined if nothing is changed, or while the text is no JSON. */
export function changeIn(draft: SettingsDraft): SettingsChange | undefined {
  const { base, change, weights, site, json } = draft;
  if (json !== undefined && !isMap(readJson(json))) return undefined;
  const names = Object.entries(weights);
  const ranking = rankingUnder(draft);
  const relevance = names.reduce((all, [name, weight]) => withWeight(all, name, weight, site), ranking);
  const all = names.length ? { ...change, ...differing({ relevance }, base) } : change;
  return Object.keys(all).length ? all : undefined;
}

/** Whether a person would lose something with the draft. */
export const isChanged = (draft: SettingsDraft): boolean =>
  draft.json !== undefined || changeIn(draft) !== undefined;

/** The draft, or one of the settings in force where nothing is changed: it keeps the chosen site, and added languages without a rule. */
export function draftOn(settings: SearchSettings, draft: SettingsDraft | undefined): SettingsDraft {
  if (draft && isChanged(draft)) return draft;
  const added = Object.entries(draft?.texts ?? {}).filter(([name]) => !settings.languages[name]);
  return { ...draftOf(settings), site: draft?.site, texts: Object.fromEntries(added) };
}

/** Languages with the changes of a draft. */
export const languagesIn = ({ base, change }: SettingsDraft): Languages => change.languages ?? base.languages;

/** All settings as text: as typed, else with the changes. */
export const settingsText = (draft: SettingsDraft): string =>
  draft.json ?? JSON.stringify({ ...contentOf(draft.base), ...changeIn(draft) }, null, 2);

/** The draft with other weights. */
export const withWeights = (
  draft: SettingsDraft,
  changed: Pick<SettingsDraft, 'weights' | 'site'>,
): SettingsDraft => ({ ...draft, ...changed, json: undefined });

/** The draft with other texts of some languages. */
export function withTexts(draft: SettingsDraft, changed: SettingsDraft['texts']): SettingsDraft {
  const { base, change } = draft;
  const texts = { ...draft.texts, ...changed };
  const { languages: _former, ...others } = change;
  const languages = languagesWith(languagesIn(draft), texts);
  return { ...draft, change: { ...others, ...differing({ languages }, base) }, texts, json: undefined };
}

/** The draft with other settings as text, which have the changed weights too. */
export function withJson(draft: SettingsDraft, json: string): SettingsDraft {
  const { base, site } = draft;
  const untouched = draftOf(base);
  if (json === settingsText(untouched)) return { ...untouched, site };
  const read: unknown = readJson(json);
  return isMap(read) ? { ...draftOf(base, read), site, json } : { ...draft, json };
}

/** The changes of a draft as a short note. */
export const draftNote = (draft: SettingsDraft, unset: string): string =>
  settingChanges(contentOf(draft.base), { ...contentOf(draft.base), ...changeIn(draft) }, unset)
    .map((line) => line.replace(/^relevance\.(weights\.)?|^languages\./, ''))
    .join('; ');

/** The changes of a draft, a line each. */
export function draftChanges(
  draft: SettingsDraft,
  text: (key: TextKey, values?: Readonly<Record<string, string | number>>) => string,
): string[] {
  const { base, change, weights, site } = draft;
  const unset = text('search.changes.default');
  const ofWeights = weightChanges(rankingUnder(draft), weights, site).map(({ site: of, name, from, to }) => {
    const values = { name, from: from ?? unset, to };
    return of === undefined
      ? text('search.changes.weight', values)
      : text('search.changes.siteWeight', { ...values, site: of });
  });
  const isOfFile = base.relevance === null && changeIn(draft)?.relevance;
  return [
    ...ofWeights,
    ...settingChanges(contentOf(base), { ...contentOf(base), ...change }, unset),
    ...(isOfFile ? [text('search.changes.file')] : []),
  ];
}
