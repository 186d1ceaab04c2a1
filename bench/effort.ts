/** How much a benchmark does: in full, or `--quick`, to see within a minute that it runs and what it roughly says. */
interface Effort {
  /** Length of one round of load in seconds, and rounds of which the median counts. */
  readonly seconds: number;
  readonly rounds: number;
  /** Seconds of load before a server that compiles as it runs is measured. */
  readonly warmUp: number;
  /** Sockets that are open at once, and clients that idle. */
  readonly sockets: number;
  readonly idleClients: number;
  /** Processes of live updates that share the sockets. */
  readonly processes: number;
  /** Members who can be found, and events that are followed into the index. */
  readonly searchable: number;
  /** Searches one after the other, of each member who is compared. */
  readonly searches: number;
  readonly likes: { readonly men: number; readonly women: number; readonly listeners: number };
}

const full: Effort = {
  seconds: 5,
  rounds: 3,
  warmUp: 12,
  sockets: 10_000,
  idleClients: 10_000,
  processes: 1,
  searchable: 100_000,
  searches: 300,
  likes: { men: 40, women: 30, listeners: 8 },
};

const short: Effort = {
  seconds: 1,
  rounds: 1,
  warmUp: 1,
  sockets: 500,
  idleClients: 500,
  processes: 1,
  searchable: 1_000,
  searches: 40,
  likes: { men: 6, women: 6, listeners: 2 },
};

const quick = process.argv.includes('--quick');

const numberOf = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined ? undefined : Number(text);
};

/** Other sizes than usual, to see how cost grows. */
const sizes = Object.entries({
  searchable: numberOf('BENCH_MEMBERS'),
  sockets: numberOf('BENCH_SOCKETS'),
  processes: numberOf('BENCH_PROCESSES'),
}).filter(([, size]) => size !== undefined);

/** How much this run does. */
export const effort: Effort = {
  ...(quick ? short : full),
  ...Object.fromEntries(sizes),
};

/** Whether the figures of this run are the ones to be looked at: of the usual size, in full. */
export const usual = !quick && sizes.length === 0;
