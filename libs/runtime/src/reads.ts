/** A record as MongoDB stores it, with its `id` in `_id`. */
export type Stored<Entry extends { readonly id: string | number }> = Omit<Entry, 'id'> & {
  readonly _id: Entry['id'];
};

/** Conditions on fields of a document, on paths, and those that start with an operator. */
type Filter<Document> = {
  readonly [Name in keyof Document | `${string}.${string}` | `$${string}`]?: unknown;
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

interface ManyOptions extends Options {
  readonly limit?: number;
}

/** Reads of a collection as it is stored. `shown` is the projection of reads that have none of their own. */
export function documentsOf<Document extends { readonly _id: string | number }>(
  model: Readable,
  shown: Shown = {},
) {
  return {
    /** The first document that a filter selects. */
    async one(filter: Filter<Document>, options: Options = {}): Promise<Document | undefined> {
      const found = model.findOne(filter, options.shown ?? shown).sort(options.sort ?? {});
      return (await found.lean<Document | null>()) ?? undefined;
    },
    /** The documents that a filter selects; by default all. */
    async many(filter: Filter<Document>, options: ManyOptions = {}): Promise<Document[]> {
      const found = model.find(filter, options.shown ?? shown).sort(options.sort ?? {});
      return found.limit(options.limit ?? 0).lean<Document[]>();
    },
    /** The ids of the documents that a filter selects. */
    async ids(filter: Filter<Document>): Promise<Document['_id'][]> {
      const found = await model.find(filter, { _id: 1 }).lean<Pick<Document, '_id'>[]>();
      return found.map(({ _id }) => _id);
    },
  };
}

/** The same reads of records that have their `id` in `_id`. */
export function readsOf<Entry extends { readonly id: string | number }>(model: Readable, shown: Shown = {}) {
  const documents = documentsOf<Stored<Entry>>(model, shown);
  const asEntry = ({ _id, ...rest }: Stored<Entry>) => ({ id: _id, ...rest }) as unknown as Entry;
  return {
    async one(filter: Filter<Stored<Entry>>, options?: Options): Promise<Entry | undefined> {
      const found = await documents.one(filter, options);
      return found && asEntry(found);
    },
    many: async (filter: Filter<Stored<Entry>>, options?: ManyOptions): Promise<Entry[]> =>
      (await documents.many(filter, options)).map(asEntry),
    ids: documents.ids,
  };
}
