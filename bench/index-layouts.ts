/** Members of each layout in a full run. */
export const sharded = 50_000;

/** Primary shards of an index, and whether a search asks only the shard of its market. */
export interface Layout {
  readonly name: string;
  readonly shards: number;
  readonly isRouted: boolean;
}

/** The layout in production. */
export const oneShard: Layout = { name: '1 shard', shards: 1, isRouted: false };

/** The layouts that are compared with it. */
export const otherLayouts: readonly Layout[] = [4, 16].flatMap((shards) => [
  { name: `${shards} shards`, shards, isRouted: false },
  { name: `${shards} shards by market`, shards, isRouted: true },
]);

/** Names of the figures of a layout. */
export const layoutFigures = {
  alone: ({ name }: Layout) => `p50 of a search alone, ${name}, × one shard`,
  together: ({ name }: Layout) => `p99 of four at once, ${name}, × one shard`,
  time: ({ name }: Layout) => `processor time, ${name}, × one shard`,
  bytes: ({ name }: Layout) => `size, ${name}, × one shard`,
} as const;
