import { parseSites } from '@covalence/contract/sites';
import { expect, it } from '@jest/globals';
import { siteSettings } from '../../src/operations/own-status.ts';

const site = { siteid: 1, title: 'Heartland', url: 'https://heartland.example', group: 'a' };
const thresholds = [
  { points: 3, proposal: 'warning' },
  { points: 6, proposal: 'ban' },
];
const fraud_warnings = { help_url: 'https://heartland.example/fraud', contact: 'help@heartland.example' };

it.each([
  ['nothing', {}, ['none', 'none', 'false']],
  [
    'deletions and large refunds, points and warnings',
    {
      second_person: { deletions: true, refunds_above: { USD: 10_000, EUR: 9_000 } },
      strikes: { days: 365, thresholds },
      fraud_warnings,
    },
    ['deletions; refunds above USD 10000, EUR 9000', 'warning 3, ban 6 in 365 days', 'true'],
  ],
  ['every refund', { second_person: { refunds_above: {} } }, ['refunds', 'none', 'false']],
])('the settings in force say what staff and members are kept to: %s', (_title, given, expected) => {
  const settings = siteSettings(parseSites([{ ...site, ...given }]));
  const valueOf = (name: string) => settings.find((each) => each.name === name)?.value;
  expect(['second_person', 'strikes', 'fraud_warnings'].map(valueOf)).toEqual(expected);
});
