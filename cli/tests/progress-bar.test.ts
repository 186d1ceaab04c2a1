import { describe, expect, it } from '@jest/globals';
import { createProgressBar } from '../src/progress-bar.ts';

const drawn = (columns: number, part: number, text: string) => {
  const written: string[] = [];
  createProgressBar({ isTTY: true, columns, write: (line) => written.push(line) }).update(part, text);
  return written.map((line) => line.slice('\r'.length, -'\u001B[K'.length));
};

describe('the progress bar', () => {
  const text = '8,500 lines, 1,315/s, 0 refused';

  it('redraws itself', () => {
    expect(drawn(120, 0.5, text)).toEqual([`[${'#'.repeat(15)}${'-'.repeat(15)}]  50 %  ${text}`]);
  });

  it.each([80, 60, 50, 40, 20])('fits a terminal of %d columns', (columns) => {
    const [line = ''] = drawn(columns, 1, text);
    expect(line.length).toBeLessThan(columns);
    expect(line).toContain('100 %');
    expect(line.includes('#')).toBe(columns >= 50);
  });
});
