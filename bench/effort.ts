/** Sizes of a full run, and of `--quick`, which only shows within a minute that every benchmark runs. */
const sizes = {
  /** Seconds of one round of load. */
  seconds: [5, 0.3],
  /** Rounds that count, rounds before them, and rounds beside a flood. */
  rounds: [3, 1],
  warmRounds: [1, 0],
  floods: [4, 1],
  /** Rounds of searches that are recorded: few others are so close to their reference. */
  recordedRounds: [15, 1],
  /** Seconds of load that warm up a server. */
  warmUp: [12, 0],
  /** Concurrent token refreshes; both sides are saturated by the full number. */
  chains: [128, 32],
  /** Milliseconds until a server is idle again and has returned memory. */
  settleMs: [1_000, 200],
  /** Open sockets, and the updates processes that share them. */
  sockets: [10_000, 500],
  processes: [1, 1],
  /** Seconds for which the push services are away. */
  outage: [30, 1],
  /** Searchable members; `drawn` of them are generated, and the others are variants of these. */
  members: [100_000, 1_000],
  drawn: [1_000, 100],
  /** Entries of the queue of customer service, and how many are claimed one after the other. */
  entries: [100_000, 1_000],
  claims: [80, 1],
  /** Photos of which copies are sought in the ban list. */
  originals: [100, 5],
  /** Members that are matched with alerts. */
  updates: [500, 50],
  /** Simulated markets of each crowding, and members of the batch that is timed. */
  markets: [5, 1],
  batch: [50_000, 2_000],
  /** Sequential searches of each compared member. */
  searches: [300, 10],
  /** Searches of a small judgment set, and of the largest. */
  fewJudged: [76, 3],
  manyJudged: [200, 5],
  /** Couples whose everyday calls are measured, and calls of each kind. */
  couples: [50, 3],
  calls: [600, 2],
  /** The capacity: seconds without calls and with them, their rate, members at first and then, and of the checked point. */
  idleSeconds: [20, 1],
  mixedSeconds: [60, 2],
  mixedRate: [60, 4],
  fewMembers: [20_000, 50],
  manyMembers: [100_000, 100],
  checkedMembers: [40_000, 150],
  /** Its calls of a kind, and of a kind of which each takes longer. */
  quickCalls: [200, 2],
  slowCalls: [20, 2],
  /** At most so many measurements of a call until its cost is steady. */
  steadyRounds: [8, 1],
  /** Men who like women; `listeners` of the women have an open socket, and `warmingWomen` are liked before. */
  men: [40, 4],
  women: [30, 4],
  listeners: [8, 1],
  warmingWomen: [3, 0],
} as const;

type Effort = Readonly<Record<keyof typeof sizes, number>>;

/** Whether this is a short run, whose benchmarks share one system and whose figures are not saved. */
export const isQuick = process.argv.includes('--quick');

/** Sizes that the environment sets for this run, e.g. `{ members: 10000 }` for BENCH_MEMBERS. */
export const size: Readonly<Record<string, number>> = Object.fromEntries(
  ['members', 'sockets', 'processes', 'outage'].flatMap((name) => {
    const text = process.env[`BENCH_${name.toUpperCase()}`];
    return text === undefined ? [] : [[name, Number(text)]];
  }),
);

/** The sizes of this run. */
export const effort = {
  ...Object.fromEntries(Object.entries(sizes).map(([name, [full, quick]]) => [name, isQuick ? quick : full])),
  ...size,
} as Effort;
