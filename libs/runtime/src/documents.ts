import { retryOnDuplicateKey } from './duplicate-key.ts';

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

/** The part of a Mongoose model that is used here. */
interface Collection {
  find(filter: object, shown: Shown): Query;
  findOne(filter: object, shown: Shown): Query;
  updateOne(filter: object, change: object, options?: { readonly upsert: true }): PromiseLike<unknown>;
  updateMany(filter: object, change: object): PromiseLike<unknown>;
  deleteOne(filter: object): PromiseLike<unknown>;
  deleteMany(filter: object): PromiseLike<unknown>;
  create(document: object): PromiseLike<unknown>;
}

interface Options {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  /** The projection. */
  readonly shown?: Shown;
}

interface ManyOptions extends Options {
  readonly limit?: number;
}

/** Reads and writes a collection as it is stored. `shown` is the projection of reads that have none of their own. */
export function documentsOf<Document extends { readonly _id: string | number }>(
  model: Collection,
  shown: Shown = {},
) {
  type Which = Filter<Document>;
  return {
    /** The first document that a filter selects. */
    async one(which: Which, options: Options = {}): Promise<Document | undefined> {
      const found = model.findOne(which, options.shown ?? shown).sort(options.sort ?? {});
      return (await found.lean<Document | null>()) ?? undefined;
    },
    /** The documents that a filter selects; by default all. */
    async many(which: Which, options: ManyOptions = {}): Promise<Document[]> {
      const found = model.find(which, options.shown ?? shown).sort(options.sort ?? {});
      return found.limit(options.limit ?? 0).lean<Document[]>();
    },
    /** The ids of the documents that a filter selects. */
    async ids(which: Which): Promise<Document['_id'][]> {
      const found = await model.find(which, { _id: 1 }).lean<Pick<Document, '_id'>[]>();
      return found.map(({ _id }) => _id);
    },
    /** Updates the first document that a filter selects, if there is one. */
    async update(which: Which, change: object): Promise<void> {
      await model.updateOne(which, change);
    },
    async updateAll(which: Which, change: object): Promise<void> {
      await model.updateMany(which, change);
    },
    /** Updates the document that a filter selects, or creates it. */
    async upsert(which: Which, change: object): Promise<void> {
      await retryOnDuplicateKey(async () => model.updateOne(which, change, { upsert: true }));
    },
    /** Deletes the first document that a filter selects, if there is one. */
    async remove(which: Which): Promise<void> {
      await model.deleteOne(which);
    },
    async removeAll(which: Which): Promise<void> {
      await model.deleteMany(which);
    },
  };
}

/** The same for records that have their `id` in `_id`; filters name it as it is stored. */
export function recordsOf<Entry extends { readonly id: string | number }>(
  model: Collection,
  shown: Shown = {},
) {
  const documents = documentsOf<Stored<Entry>>(model, shown);
  const asEntry = ({ _id, ...rest }: Stored<Entry>) => ({ id: _id, ...rest }) as unknown as Entry;
  return {
    ...documents,
    async add({ id: _id, ...rest }: Entry): Promise<void> {
      await model.create({ _id, ...rest });
    },
    async one(which: Filter<Stored<Entry>>, options?: Options): Promise<Entry | undefined> {
      const found = await documents.one(which, options);
      return found && asEntry(found);
    },
    many: async (which: Filter<Stored<Entry>>, options?: ManyOptions): Promise<Entry[]> =>
      (await documents.many(which, options)).map(asEntry),
  };
}
