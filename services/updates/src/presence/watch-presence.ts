import { chunks } from '@covalence/runtime/chunks';
import { isPeerDefect } from '@covalence/runtime/unavailable-error';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Due, Checked } from './presence-store.ts';

type Watched = Pick<Context, 'presence' | 'profile' | 'channels' | 'clock'>;

/** Members looked at in one round, and asked about in one call: what comes all at once is told over some rounds. */
const perRound = 1_000;
const perAsk = 50;
/** Clocks of processes that note calls may be behind this one's. */
const clockSlackMs = 5_000;

/** The pause after looks that failed one after the other. */
const longestPauseMs = 30_000;

/** A member who is due, with what is known without asking. */
interface Candidate extends Due {
  readonly until: number;
  readonly wasShown: boolean;
}

/** Nothing is told of a member, who is looked at again when they may have gone. */
const postponed = ({ id, at, until }: Candidate, now: number): Checked => ({
  id,
  at,
  next: until > now ? until : undefined,
});

/** One process's look at who came and who went. */
export interface PresenceCheck {
  /** One look, where it is this process's turn. Throws where a store or profile is away; the next look makes up for it. */
  look(): Promise<void>;
}

/**
 * Creates it. A member who came, went, or whose standing is different is asked about with profile, and where that differs
 * from what connections were told last, those that are connected are told, and then it is noted: after a crash it is told
 * twice rather than not. Who is only still here costs no question.
 */
export function createPresenceCheck({ presence, profile, channels, clock }: Watched): PresenceCheck {
  let lookedAt: number | undefined;

  const candidatesOf = async (due: readonly Due[]): Promise<Candidate[]> => {
    const ids = due.map(({ id }) => id);
    const [untils, shown] = await Promise.all([presence.activeUntil(ids), presence.areOnline(ids)]);
    return due.map((one, index) => ({ ...one, until: untils[index] ?? 0, wasShown: shown[index] ?? false }));
  };

  /** Asks about members, tells what is different, and says when to look again. */
  const checkAndPublish = async (sights: readonly Candidate[], now: number): Promise<Checked[]> => {
    const { members } = await profile.presenceRecipients({ ids: sights.map(({ id }) => id) });
    const known = new Map(members.map((member) => [member.id, member]));
    const at = clock().toISOString();
    return Promise.all(
      sights.map(async ({ id, at: dueAt, until, wasShown }) => {
        const member = known.get(id);
        const online = until > now && member?.shown === true;
        if (online !== wasShown) {
          const frame = { type: 'presence', at, data: { profileid: id, online } };
          await channels.publishEphemeral(member?.recipients ?? [], JSON.stringify(frame));
          await presence.setOnline(id, online);
        }
        return { id, at: dueAt, next: member && until > now ? until : undefined };
      }),
    );
  };

  /** Asks; about one whom profile answers 500 for nothing is told, so that nobody waits for them. */
  const checkOrPostpone = async (sights: readonly Candidate[], now: number): Promise<Checked[]> => {
    try {
      return await checkAndPublish(sights, now);
    } catch (error) {
      if (!isPeerDefect(error)) throw error;
      if (sights.length === 1) return sights.map((sight) => postponed(sight, now));
      const looked: Checked[] = [];
      for (const sight of sights) looked.push(...(await checkOrPostpone([sight], now)));
      return looked;
    }
  };

  return {
    async look() {
      const turn = await presence.hold();
      if (turn === 'elsewhere') {
        lookedAt = undefined;
        return;
      }
      const now = clock().getTime();
      const since = turn === 'new' ? undefined : lookedAt;
      await presence.scheduleActive(now, since && since - clockSlackMs);
      lookedAt = now;
      const sights = await candidatesOf(await presence.due(now, perRound));
      const isQuiet = ({ at, until, wasShown }: Candidate) => at >= 0 && (until > now || !wasShown);
      await presence.settle(sights.filter(isQuiet).map((sight) => postponed(sight, now)));
      const asked = sights.filter((sight) => !isQuiet(sight));
      for (const some of chunks(asked, perAsk)) await presence.settle(await checkOrPostpone(some, now));
    },
  };
}

/** Looks again and again until it is closed. */
export function watchPresence(context: Context): { close(): Promise<void> } {
  const { config, presence, logger, metrics } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = createPresenceCheck(context);
  const run = async () => {
    let pauseMs = config.PRESENCE_EVERY_MS;
    while (!signal.aborted) {
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await round.look();
        pauseMs = config.PRESENCE_EVERY_MS;
      } catch (error) {
        metrics.failedRounds.inc({ work: 'presence' });
        logger.warn({ err: error }, 'presence not looked at');
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const running = run();
  return {
    async close() {
      stopping.abort();
      await running;
      // Another process need not wait for the end of this one's turn.
      await presence.release().catch(() => undefined);
    },
  };
}
