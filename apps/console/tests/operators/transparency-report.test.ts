import { describe, expect, it } from '@jest/globals';
import { filesOf, lastMonths, partsOf } from '../../src/operators/transparency-report.ts';

describe('the transparency report', () => {
  it('offers months that are over, also of the year before', () => {
    expect(lastMonths(3, new Date('2027-02-01T00:00:00Z'))).toEqual(['2027-01', '2026-12', '2026-11']);
    expect(lastMonths(1, new Date('2027-03-31T23:59:59Z'))).toEqual(['2027-02']);
  });

  it.each([
    ['suspend_with_ban', ['suspend', 'with_ban']],
    ['scam_signals_confirmed', ['scam_signals', 'confirmed']],
    ['own_initiative_terms', ['own_initiative', 'terms']],
    ['notice_law', ['notice', 'law']],
    ['notices', ['notices']],
    ['terms', ['terms']],
  ])('reads the category %s in its parts', (category, parts) => {
    expect(partsOf(category)).toEqual(parts);
  });

  it('is saved as the service made it, and as JSON without the file', () => {
    const report = { from: '2026-07', to: '2026-12', siteids: [1], rows: [] };
    expect(filesOf({ ...report, csv: 'from,to\n' })).toEqual({
      csv: 'from,to\n',
      json: '{\n  "from": "2026-07",\n  "to": "2026-12",\n  "siteids": [\n    1\n  ],\n  "rows": []\n}\n',
    });
  });
});
