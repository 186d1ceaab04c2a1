import { scamSignals } from '@covalence/contract/scam-rules';
import { endpoint } from '@covalence/http/endpoint';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import { siteOf } from '../../members/members.ts';
import type { ModerationContext } from '../moderation.ts';
import type { FlaggedMember } from '../store/scam-flag-store.ts';
import { oneSite, sitesOf } from '../staff-call.ts';
import { rulesVersion, scamMode, signalName, versionOf } from './score.ts';

/** Fewest decisions of which there is a share. */
const fewest = 5;

const shareShape = {
  flagged: z.int().meta({ examples: [40] }),
  decided: z.int().meta({ examples: [25], description: 'How many of them staff decided on in time.' }),
  fraud: z
    .int()
    .nullable()
    .meta({
      examples: [20],
      description: 'How many were banned for fraud; null for fewer than 5 decisions.',
    }),
  precision: z
    .number()
    .nullable()
    .meta({ examples: [0.8], description: 'The share of fraud among the decisions.' }),
};

const isDecided = ({ outcome }: FlaggedMember) => outcome !== undefined;

function shareOf(counts: readonly FlaggedMember[]) {
  const decided = counts.filter(isDecided).length;
  const found = counts.filter(({ outcome }) => outcome === 'fraud').length;
  const isShown = decided >= fewest;
  return {
    flagged: counts.length,
    decided,
    fraud: isShown ? found : null,
    precision: isShown ? Math.round((found / decided) * 1_000) / 1_000 : null,
  };
}

/** The first of some flags; null where all of the members are erased. */
function firstOf(counts: readonly FlaggedMember[]): Date | null {
  const times = counts.flatMap(({ since }) => since ?? []).map((at) => at.getTime());
  return times.length ? new Date(Math.min(...times)) : null;
}

type Rules = Pick<FlaggedMember, 'version' | 'mode'>;

const nameOf = ({ version, mode }: Rules): string => `${version} ${mode}`;

/** GET /staff/scam-signals/precision */
export const scamPrecision = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several' },
  operationId: 'getStaffScamPrecision',
  summary: 'Get the precision of signals of scams',
  description:
    'Of the members whom each version of the rules flagged in the last 365 days, by mode: on how many staff decided, and how many of those were banned for fraud. With `on` every decision on the member counts, because the queue shows the flag; with `shadow` only bans for fraud, reversals of these, and dismissals. The rules in force first; `signals` has the members whom each signal flagged, with any others.',
  answer: 'The rules in force on each site, and every version and mode that flagged somebody.',
  input: z.object({ siteid: oneSite }),
  output: z
    .object({
      versions: z.array(
        z
          .strictObject({
            siteid: z.int(),
            version: rulesVersion,
            mode: scamMode,
            in_force: z.boolean(),
            first: z.iso.datetime().nullable().meta({ description: 'Time of its first flag.' }),
            ...shareShape,
            signals: z.array(
              z.strictObject({ signal: signalName, ...shareShape }).meta({ id: 'ScamSignalPrecision' }),
            ),
          })
          .meta({ id: 'ScamPrecision' }),
      ),
    })
    .meta({ id: 'ScamPrecisions' }),
  handler: async ({ input: { siteid }, sites }, context: ModerationContext) => {
    const siteids = sitesOf(siteid, sites, context);
    const counts = await context.moderation.scamFlags.flagged(siteids);
    const versions = siteids.flatMap((site) => {
      const own = counts.filter((each) => each.siteid === site);
      const found = siteOf(context, site).scam_signals;
      const current = found && { version: versionOf(found), mode: found.mode };
      const byRules = Map.groupBy(own, nameOf);
      const inForce = current && { rules: current, all: byRules.get(nameOf(current)) ?? [] };
      const earlier = [...byRules.values()].flatMap((all) => {
        const [first] = all;
        return first && !(current && nameOf(first) === nameOf(current)) ? [{ rules: first, all }] : [];
      });
      return [...(inForce ? [inForce] : []), ...earlier].map((each) => {
        const {
          rules: { version, mode },
          all,
        } = each;
        return {
          siteid: site,
          version,
          mode,
          in_force: each === inForce,
          first: isoOrNull(firstOf(all)),
          ...shareOf(all),
          signals: scamSignals.flatMap((signal) => {
            const having = all.filter(({ signals }) => signals.includes(signal));
            return having.length ? [{ signal, ...shareOf(having) }] : [];
          }),
        };
      });
    });
    return { versions };
  },
});
