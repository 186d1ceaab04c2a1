import { tooManyRequests, unavailable } from '@covalence/contract/failure';

interface ImageTurnsOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitingPerMember: number;
}

interface MemberQueue {
  readonly jobs: PromiseWithResolvers<void>[];
  running: number;
  lastStart: number;
}

const retrySeconds = 2;

/** The member with the fewest running jobs comes first, then the one whose last start is the longest ago. */
const hasPriority = (one: MemberQueue, other: MemberQueue): boolean =>
  one.running === other.running ? one.lastStart < other.lastStart : one.running < other.running;

/**
 * Creates a queue. While a member without running jobs waits, no other member gets a second start. A full queue drops
 * the newest job of the member with the most waiting jobs for a member with fewer.
 */
export function createImageTurns({ atOnce, waiting: most, waitingPerMember }: ImageTurnsOptions) {
  const lines = new Map<number, MemberQueue>();
  let [running, waiting, starts] = [0, 0, 0];

  const waitingLines = () => [...lines.values()].filter(({ jobs }) => jobs.length > 0);

  const startNext = (): void => {
    if (running >= atOnce || waiting === 0) return;
    const next = waitingLines().reduce((first, line) => (hasPriority(line, first) ? line : first));
    waiting -= 1;
    begin(next);
    next.jobs.shift()?.resolve();
  };

  const lineOf = (member: number): MemberQueue => {
    // A new member comes before the one who was started last, and after all others.
    const line = lines.get(member) ?? { jobs: [], running: 0, lastStart: starts - 0.5 };
    lines.set(member, line);
    return line;
  };

  const forgetIdle = (member: number, line: MemberQueue): void => {
    const isIdle = line.running === 0 && line.jobs.length === 0;
    // A member who came back has a new queue.
    if (isIdle && lines.get(member) === line) lines.delete(member);
  };

  const makeRoom = (line: MemberQueue): void => {
    if (waiting < most) return;
    const longest = waitingLines().reduce((first, one) =>
      one.jobs.length > first.jobs.length ? one : first,
    );
    const full = unavailable(new Error('too many uploads at once'));
    if (longest.jobs.length <= line.jobs.length + 1) throw full;
    waiting -= 1;
    longest.jobs.pop()?.reject(full);
  };

  const turn = (line: MemberQueue, signal: AbortSignal): Promise<void> => {
    if (line.jobs.length >= waitingPerMember) throw tooManyRequests(retrySeconds);
    makeRoom(line);
    const job = Promise.withResolvers<void>();
    const leave = () => {
      if (!line.jobs.includes(job)) return;
      waiting -= 1;
      line.jobs.splice(line.jobs.indexOf(job), 1);
      job.reject(unavailable(signal.reason));
    };
    signal.addEventListener('abort', leave, { once: true });
    line.jobs.push(job);
    waiting += 1;
    return job.promise.finally(() => signal.removeEventListener('abort', leave));
  };

  const begin = (line: MemberQueue): void => {
    running += 1;
    line.running += 1;
    line.lastStart = starts += 1;
  };

  const end = (line: MemberQueue): void => {
    running -= 1;
    line.running -= 1;
    startNext();
  };

  return {
    /**
     * Runs a job of a member when its turn comes. Throws 429 where too many jobs of the member wait, and 503 where too
     * many wait in all or `signal` aborts first. The caller aborts a job that runs.
     */
    async run<Result>(member: number, job: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
      const line = lineOf(member);
      try {
        if (running < atOnce) begin(line);
        else await turn(line, signal);
        try {
          return await job();
        } finally {
          end(line);
        }
      } finally {
        forgetIdle(member, line);
      }
    },
  };
}
