import { describe, expect, it } from '@jest/globals';
import { isSound, linesOf, summaryOf } from '../report.ts';

const ended = (result: string) => ({
  name: 'happy-flow',
  result,
  seconds: 2,
  log: [
    { src: 'CheckState', msg: 'no state', result: 'FAILURE' },
    { src: 'CheckCode', msg: 'a code', result: 'SUCCESS' },
  ],
});

describe('the report of a plan', () => {
  it.each([
    [['PASSED', 'SKIPPED'], true],
    [['PASSED', 'WARNING'], false],
    [['PASSED', 'REVIEW'], false],
    [['PASSED', 'FAILED'], false],
    [['PASSED', 'UNFINISHED'], false],
    [[], false],
  ])('with %j is sound: %s', (results, sound) => expect(isSound(results.map(ended))).toBe(sound));

  it('says why a module did not pass, and counts results', () => {
    expect(linesOf(ended('FAILED'))).toEqual(['FAILED       2 s  happy-flow', '    CheckState: no state']);
    expect(linesOf(ended('PASSED'))).toEqual(['PASSED       2 s  happy-flow']);
    expect(summaryOf(['PASSED', 'FAILED', 'PASSED'].map(ended))).toBe('3 modules: 2 PASSED, 1 FAILED');
  });
});
