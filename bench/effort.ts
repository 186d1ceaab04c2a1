/** How much a benchmark does: in full, or `--quick`, to see within a minute that it runs and what it roughly says. */
interface Effort {
  /** Length of one round of load in seconds, rounds of which the median counts, and rounds before them that do not. */
  readonly seconds: number;
  readonly rounds: number;
  readonly warmRounds: number;
  /** Rounds beside a flood. */
  readonly floods: number;
  /** Whether benchmarks that can use the same system do: starting one for each takes a third of a short run. */
  readonly isShared: boolean;
  /** Seconds of load before a server that compiles as it runs is measured. */
  readonly warmUp: number;
  /** Refreshes at once: with the full number an auth service and a bare provider give the most that they can. */
  readonly chains: number;
  /** Milliseconds until what was just done is over, memory given back included. */
  readonly settleMs: number;
  /** Sockets that are open at once, and clients that idle. */
  readonly sockets: number;
  readonly idleClients: number;
  /** Processes of live updates that share the sockets. */
  readonly processes: number;
  /** Members who can be found, and how many of them are drawn, whom the others are made of. */
  readonly members: number;
  readonly drawn: number;
  /** Searches one after the other, of each member who is compared. */
  readonly searches: number;
  /** Who likes whom one after the other or all at once; with `warming` further women before it counts. */
  readonly likes: Readonly<Record<'men' | 'women' | 'listeners' | 'warming', number>>;
}

const full: Effort = {
  seconds: 5,
  rounds: 3,
  warmRounds: 1,
  floods: 4,
  isShared: false,
  warmUp: 12,
  chains: 128,
  settleMs: 1_000,
  sockets: 10_000,
  idleClients: 10_000,
  processes: 1,
  members: 100_000,
  drawn: 1_000,
  searches: 300,
  likes: { men: 40, women: 30, listeners: 8, warming: 3 },
};

const short: Effort = {
  seconds: 0.3,
  rounds: 1,
  warmRounds: 0,
  floods: 1,
  isShared: true,
  warmUp: 0,
  chains: 32,
  settleMs: 200,
  sockets: 500,
  idleClients: 500,
  processes: 1,
  members: 1_000,
  drawn: 100,
  searches: 10,
  likes: { men: 4, women: 4, listeners: 1, warming: 0 },
};

const quick = process.argv.includes('--quick');

/** Sizes of this run that are not the usual ones, by what they count: `{ members: 10000 }`. */
export const size: Readonly<Record<string, number>> = Object.fromEntries(
  ['members', 'sockets', 'processes'].flatMap((name) => {
    const text = process.env[`BENCH_${name.toUpperCase()}`];
    return text === undefined ? [] : [[name, Number(text)]];
  }),
);

/** How much this run does. */
export const effort: Effort = { ...(quick ? short : full), ...size };

/** Whether what comes out is kept: a short run says too little. */
export const kept = !quick;
