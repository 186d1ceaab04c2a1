import { describe, expect, it } from '@jest/globals';
import { ReplyError } from 'ioredis';
import mongoose from 'mongoose';
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '../src/logger.ts';
import { createHealth } from '../src/health.ts';
import { listen } from '../src/lifecycle.ts';
import { connectMongo, mongoReady } from '../src/mongo.ts';
import { connectRedis } from '../src/redis.ts';
import { isUnavailableError } from '../src/unavailable-error.ts';

const named = (name: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { name });
const mongoAnswer = (code: number, message: string) => new mongoose.mongo.MongoServerError({ code, message });
/** As ioredis rejects commands of one pipeline. */
const aborted = Object.assign(new Error('Command aborted due to connection close'), { name: 'AbortError' });
const silent = createLogger('test', 'silent');
/** A dynamic port without a listener. */
const nobody = '127.0.0.1:1';
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an unavailable store', () => {
  it.each([
    ['MongoDB selects no server', named('MongoServerSelectionError')],
    ['MongoDB lost the connection', named('MongoNetworkError')],
    [
      'MongoDB lost the connection in the middle of several writes',
      Object.assign(named('MongoBulkWriteError'), { errorResponse: named('MongoNetworkError') }),
    ],
    ['MongoDB has another primary now', mongoAnswer(10_107, 'not primary')],
    ['MongoDB is being restarted', mongoAnswer(11_600, 'interrupted at shutdown')],
    [
      'MongoDB steps down before a majority has a write',
      Object.assign(named('MongoWriteConcernError'), { code: 11_602 }),
    ],
    ['MongoDB has no majority in time', Object.assign(named('MongoWriteConcernError'), { code: 64 })],
    ['MongoDB lost a cursor with its process', mongoAnswer(43, 'cursor id 7 not found')],
    ['MongoDB does not answer its monitor', named('PoolClearedOnNetworkError')],
    ['MongoDB does not take the password', mongoAnswer(18, 'Authentication failed.')],
    ['MongoDB gives no right', mongoAnswer(13, 'not authorized on covalence-profile to execute command')],
    [
      'Redis gives no right',
      new ReplyError("NOPERM User default has no permissions to run the 'get' command"),
    ],
    ['Elasticsearch does not take the password', Object.assign(named('ResponseError'), { statusCode: 401 })],
    ['Redis lost the connection in the middle of several commands', aborted],
    ['Redis gave up', named('MaxRetriesPerRequestError')],
    ['Redis is not connected', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
    ...[
      "Cluster isn't ready and enableOfflineQueue options is false",
      'None of startup nodes is available',
      'Too many Cluster redirections. Last error: ReplyError: TRYAGAIN Multiple keys request during rehashing',
    ].map(
      (text) => [`a Redis cluster has no server for a key: ${text.slice(0, 10)}`, new Error(text)] as const,
    ),
    ['a Redis cluster moves a channel', new ReplyError('MOVED 3999 127.0.0.1:6381')],
    ...[
      "OOM command not allowed when used memory > 'maxmemory'. script: ff967d0, on @user_script:1.",
      'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist on disk.',
      'NOREPLICAS Not enough good replicas to write.',
    ].map((text) => [`Redis takes no writes: ${text.slice(0, 10)}`, new ReplyError(text)] as const),
    ['Elasticsearch has no node', named('NoLivingConnectionsError')],
    ['a peer does not answer', named('PeerUnavailable')],
    [
      'deep inside',
      new Error('outer', { cause: new Error('middle', { cause: named('MongoNetworkError') }) }),
    ],
  ])('is known when %s', (_case, error) => {
    expect(isUnavailableError(error)).toBe(true);
  });

  it.each([
    ['a defect', new TypeError('undefined is not a function')],
    ['a duplicate key', mongoAnswer(11_000, 'E11000 duplicate key')],
    ["another library's error with such a code", Object.assign(named('OtherError'), { code: 10_107 })],
    [
      'a duplicate key among several writes',
      Object.assign(named('MongoBulkWriteError'), { errorResponse: { code: 11_000 } }),
    ],
    ['a refused query', named('ResponseError')],
    ['a text', 'MongoNetworkError'],
    ['nothing', undefined],
    ['an object with the name', { name: 'MongoNetworkError' }],
  ])('is not %s', (_case, error) => {
    expect(isUnavailableError(error)).toBe(false);
  });

  it('handles an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isUnavailableError(error)).toBe(false);
  });

  it('is recognized by a call timeout', async () => {
    const server = createServer(() => undefined);
    const port = await listen(server, 0, '127.0.0.1');
    const error = await failure(fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(20) }));
    server.closeAllConnections();
    server.close();
    expect(isUnavailableError(error)).toBe(true);
  });

  it.each(['redis', 'redis+cluster'])('is recognized by errors of the Redis client (%s)', async (scheme) => {
    const redis = connectRedis({ url: `${scheme}://${nobody}`, logger: silent });
    const answers = await redis
      .pipeline()
      .get('key')
      .exec()
      .catch((error: unknown) => [[error]]);
    const errors = [await failure(redis.get('key')), answers?.[0]?.[0]];
    redis.disconnect();
    expect(errors.map(isUnavailableError)).toEqual([true, true]);
  });

  it('is recognized by errors of mongoose, and the service is not ready', async () => {
    const health = createHealth();
    const url = `mongodb://${nobody}`;
    const connection = connectMongo({ url, database: 'none', logger: silent, health });
    const model = connection.model('Thing', new connection.base.Schema({ name: String }));
    // The first attempt follows the declaration of the models.
    await nextTurn();
    const error = await failure(model.findOne({ name: 'x' }).exec());
    expect(isUnavailableError(error)).toBe(true);
    expect(await health.report()).toMatchObject({ ready: false, checks: { mongodb: 'down' } });
    await expect(mongoReady(connection, 50)).rejects.toThrow('did not answer in time');
    await connection.close();
  });
});
