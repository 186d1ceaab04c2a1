import mongoose, { type Connection, type Model, type Query } from 'mongoose';

/** The collections of a service by name, with their shard keys. */
type Sharding = Readonly<Record<string, { readonly key?: Readonly<Record<string, 'hashed' | 1>> }>>;

const declared = new WeakMap<Connection, Sharding>();

/** Whether a filter names one value of a field, so that one shard has it. */
function namesOne(filter: Readonly<Record<string, unknown>>, field: string): boolean {
  const value = filter[field];
  if (value === undefined || value === null) return false;
  return Object.getPrototypeOf(value) !== Object.prototype || !Object.keys(value)[0]?.startsWith('$');
}

type Fields = Readonly<Record<string, unknown>>;

interface Write {
  readonly filter: Fields;
  /** Operators, like `$set`. */
  readonly update?: unknown;
  readonly upsert?: boolean | undefined;
}

/** Throws for a write that a sharded cluster refuses. */
function check(
  { db, collection: { name } }: Pick<Model<unknown>, 'db' | 'collection'>,
  operation: string,
  { filter, update, upsert }: Write,
): void {
  const sharding = declared.get(db);
  if (!sharding) return;
  const placement = sharding[name];
  if (!placement) throw new Error(`${name}: declare its shard key in src/sharding.ts`);
  const key = Object.keys(placement.key ?? {});
  const { $setOnInsert: _inserted, ...changes } = (update ?? {}) as Readonly<Record<string, Fields>>;
  const changed = Object.values(changes).flatMap(Object.keys);
  if (changed.some((field) => key.includes(field)))
    throw new Error(`${name}: ${operation} must not change ${key.join(', ')}`);
  if (operation === 'updateMany' || key.every((field) => namesOne(filter, field))) return;
  // An update or deletion by `_id` alone is sent to every shard; other writes of one document need the key.
  const mayBroadcast = !upsert && !operation.startsWith('findOneAnd');
  if (mayBroadcast && namesOne(filter, '_id')) return;
  throw new Error(`${name}: the filter of ${operation} must have ${key.join(', ')}`);
}

type BulkWrite = Readonly<Record<string, Partial<Write>>>;

const checked =
  /^(updateMany|updateOne|deleteOne|replaceOne|findOneAndUpdate|findOneAndDelete|findOneAndReplace)$/;

// Of every model that is declared from now on.
mongoose.plugin((schema) => {
  schema.pre(checked, { document: false, query: true }, function (this: Query<unknown, unknown>) {
    const { op } = this as unknown as { readonly op: string };
    const { upsert } = this.getOptions();
    const isReplacing = op.toLowerCase().includes('replace');
    check(this.model, op, {
      filter: this.getFilter(),
      ...(!isReplacing && { update: this.getUpdate() }),
      upsert,
    });
  });
  schema.pre('bulkWrite', function (this: Model<unknown>, ...args: readonly unknown[]) {
    const writes = args.find((arg): arg is readonly BulkWrite[] => Array.isArray(arg)) ?? [];
    for (const [operation, { filter, ...write }] of writes.flatMap(Object.entries))
      if (filter && checked.test(operation)) check(this, operation, { filter, ...write });
  });
});

/** The problems of the declared shard keys of a service with its models, as MongoDB sees them. */
export function shardKeyProblems({ models }: Pick<Connection, 'models'>, sharding: Sharding): string[] {
  return Object.values(models).flatMap(({ schema, collection: { name } }) => {
    const placement = sharding[name];
    if (!placement) return [`${name}: no shard key is declared`];
    const key = Object.keys(placement.key ?? {});
    // `_id` is unique on its own shard: elsewhere, too, only where it is the key or contains its values.
    return schema.indexes().flatMap(([fields, options]) => {
      const first = Object.keys(fields).slice(0, key.length);
      const isPrefix = key.every((field, index) => field === first[index]);
      if (!options.unique || isPrefix) return [];
      return [
        `${name}: the unique index of ${Object.keys(fields).join(', ')} must begin with ${key.join(', ')}`,
      ];
    });
  });
}

/** Checks the models of a context, and from then on each write of one document through them. */
export function checkShardKeys(connection: Connection, sharding: Sharding): void {
  const problems = shardKeyProblems(connection, sharding);
  if (problems.length) throw new Error(problems.join('\n'));
  declared.set(connection, sharding);
}
