import { chunks } from '@covalence/runtime/chunks';
import { isPeerDefect } from '@covalence/runtime/unavailable-error';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Due, Looked } from './presence-store.ts';

type Watched = Pick<Context, 'presence' | 'profile' | 'channels' | 'clock'>;

/** Members looked at in one round, and asked about in one call: what comes all at once is told over some rounds. */
const perRound = 1_000;
const perAsk = 50;
/** Clocks of processes that note calls may be behind this one's. */
const clockSlackMs = 5_000;

/** The pause after looks that failed one after the other. */
const longestPauseMs = 30_000;

/** A member who is due, with what is known without asking. */
interface Sight extends Due {
  readonly until: number;
  readonly wasShown: boolean;
}

/** Nothing is told of a member, who is looked at again when they may have gone. */
const leftAlone = ({ id, at, until }: Sight, now: number): Looked => ({
  id,
  at,
  next: until > now ? until : undefined,
});

/** One process's look at who came and who went. */
export interface PresenceRound {
  /** One look, where it is this process's turn. Throws where a store or profile is away; the next look makes up for it. */
  look(): Promise<void>;
}

/**
 * Creates it. A member who came, went, or whose standing is different is asked about with profile, and where that differs
 * from what connections were told last, those that are connected are told, and then it is noted: after a crash it is told
 * twice rather than not. Who is only still here costs no question.
 */
export function createPresenceRound({ presence, profile, channels, clock }: Watched): PresenceRound {
  let lookedAt: number | undefined;

  const sightsOf = async (due: readonly Due[]): Promise<Sight[]> => {
    const ids = due.map(({ id }) => id);
    const [untils, shown] = await Promise.all([presence.hereUntil(ids), presence.areShown(ids)]);
    return due.map((one, index) => ({ ...one, until: untils[index] ?? 0, wasShown: shown[index] ?? false }));
  };

  /** Asks about members, tells what is different, and says when to look again. */
  const askAbout = async (sights: readonly Sight[], now: number): Promise<Looked[]> => {
    const { members } = await profile.presenceHearers({ ids: sights.map(({ id }) => id) });
    const known = new Map(members.map((member) => [member.id, member]));
    const at = clock().toISOString();
    return Promise.all(
      sights.map(async ({ id, at: dueAt, until, wasShown }) => {
        const member = known.get(id);
        const online = until > now && member?.shown === true;
        if (online !== wasShown) {
          const frame = { type: 'presence', at, data: { profileid: id, online } };
          await channels.publishPassing(member?.hearers ?? [], JSON.stringify(frame));
          await presence.setShown(id, online);
        }
        return { id, at: dueAt, next: member && until > now ? until : undefined };
      }),
    );
  };

  /** Asks; about one whom profile answers 500 for nothing is told, so that nobody waits for them. */
  const askOrLeave = async (sights: readonly Sight[], now: number): Promise<Looked[]> => {
    try {
      return await askAbout(sights, now);
    } catch (error) {
      if (!isPeerDefect(error)) throw error;
      if (sights.length === 1) return sights.map((sight) => leftAlone(sight, now));
      const looked: Looked[] = [];
      for (const sight of sights) looked.push(...(await askOrLeave([sight], now)));
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
      await presence.noteHere(now, since && since - clockSlackMs);
      lookedAt = now;
      const sights = await sightsOf(await presence.due(now, perRound));
      const isQuiet = ({ at, until, wasShown }: Sight) => at >= 0 && (until > now || !wasShown);
      await presence.settle(sights.filter(isQuiet).map((sight) => leftAlone(sight, now)));
      const asked = sights.filter((sight) => !isQuiet(sight));
      for (const some of chunks(asked, perAsk)) await presence.settle(await askOrLeave(some, now));
    },
  };
}

/** Looks again and again until it is closed. */
export function watchPresence(context: Context): { close(): Promise<void> } {
  const { config, presence, logger, metrics } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const round = createPresenceRound(context);
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
