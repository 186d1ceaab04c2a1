/** A figure that is looked at over sizes. */
export interface Growing {
  readonly title: string;
  readonly benchmark: 'search' | 'sockets';
  /** What there is more of. */
  readonly axis: 'members' | 'sockets' | 'processes';
  /** How much of it there is in the usual benchmark. */
  readonly usual: number;
  /** How the measurement's name begins. */
  readonly what: string;
}

const members = { benchmark: 'search', axis: 'members', usual: 100_000 } as const;
const sockets = { benchmark: 'sockets', axis: 'sockets', usual: 10_000 } as const;
const processes = { benchmark: 'sockets', axis: 'processes', usual: 1 } as const;

const ofSockets = [
  ['memory of a socket, KiB', 'memory of a socket'],
  ['event to frame p50, ms', 'p50 from event to frame at'],
  ['event to frame p99, ms', 'p99 from event to frame at'],
  ['CPU time of an event, ms', 'processor time of an event'],
  ['one message to all, ms', 'one message to all'],
] as const;

/** The figures of the growth picture, in its order. */
export const growing: readonly Growing[] = [
  { ...members, title: 'search p50, ms', what: 'search p50' },
  { ...members, title: 'search p99, ms', what: 'search p99' },
  { ...members, title: 'with many declines p50, ms', what: 'p50 of a search with' },
  { ...members, title: 'rebuild, members a second', what: 'rebuild' },
  { ...members, title: 'event to searchable p99, ms', what: 'event to searchable under 500 updates/s, p99' },
  ...ofSockets.map(([title, what]) => ({ ...sockets, title, what })),
  ...ofSockets.map(([title, what]) => ({ ...processes, title, what })),
];
