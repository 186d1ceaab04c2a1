import { mostFitting } from './alerts/alert-percolator.ts';
import { mostAnalysis } from './analysis/analysis.ts';
import { newBudget } from './analysis/expand-text.ts';
import { mostKeys, mostPhrases, mostWords } from './analysis/synonyms.ts';
import { longestTexts } from './criteria/parse-search.ts';
import { mostPerCriterion } from './criteria/parse-forms.ts';
import { mostKept } from './judgments/judgment-set-store.ts';
import { comparedRanks, keptResults } from './judgments/run-set.ts';
import { keptRuns } from './judgments/run-store.ts';
import { mostCharacters } from './settings/read-settings.ts';
import { keptVersions } from './settings/settings-store.ts';
import { mostWeeks } from './usage/judge-experiment.ts';
import { mostPerHour } from './workbench/comparison-limit-store.ts';
import { mostShown, ranked } from './workbench/staff-comparison.ts';

/** Limits of searches, and on the work of the search team. A table of docs/search.md is generated from them. */
export const limits: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'version of settings': {
    characters: mostCharacters,
    languages: mostAnalysis.languages,
    stemmers: mostAnalysis.stemmers,
    'phrases with rules': mostKeys,
  },
  language: { rules: mostAnalysis.rules, 'protected words': mostAnalysis.protected },
  rule: { characters: mostAnalysis.letters, 'phrases on a side': mostPhrases },
  phrase: { words: mostWords, 'phrases that all rules add': mostPhrases },
  'criterion of a search (31009)': {
    values: mostPerCriterion.values,
    texts: mostPerCriterion.texts,
    'characters of a text': mostPerCriterion.characters,
  },
  'search (31009)': { 'characters of all its texts': longestTexts },
  'searched text': { 'words that rules add': newBudget().words },
  'change of a member': { 'matches of alerts, a random part if more fit': mostFitting },
  'comparison, rating': { 'shown results': mostShown, 'ranks looked up': ranked },
  site: { 'judgment sets': mostKept.sets },
  'judgment set': { searches: mostKept.searches, grades: mostKept.ratings, 'kept runs': keptRuns },
  'search of a run': { 'kept results': keptResults, 'compared ranks': comparedRanks },
  'staff account, in an hour': {
    comparisons: mostPerHour.comparisons,
    'searches of runs': mostPerHour.judgedSearches,
  },
  experiment: { weeks: mostWeeks },
  service: { 'kept versions, and those of a year': keptVersions },
};
