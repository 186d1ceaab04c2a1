import { checkShardKeys, shardKeyProblems } from '@covalence/testing/shard-keys';
import { expect, it } from '@jest/globals';
import mongoose, { Schema } from 'mongoose';
import { by, whole, type Sharding } from '../src/sharding.ts';

/** A model on a connection that is never opened. */
function declare(index: object, options: object = {}) {
  const connection = mongoose.createConnection();
  const schema = new Schema({ owner: Number, name: String }, { collection: 'things', bufferCommands: false });
  schema.index(index as never, options);
  return { connection, model: connection.model('Thing', schema) };
}

const cases: [what: string, index: object, options: object, sharding: Sharding, problems: string[]][] = [
  ['no declaration', {}, {}, {}, ['things: no shard key is declared']],
  [
    'a unique index that begins with another field',
    { name: 1, owner: 1 },
    { unique: true, sparse: true },
    { things: by('owner', '') },
    ['things: the unique index of name, owner must begin with owner'],
  ],
  [
    'a unique index beside the shard key _id',
    { name: 1 },
    { unique: true },
    { things: by('_id', '') },
    ['things: the unique index of name must begin with _id'],
  ],
  [
    'nothing where it begins with the shard key',
    { owner: 1, name: 1 },
    { unique: true },
    { things: by('owner', '') },
    [],
  ],
  ['nothing where the collection is whole', { name: 1 }, { unique: true }, { things: whole('') }, []],
  ['nothing where the index is not unique', { name: 1 }, {}, { things: by('_id', '') }, []],
];

it.each(cases)('the check of shard keys reports %s', (_what, index, options, sharding, problems) => {
  const { connection } = declare(index, options);
  expect(shardKeyProblems(connection, sharding)).toEqual(problems);
});

const refused = (operation: string) => `things: the filter of ${operation} must have owner`;

it('refuses a write of one document that a cluster would refuse', async () => {
  const { connection, model } = declare({ name: 1 });
  checkShardKeys(connection, { things: by('owner', '') });
  const set = { $set: { name: 'a' } };
  const id = new mongoose.Types.ObjectId();
  const attempts: [PromiseLike<unknown>, string][] = [
    [model.updateOne({ name: 'a' }, set), refused('updateOne')],
    [model.updateOne({ _id: { $in: [id] } }, set), refused('updateOne')],
    [model.updateOne({ _id: id }, set, { upsert: true }), refused('updateOne')],
    [model.updateOne({ owner: { $in: [1, 2] } }, set), refused('updateOne')],
    [model.deleteOne({ name: 'a' }), refused('deleteOne')],
    [model.findOneAndUpdate({ _id: id }, set), refused('findOneAndUpdate')],
    [model.findOneAndDelete({ _id: id }), refused('findOneAndDelete')],
    [
      model.bulkWrite([{ updateOne: { filter: { _id: id }, update: set, upsert: true } }]),
      refused('updateOne'),
    ],
    [model.updateMany({ name: 'a' }, { $unset: { owner: 1 } }), 'things: updateMany must not change owner'],
    [model.updateOne({ owner: 1 }, { $set: { owner: 2 } }), 'things: updateOne must not change owner'],
    // These pass, and fail because nothing is connected.
    [model.updateOne({ _id: id }, set), 'before initial connection'],
    [model.updateOne({ _id: id, owner: 1 }, set, { upsert: true }), 'before initial connection'],
    [model.findOneAndUpdate({ owner: 1 }, set), 'before initial connection'],
    [model.deleteOne({ _id: id }), 'before initial connection'],
    [model.updateMany({ name: 'a' }, set), 'before initial connection'],
  ];
  for (const [attempt, message] of attempts) await expect(attempt).rejects.toThrow(message);
});
