import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

interface Counter {
  _id: string;
  last: number;
}

const counterSchema = new Schema<Counter>(required({ _id: String, last: Number }), {
  collection: 'counters',
  versionKey: false,
});

const blockSize = 20;

const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

/** Creates the allocator on the `counters` collection. */
export function createIdStore(connection: Connection) {
  const model = connection.model('Counter', counterSchema);
  const unused = new Map<string, number[]>();

  const allocate = async (kind: string, count: number): Promise<number[]> => {
    const counter = await retryOnDuplicateKey(() =>
      model
        .findOneAndUpdate(
          { _id: kind },
          { $inc: { last: count } },
          { upsert: true, returnDocument: 'after', setDefaultsOnInsert: false },
        )
        .lean(),
    );
    return range(counter.last - count + 1, count);
  };

  const take = async (kind: 'member' | 'photo', count: number): Promise<number[]> => {
    const left = unused.get(kind) ?? [];
    if (left.length >= count) return left.splice(0, count);
    const block = await allocate(kind, Math.max(count, blockSize));
    const taken = block.splice(0, count);
    unused.set(kind, block);
    return taken;
  };

  return {
    take,
    async takeOne(kind: 'member' | 'photo'): Promise<number> {
      const [id] = await take(kind, 1);
      if (id === undefined) throw new Error('no id was allocated');
      return id;
    },
  };
}
