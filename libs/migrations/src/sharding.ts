/** A shard key: `hashed` spreads its values, 1 keeps them in order. */
type ShardKey = Readonly<Record<string, 'hashed' | 1>>;

/** The placement of a collection on a cluster of shards. Without a key, the whole collection is on one shard. */
interface Placement {
  readonly key?: ShardKey;
  /** Why it has this key, or none. */
  readonly because: string;
  /** The queries that every shard is asked, and when. */
  readonly scatters?: string;
}

/** The collections of a service by name. */
export type Sharding = Readonly<Record<string, Placement>>;

const withScatters = (scatters: string | undefined) => (scatters === undefined ? {} : { scatters });

/** Spread by the hash of a field. */
export const by = (field: string, because: string, scatters?: string): Placement => ({
  key: { [field]: 'hashed' },
  because,
  ...withScatters(scatters),
});

/** Not sharded. */
export const whole = (because: string): Placement => ({ because });

/** The lines for mongosh that shard the collections of a database, before the services write to it. */
export const shardCommands = (database: string, sharding: Sharding): string[] =>
  Object.entries(sharding).flatMap(([collection, { key }]) =>
    key ? [`sh.shardCollection(${JSON.stringify(`${database}.${collection}`)}, ${JSON.stringify(key)})`] : [],
  );
