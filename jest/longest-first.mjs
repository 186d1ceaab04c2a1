import TestSequencer from '@jest/test-sequencer';
import { readFileSync } from 'node:fs';

const limit = /(?:\}, |^\s+)(\d+_000),?\s*\);/gm;

/** The time limits of a suite's cases and hooks that have one of their own, in ms, added up. */
function allowance({ path }) {
  const limits = [...readFileSync(path, 'utf8').matchAll(limit)];
  return limits.reduce((sum, [, ms]) => sum + Number(ms.replaceAll('_', '')), 0);
}

/**
 * The longest suites first, so that none of them is left alone at the end: by the times of the last run, and where there
 * are none, in a fresh clone, by the limits that they give themselves. jest would go by the size of their files.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const allowed = new Map(sorted.map((test) => [test, allowance(test)]));
    return sorted.toSorted((one, other) => allowed.get(other) - allowed.get(one));
  }
}
