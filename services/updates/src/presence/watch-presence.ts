import type { Peer } from '@covalence/http/peer';
import { chunks } from '@covalence/runtime/chunks';
import type { Metrics } from '@covalence/runtime/metrics';
import { isPeerDefect } from '@covalence/runtime/unavailable-error';
import { setTimeout as wait } from 'node:timers/promises';
import type { LiveContext } from '../live/live.ts';
import type { Checked, Due, PresenceStore } from './presence-store.ts';

/** The dependencies of presence. */
export interface PresenceContext extends LiveContext {
  /** The interval of the presence job, ms. */
  readonly config: { readonly PRESENCE_EVERY_MS: number };
  readonly metrics: Metrics;
  readonly profile: Peer<'profile'>;
  readonly presence: PresenceStore;
}

/** Members checked in one round, and per call to profile. */
const perRound = 1_000;
const perCall = 50;
/** Assumed delay of other processes' clocks. */
const clockSlackMs = 5_000;

/** The longest pause after failed checks. */
const longestPauseMs = 30_000;

/** A due member, with what is known without a call to profile. */
interface Candidate extends Due {
  readonly until: number;
  readonly wasShown: boolean;
}

/** Reports nothing; the next check is when the member's activity ends. */
const postponed = ({ id, at, until }: Candidate, now: number): Checked => ({
  id,
  at,
  next: until > now ? until : undefined,
});

/** Whether a member's presence is unchanged, and no call to profile was requested. */
const isQuiet = ({ at, until, wasShown }: Candidate, now: number) => at >= 0 && (until > now || !wasShown);

/**
 * Creates the check. It calls profile for members who came, went or changed, and sends the recipients the differences from the last
 * report, which it stores afterwards: a crash repeats it. A member who stays online costs no call.
 */
export function createPresenceCheck({ presence, profile, live }: PresenceContext) {
  const { channels, clock } = live;
  let checkedAt: number | undefined;

  const candidatesOf = async (due: readonly Due[]): Promise<Candidate[]> => {
    const ids = due.map(({ id }) => id);
    const [untils, shown] = await Promise.all([presence.activeUntil(ids), presence.areOnline(ids)]);
    return due.map((one, index) => ({ ...one, until: untils[index] ?? 0, wasShown: shown[index] ?? false }));
  };

  /** Calls profile, publishes the differences, and returns the next checks. */
  const checkAndPublish = async (candidates: readonly Candidate[], now: number): Promise<Checked[]> => {
    const { members } = await profile.presenceRecipients({ ids: candidates.map(({ id }) => id) });
    const known = new Map(members.map((member) => [member.id, member]));
    const at = clock().toISOString();
    return Promise.all(
      candidates.map(async ({ id, at: dueAt, until, wasShown }) => {
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
  const checkOrPostpone = async (candidates: readonly Candidate[], now: number): Promise<Checked[]> => {
    try {
      return await checkAndPublish(candidates, now);
    } catch (error) {
      if (!isPeerDefect(error)) throw error;
      if (candidates.length === 1) return candidates.map((candidate) => postponed(candidate, now));
      const checked: Checked[] = [];
      for (const candidate of candidates) checked.push(...(await checkOrPostpone([candidate], now)));
      return checked;
    }
  };

  return {
    /** Runs one check if this process has the lease. Throws when Redis or profile is down; the next one catches up. */
    async run(): Promise<void> {
      const lease = await presence.hold();
      if (lease === 'elsewhere') {
        checkedAt = undefined;
        return;
      }
      const now = clock().getTime();
      const since = lease === 'new' ? undefined : checkedAt;
      await presence.scheduleActive(now, since && since - clockSlackMs);
      checkedAt = now;
      const candidates = await candidatesOf(await presence.due(now, perRound));
      const quiet = candidates.filter((candidate) => isQuiet(candidate, now));
      await presence.settle(quiet.map((candidate) => postponed(candidate, now)));
      const changed = candidates.filter((candidate) => !isQuiet(candidate, now));
      for (const some of chunks(changed, perCall)) await presence.settle(await checkOrPostpone(some, now));
    },
  };
}

/** Checks presence periodically until it is closed. */
export function watchPresence(context: PresenceContext): { close(): Promise<void> } {
  const { config, presence, metrics, live } = context;
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
        live.logger.warn({ err: error }, 'presence not checked, retrying');
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const running = run();
  return {
    async close() {
      stopping.abort();
      await running;
      // Another process need not wait until the lease expires.
      await presence.release().catch(() => undefined);
    },
  };
}
