import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { measure, type Quality } from '../../src/evaluation/metrics.ts';

const places = 10;
const discount = (place: number) => Math.log2(place + 1);

/** The metrics as their papers define them, place by place. */
function byDefinition(results: readonly number[], grades: ReadonlyMap<number, number>): Quality {
  const gradeAt = (place: number) => grades.get(results[place - 1] ?? -1) ?? 0;
  const best = [...grades.values()].sort((one, other) => other - one);
  const good = best.filter((grade) => grade >= 2).length;
  let [gained, possible, hits, err] = [0, 0, 0, 0];
  for (let place = 1; place <= places; place += 1) {
    gained += (2 ** gradeAt(place) - 1) / discount(place);
    possible += (2 ** (best[place - 1] ?? 0) - 1) / discount(place);
    if (gradeAt(place) >= 2) hits += 1;
    let arrives = 1;
    for (let before = 1; before < place; before += 1) arrives *= 1 - (2 ** gradeAt(before) - 1) / 8;
    err += (arrives * (2 ** gradeAt(place) - 1)) / 8 / place;
  }
  const found = results.filter((id) => (grades.get(id) ?? 0) >= 2).length;
  const shown = Math.min(places, results.length);
  const graded = results.filter((id, at) => at < places && grades.has(id)).length;
  return {
    ndcg: gained / possible,
    precision: hits / places,
    recall: found / good,
    err,
    judged: shown ? graded / shown : 1,
  };
}

const anyGrades = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 3 })), {
    selector: ([id]) => id,
    minLength: 1,
    maxLength: 40,
  })
  .map((pairs) => new Map(pairs))
  .filter((grades) => [...grades.values()].some((grade) => grade >= 2));
const anyResults = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 60 });

describe('the metrics of any results', () => {
  it('are those of their definitions, and between 0 and 1', () => {
    fc.assert(
      fc.property(anyResults, anyGrades, (results, grades) => {
        const measured = measure(results, grades);
        const expected = byDefinition(results, grades);
        for (const name of ['ndcg', 'precision', 'recall', 'err', 'judged'] as const) {
          expect(measured[name]).toBeCloseTo(expected[name], 9);
          expect(measured[name]).toBeGreaterThanOrEqual(0);
          expect(measured[name]).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  it('are best in the order of the grades, and never fall when a better member moves ahead of a worse one', () => {
    fc.assert(
      fc.property(anyResults, anyGrades, fc.nat(), fc.nat(), (results, grades, one, other) => {
        const gradeOf = (id: number) => grades.get(id) ?? 0;
        const ideal = [...grades.keys()].sort((first, second) => gradeOf(second) - gradeOf(first));
        expect(measure(ideal, grades)).toMatchObject({ ndcg: 1, recall: 1 });
        if (results.length < 2) return;
        const [ahead, behind] = [one % results.length, other % results.length].sort((a, b) => a - b);
        const [first, second] = [results[ahead ?? 0] ?? 0, results[behind ?? 0] ?? 0];
        if (gradeOf(second) < gradeOf(first)) return;
        const swapped = results.with(ahead ?? 0, second).with(behind ?? 0, first);
        const [before, after] = [measure(results, grades), measure(swapped, grades)];
        for (const name of ['ndcg', 'precision', 'recall', 'err'] as const)
          expect(after[name]).toBeGreaterThanOrEqual(before[name] - 1e-9);
      }),
    );
  });
});
