/** A record as MongoDB stores it, with its `id` in `_id`. */
export type Stored<Entry extends { readonly id: string | number }> = Omit<Entry, 'id'> & {
  readonly _id: Entry['id'];
};

/** Conditions on fields of the stored record, on paths, and those that start with an operator. */
type Filter<Entry extends { readonly id: string | number }> = {
  readonly [Name in keyof Stored<Entry> | `${string}.${string}` | `$${string}`]?: unknown;
};

type Shown = Readonly<Record<string, 0 | 1>>;

interface Query {
  sort(order: Readonly<Record<string, 1 | -1>>): Query;
  limit(count: number): Query;
  lean<Found>(): PromiseLike<Found>;
}

/** The part of a Mongoose model that reads. */
interface Readable {
  find(filter: object, shown: Shown): Query;
  findOne(filter: object, shown: Shown): Query;
}

interface Options {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  /** The projection. */
  readonly shown?: Shown;
}

/** Reads of a collection whose records have their `id` in `_id`. `shown` is the projection of reads that have none of their own. */
export function readsOf<Entry extends { readonly id: string | number }>(model: Readable, shown: Shown = {}) {
  const asEntry = ({ _id, ...rest }: Stored<Entry>) => ({ id: _id, ...rest }) as unknown as Entry;
  return {
    /** The first record that a filter selects. */
    async one(filter: Filter<Entry>, options: Options = {}): Promise<Entry | undefined> {
      const found = model.findOne(filter, options.shown ?? shown).sort(options.sort ?? {});
      const entry = await found.lean<Stored<Entry> | null>();
      return entry ? asEntry(entry) : undefined;
    },
    /** The records that a filter selects; by default all. */
    async many(filter: Filter<Entry>, options: Options & { readonly limit?: number } = {}): Promise<Entry[]> {
      const found = model.find(filter, options.shown ?? shown).sort(options.sort ?? {});
      return (await found.limit(options.limit ?? 0).lean<Stored<Entry>[]>()).map(asEntry);
    },
    /** The ids of the records that a filter selects. */
    async ids(filter: Filter<Entry>): Promise<Entry['id'][]> {
      const found = await model.find(filter, { _id: 1 }).lean<Pick<Stored<Entry>, '_id'>[]>();
      return found.map(({ _id }) => _id);
    },
  };
}
