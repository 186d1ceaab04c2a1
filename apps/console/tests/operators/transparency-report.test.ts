import { describe, expect, it } from '@jest/globals';
import { filesOf, lastMonths, partsOf, textsOf } from '../../src/operators/transparency-report.ts';
import english from '../../src/texts/en-us.json' with { type: 'json' };

const restrictions = ['reject', 'reject-text', 'reject-photo', 'suspend', 'delete'];
const detections = ['contact_data', 'ban_list', 'scam_signals'];
const reported = 'scam fake_profile harassment sexual_content underage hate violence other none'.split(' ');

/** The categories of each measure that are no data of the operator, as the profile service counts them. */
const categories: Readonly<Record<string, readonly string[]>> = {
  decisions_by_restriction: ['ban', ...restrictions, ...restrictions.map((one) => `${one}_with_ban`)],
  decisions_by_basis: ['terms', 'law'],
  decisions_by_reason: [],
  decisions_by_source: ['notice_terms', 'notice_law', 'own_initiative_terms', 'own_initiative_law'],
  decisions_by_detection: ['program', 'person'],
  decisions_taken_back: ['appeal', 'suspension_ended', 'deletion_undone'],
  automated_detections: detections.flatMap((one) => [`${one}_confirmed`, `${one}_dismissed`]),
  automated_detections_taken_back: detections,
  suspensions_for_misuse: ['illegal_content', 'notices', 'appeals'],
  reports_received: reported,
  reports_decided: reported,
  reports_by_outcome: ['measures', 'none'],
  appeals_received: ['decision', 'report'],
  appeals_decided: ['granted', 'refused'],
  active_recipients_in_union: ['average'],
};

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

  it('has a text for each measure and category that is no data of the operator', () => {
    const named = Object.entries(categories).flatMap(([measure, own]) => [
      [`transparency.measure.${measure}`],
      ...['total', 'withheld', ...own]
        .flatMap(partsOf)
        .map((part) => textsOf(measure).map((of) => `${of}.${part}`)),
    ]);
    expect(named.filter((keys) => !keys.some((key) => key in english))).toEqual([]);
  });

  it('is saved as the service made it, and as JSON without the file', () => {
    const report = { from: '2026-07', to: '2026-12', siteids: [1], rows: [] };
    expect(filesOf({ ...report, csv: 'from,to\n' })).toEqual({
      csv: 'from,to\n',
      json: '{\n  "from": "2026-07",\n  "to": "2026-12",\n  "siteids": [\n    1\n  ],\n  "rows": []\n}\n',
    });
  });
});
