import { createLogger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import { until } from '@covalence/testing/until';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { createReplayBuffer } from '../../src/live/replay-buffer.ts';

const away = new Error('CLUSTERDOWN Hash slot not served');

/** Texts begin with their member. */
const memberOf = (text: string) => Number(text[0]);

describe('messages that Redis may have lost', () => {
  let events: EventEmitter;
  let buffer: ReturnType<typeof createReplayBuffer<string, void>>;
  let written: string[];
  /** Called before a text is written. */
  let before: (text: string) => Promise<void>;

  beforeEach(() => {
    events = Object.assign(new EventEmitter(), { status: 'ready' });
    written = [];
    before = () => Promise.resolve();
    const write = async (text: string) => {
      await before(text);
      written.push(text);
    };
    const logger = createLogger('updates', 'silent');
    buffer = createReplayBuffer(events as unknown as RedisClient, memberOf, write, logger);
  });
  const failOver = () => {
    events.emit('close');
    events.emit('ready');
  };

  it('are written again in order when more is lost meanwhile', async () => {
    for (const text of ['1a', '1b', '2a']) await buffer.write(text);
    const gate = Promise.withResolvers<void>();
    written = [];
    before = (text) => (text === '1b' ? gate.promise : Promise.resolve());
    failOver();
    await until('the others', () => written.length === 2);
    failOver();
    before = () => Promise.resolve();
    written = [];
    gate.resolve();
    await buffer.write('1c');
    await buffer.write('2b');
    expect(written.filter((text) => memberOf(text) === 1)).toEqual(['1b', '1a', '1b', '1c']);
    expect(written.filter((text) => memberOf(text) === 2)).toEqual(['2a', '2b']);
  });

  it('hold up later ones of their member only', async () => {
    for (const text of ['1a', '2a']) await buffer.write(text);
    const gate = Promise.withResolvers<void>();
    written = [];
    before = (text) => (memberOf(text) === 1 ? gate.promise : Promise.resolve());
    failOver();
    await buffer.write('2b');
    await buffer.write('3a');
    expect(written.indexOf('2b')).toBeGreaterThan(written.indexOf('2a'));
    expect(written).toHaveLength(3);
    const later = buffer.write('1b');
    gate.resolve();
    await later;
    expect(written.slice(-2)).toEqual(['1a', '1b']);
  });

  it('are not tried again at once after a failure, and refuse later ones meanwhile', async () => {
    await buffer.write('1a');
    let attempts = 0;
    before = () => {
      attempts += 1;
      return Promise.reject(away);
    };
    failOver();
    await buffer.replayed(1);
    for (let round = 0; round < 5; round += 1) {
      events.emit('ready');
      await expect(buffer.write('1b')).rejects.toThrow('CLUSTERDOWN');
    }
    expect(attempts).toBe(1);
    before = () => Promise.resolve();
    await until('the next attempt', () => written.length === 2);
    await buffer.write('1b');
    expect(written).toEqual(['1a', '1a', '1b']);
  });
});
