import { describe, expect, it } from '@jest/globals';
import { drawGrowth, drawResults } from '../charts.ts';
import { savedResults, saveResult, type Result } from '../results.ts';

describe('results of benchmarks', () => {
  it('are not saved without a measurement', () => {
    const machine = { cores: 2, memory: 24, node: process.version, load: 0 };
    const result: Result = { benchmark: 'search', at: '2026-11-27T12:00Z', size: {}, machine, measured: [] };
    const before = savedResults();
    expect(() => saveResult(result)).toThrow('search measured nothing.');
    expect(savedResults()).toEqual(before);
  });

  it('are saved with measurements, and drawn', async () => {
    const results = savedResults();
    const empty = results.filter(({ measured }) => !measured.length);
    expect(empty).toEqual([]);
    expect(await drawResults(results)).toMatch(/^<svg/);
    expect(await drawGrowth(results)).toMatch(/^<svg/);
  });
});
