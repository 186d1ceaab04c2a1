import { chunks } from '@covalence/runtime/chunks';
import { isPeerDefect } from '@covalence/runtime/unavailable-error';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Due, Checked } from './presence-store.ts';

type Watched = Pick<Context, 'presence' | 'profile' | 'channels' | 'clock'>;

/** Members checked in one round, and per call to profile. */
const perRound = 1_000;
const perAsk = 50;
/** How far the clocks of other processes may be behind. */
const clockSlackMs = 5_000;

/** The longest pause after failed checks. */
const longestPauseMs = 30_000;

/** A member who is due, with what is known without asking profile. */
interface Candidate extends Due {
  readonly until: number;
  readonly wasShown: boolean;
}

/** Reports nothing and checks again when the member may have gone. */
const postponed = ({ id, at, until }: Candidate, now: number): Checked => ({
  id,
  at,
  next: until > now ? until : undefined,
});

/** Reports who came online and who went. */
export interface PresenceCheck {
  /** One check, if this process has the lease. Throws when Redis or profile is down; the next one catches up. */
  run(): Promise<void>;
}

/**
 * Creates the check. It asks profile about members who came, went or changed, and sends the recipients what differs from the last
 * report. It stores the report afterwards, so a crash repeats it. A member who stays online costs no call.
 */
export function createPresenceCheck({ presence, profile, channels, clock }: Watched): PresenceCheck {
  let checkedAt: number | undefined;

  const candidatesOf = async (due: readonly Due[]): Promise<Candidate[]> => {
    const ids = due.map(({ id }) => id);
    const [untils, shown] = await Promise.all([presence.activeUntil(ids), presence.areOnline(ids)]);
    return due.map((one, index) => ({ ...one, until: untils[index] ?? 0, wasShown: shown[index] ?? false }));
  };

  /** Asks profile, publishes what differs, and returns the next checks. */
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

  /** Postpones a member for whom profile answers 500, so that the others do not wait. */
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
    async run() {
      const lease = await presence.hold();
      if (lease === 'elsewhere') {
        checkedAt = undefined;
        return;
      }
      const now = clock().getTime();
      const since = lease === 'new' ? undefined : checkedAt;
      await presence.scheduleActive(now, since && since - clockSlackMs);
      checkedAt = now;
      const sights = await candidatesOf(await presence.due(now, perRound));
      const isQuiet = ({ at, until, wasShown }: Candidate) => at >= 0 && (until > now || !wasShown);
      await presence.settle(sights.filter(isQuiet).map((sight) => postponed(sight, now)));
      const asked = sights.filter((sight) => !isQuiet(sight));
      for (const some of chunks(asked, perAsk)) await presence.settle(await checkOrPostpone(some, now));
    },
  };
}

/** Checks presence periodically until it is closed. */
export function watchPresence(context: Context): { close(): Promise<void> } {
  const { config, presence, logger, metrics } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const check = createPresenceCheck(context);
  const run = async () => {
    let pauseMs = config.PRESENCE_EVERY_MS;
    while (!signal.aborted) {
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await check.run();
        pauseMs = config.PRESENCE_EVERY_MS;
      } catch (error) {
        metrics.failedRounds.inc({ work: 'presence' });
        logger.warn({ err: error }, 'presence not checked, retrying');
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const running = run();
  return {
    async close() {
      stopping.abort();
      await running;
      // Another process need not wait for the lease to end.
      await presence.release().catch(() => undefined);
    },
  };
}
