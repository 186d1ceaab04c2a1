import { describe, expect, it } from '@jest/globals';
import { readGrades, writeGrades, writeRun } from '../../src/judgments/formats.ts';

const searches = [
  { id: 'a', name: 'non-smokers, 25 "plus"' },
  { id: 'b', name: 'ben' },
];
const rating = (search: string, member: number, rater: string, grade: number) => ({
  search,
  member,
  rater,
  grade,
});
const ratings = [
  rating('a', 11, 'uuid-of-anna', 3),
  rating('a', 11, 'uuid-of-berta', 2),
  rating('a', 12, 'uuid-of-berta', 0),
  rating('b', 11, 'uuid-of-anna', 1),
];

describe('the files of other tools', () => {
  it('are a book of Quepid with a column for each rater, whom it does not name', () => {
    expect(writeGrades('quepid', searches, ratings)).toBe(
      [
        'query,docid,rater 1,rater 2',
        '"non-smokers, 25 ""plus""",11,3,2',
        '"non-smokers, 25 ""plus""",12,,0',
        'ben,11,1,',
        '',
      ].join('\n'),
    );
  });

  it('are qrels of TREC with the means, and a run file', () => {
    expect(writeGrades('trec', searches, ratings)).toBe(
      'non-smokers,_25_"plus" 0 11 3\nnon-smokers,_25_"plus" 0 12 0\nben 0 11 1\n',
    );
    expect(writeRun([{ name: 'ben and carl', found: [12, 11] }], 'version 3')).toBe(
      'ben_and_carl Q0 12 1 2 version_3\nben_and_carl Q0 11 2 1 version_3\n',
    );
  });

  it('are read as they are written, also with the line ends of Windows', () => {
    for (const format of ['quepid', 'trec'] as const) {
      const text = writeGrades(format, searches, ratings);
      const read = readGrades(format, text.replaceAll('\n', '\r\n'));
      expect('rows' in read && read.rows.map(({ search, member }) => [search, member])).toEqual([
        ['non-smokers, 25 "plus"', 11],
        ['non-smokers, 25 "plus"', 12],
        ['ben', 11],
      ]);
    }
    expect(readGrades('quepid', writeGrades('quepid', searches, ratings))).toMatchObject({
      rows: [{ grades: [3, 2] }, { grades: [undefined, 0] }, { grades: [1, undefined] }],
    });
  });

  it('of Quepid’s cases have one column, floats, and a blank before what a spreadsheet would compute', () => {
    expect(readGrades('quepid', 'query,docid,rating\n" =ben",11,2.0\n')).toEqual({
      rows: [{ search: '=ben', member: 11, grades: [2] }],
    });
  });

  it.each([
    [
      'quepid',
      'query,docid,rating\nben,11,2\nben,eleven,2\nben,12,4\nben,13\nben,14,1.5\nben,15, \n',
      [3, 4, 5, 6, 7],
    ],
    ['trec', 'ben 0 11 2\nben 0 12 -1\nben 0 13\nben 0 0 1\n', [2, 3, 4]],
    ['trec', 'ben 0 11 1e400\n', [1]],
  ] as const)('of %s name the lines that cannot be read', (format, text, lines) => {
    const problem = 'must be a search, a member and grades from 0 to 3';
    expect(readGrades(format, text)).toEqual({
      problems: lines.map((line) => ({ path: `line ${line}`, problem })),
    });
  });

  it('name twenty problems at most', () => {
    const read = readGrades('trec', 'x\n'.repeat(30_000));
    expect('problems' in read && read.problems).toHaveLength(20);
  });
});
