import { milesBetween } from '@covalence/contract/position';
import { scamSignals, type ScamRules, type ScamSignal } from '@covalence/contract/scam-rules';
import { hourMs, dayMs } from '@covalence/contract/time';
import { createHash } from 'node:crypto';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import type { Member } from '../../members/document/member.ts';
import { positionOf } from '../../members/document/member-values.ts';
import { siteOf } from '../../members/members.ts';
import { townOf } from '../../members/places/complete-place.ts';
import type { ModerationContext } from '../moderation.ts';
import type { MessageSignal } from '../store/signal-store.ts';

/** A signal that a member has: in how many conversations, and when last; null where nobody knows. */
interface Reason {
  readonly signal: ScamSignal;
  readonly weight: number;
  readonly count: number;
  readonly last: Date | null;
}

/** The score of a member, and what it is made of. */
interface Score {
  readonly rules: ScamRules;
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** Names a version of the rules: any change but that of the mode gives another one. */
export function versionOf({ mode: _mode, ...rules }: ScamRules): string {
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 8);
}

type Companion = Omit<Reason, 'signal' | 'weight'>;

/** A move abroad in the last days, and a position far from the town that the profile names. Sign-ins have no place. */
function placeOf(member: Member, { miles, days }: ScamRules['signals']['place'], now: Date): Companion {
  const { moved } = member;
  const isRecent = moved !== undefined && now.getTime() - moved.at.getTime() < days * dayMs;
  const position = positionOf(member);
  const town = position && townOf({ ...member.fields });
  const isFar =
    position !== null &&
    town !== null &&
    milesBetween(position, { lat: town.latitude, lon: town.longitude }) > miles;
  return { count: Number(isRecent) + Number(isFar), last: isRecent ? moved.at : null };
}

const newAccountOf = ({ joined }: Member, days: number, now: Date): Companion => ({
  count: now.getTime() - joined.getTime() < days * dayMs ? 1 : 0,
  last: joined,
});

/** Since when each signal of messages counts: not before staff last decided on it. */
function windowsOf({ signals }: ScamRules, now: Date, decided: Date | undefined) {
  const names = ['alike', 'links', 'contact', 'money'] as const satisfies readonly MessageSignal[];
  return names
    .filter((name) => signals[name].weight > 0)
    .map((name) => {
      const begin = now.getTime() - signals[name].hours * hourMs;
      return [name, new Date(Math.max(begin, decided?.getTime() ?? 0))] as const;
    });
}

/** The score of a member; undefined on sites without signals of scams. Only what the member did counts, not what others did to them. */
export async function scoreOf(context: ModerationContext, member: Member): Promise<Score | undefined> {
  const rules = siteOf(context, member.siteid).scam_signals;
  if (!rules) return undefined;
  const now = context.clock();
  const { signals: store, scamFlags } = context.moderation;
  const decided = await scamFlags.decidedAt(member._id);
  const counts = await store.counts(member._id, windowsOf(rules, now, decided));
  const { signals } = rules;
  const written = (signal: MessageSignal): Companion => {
    const found = counts.find((each) => each.signal === signal);
    return found && found.count >= signals[signal].from ? found : { count: 0, last: null };
  };
  const companions: Readonly<Record<ScamSignal, () => Companion>> = {
    alike: () => written('alike'),
    links: () => written('links'),
    contact: () => written('contact'),
    money: () => written('money'),
    place: () => placeOf(member, signals.place, now),
    new_account: () => newAccountOf(member, signals.new_account.days, now),
  };
  const reasons = scamSignals.flatMap((signal): Reason[] => {
    const { weight } = signals[signal];
    const { count, last } = companions[signal]();
    return weight > 0 && count > 0 ? [{ signal, weight, count, last }] : [];
  });
  return { rules, score: reasons.reduce((sum, { weight }) => sum + weight, 0), reasons };
}

/** The signals that there are. */
export const signalName = z.enum(scamSignals).meta({ examples: ['money'] });

/** The mode of the rules. */
export const scamMode = z.enum(['shadow', 'on']).meta({
  description: 'With `on` a member with the threshold waits in the queue; with `shadow` nothing follows.',
});

/** The version of the rules. */
export const rulesVersion = z.string().meta({
  examples: ['3f1c09ab'],
  description: 'The rules: any change of them but that of the mode gives another one.',
});

/** The score of a member as staff see it. */
export const scamScoreSchema = z
  .strictObject({
    mode: scamMode,
    version: rulesVersion,
    score: z.int().meta({ examples: [10] }),
    threshold: z.int().meta({ examples: [9] }),
    reasons: z.array(
      z
        .strictObject({
          signal: signalName,
          weight: z.int().meta({ examples: [5] }),
          count: z.int().meta({
            examples: [3],
            description: 'In how many conversations; 1 or 2 of `place`, 1 of `new_account`.',
          }),
          last: z.iso.datetime().nullable().meta({ description: 'Null where it is not known.' }),
        })
        .meta({ id: 'ScamReason' }),
    ),
  })
  .meta({ id: 'ScamScore' });

/** The score of a member as staff see it. */
export const scamScoreView = ({ rules, score, reasons }: Score): z.output<typeof scamScoreSchema> => ({
  mode: rules.mode,
  version: versionOf(rules),
  score,
  threshold: rules.threshold,
  reasons: reasons.map(({ last, ...reason }) => ({ ...reason, last: isoOrNull(last) })),
});
