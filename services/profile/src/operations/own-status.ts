import { hangingMembers, type ServiceStatus } from '@covalence/contract/peers/operations-api';
import type { Site, Sites } from '@covalence/contract/sites';
import type { Members } from '../members/members.ts';
import type { ErasureStore } from '../privacy/erasure-store.ts';

/** The job erases what is due every minute. */
const overdueMs = 3_600_000;

/** Members who are due for erasure, and erasures in progress. */
export async function erasureState(
  { store }: Pick<Members, 'store'>,
  erasures: ErasureStore,
  now: Date,
): Promise<ServiceStatus['erasures']> {
  const before = new Date(now.getTime() - overdueMs);
  const [due, late, begun] = await Promise.all([
    store.erasuresDue(now),
    store.erasuresDue(before),
    erasures.state(before),
  ]);
  const oldest = [due.oldest, begun.oldest].flatMap((at) => at?.getTime() ?? []);
  return {
    due: due.due + begun.due,
    overdue: late.due + begun.overdue,
    oldest: oldest.length ? new Date(Math.min(...oldest)).toISOString() : null,
    members: [...new Set([...begun.ids, ...late.ids])].slice(0, hangingMembers),
  };
}

/** Settings of a site that switch something on or off, or limit it. */
const shown = [
  'review',
  'world_plus',
  'zodiac',
  'confirmed_only',
  'minimum_age',
  'photo_limit',
  'likes_per_day',
  'views_per_day',
  'results_per_day',
  'conversations_per_day',
] as const satisfies readonly (keyof Site)[];

const secondPersonOf = ({ deletions, refunds_above: above }: Site['second_person']): string => {
  const limits = Object.entries(above ?? {}).map(([currency, amount]) => `${currency} ${amount}`);
  const refunds = limits.length ? `refunds above ${limits.join(', ')}` : 'refunds';
  return [...(deletions ? ['deletions'] : []), ...(above ? [refunds] : [])].join('; ') || 'none';
};

const strikesOf = ({ days, thresholds }: NonNullable<Site['strikes']>): string =>
  `${thresholds.map(({ points, proposal }) => `${proposal} ${points}`).join(', ')} in ${days} days`;

/** The settings in force on each site. */
export const siteSettings = (sites: Sites): ServiceStatus['settings'] =>
  [...sites.values()].flatMap((site) => {
    const { siteid, scam_signals: scam, second_person, strikes, fraud_warnings: warnings } = site;
    return [
      ...shown.map((name) => ({ name, value: String(site[name] ?? 'none'), siteid })),
      { name: 'scam_signals', value: scam?.mode ?? 'none', siteid },
      { name: 'second_person', value: secondPersonOf(second_person), siteid },
      { name: 'strikes', value: strikes ? strikesOf(strikes) : 'none', siteid },
      { name: 'fraud_warnings', value: String(warnings !== undefined), siteid },
    ];
  });
