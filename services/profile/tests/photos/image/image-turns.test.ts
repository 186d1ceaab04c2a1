import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { setImmediate as settle } from 'node:timers/promises';
import { createImageTurns } from '../../../src/photos/image/image-turns.ts';

const never = new AbortController().signal;

/** A queue whose jobs end when a test says so, with what was started and refused, in order. */
function watched(options: { atOnce: number; waiting: number; waitingPerMember: number }) {
  const queue = createImageTurns(options);
  const started: number[] = [];
  const refused: [member: number, status: number][] = [];
  const running: { member: number; end: () => void }[] = [];
  return {
    queue,
    started,
    refused,
    running,
    send(member: number, signal = never) {
      queue
        .run(
          member,
          () => {
            const { promise, resolve } = Promise.withResolvers<void>();
            started.push(member);
            running.push({ member, end: resolve });
            return promise;
          },
          signal,
        )
        .catch((error: { status: number }) => refused.push([member, error.status]));
    },
    /** Ends the job that runs at this place, counted round. */
    async end(index: number) {
      running.splice(index % running.length, 1)[0]?.end();
      await settle();
    },
  };
}

const roomy = { atOnce: 2, waiting: 1_000, waitingPerMember: 1_000 };

describe('the queue of images', () => {
  it('starts the single upload of a member before twenty of another', async () => {
    const work = watched(roomy);
    for (let count = 0; count < 20; count += 1) work.send(1);
    work.send(2);
    await settle();
    expect(work.started).toEqual([1, 1]);
    await work.end(0);
    expect(work.started).toEqual([1, 1, 2]);
  });

  it('starts no member twice while another without running jobs waits, and leaves no thread idle', async () => {
    const move = fc.oneof(
      fc.record({ send: fc.integer({ min: 1, max: 5 }), count: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ end: fc.nat(9) }),
    );
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(move),
      async (atOnce, moves) => {
        const work = watched({ ...roomy, atOnce });
        const sent = new Map<number, number>();
        /** Starts of others since a member waits with nothing running. */
        const passedBy = new Map<number, number[]>();
        let seen = 0;
        const look = () => {
          for (const member of work.started.slice(seen)) {
            passedBy.delete(member);
            for (const others of passedBy.values()) others.push(member);
          }
          seen = work.started.length;
          for (const [member, count] of sent) {
            const isWaiting = work.started.filter((one) => one === member).length < count;
            const isRunning = work.running.some((one) => one.member === member);
            if (!isWaiting || isRunning) passedBy.delete(member);
            else if (!passedBy.has(member)) passedBy.set(member, []);
          }
          for (const others of passedBy.values()) expect(new Set(others).size).toBe(others.length);
          const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
          const left = total - work.started.length + work.running.length;
          expect(work.running).toHaveLength(Math.min(atOnce, left));
        };
        for (const next of moves) {
          if ('send' in next) {
            for (let count = 0; count < next.count; count += 1) work.send(next.send);
            sent.set(next.send, (sent.get(next.send) ?? 0) + next.count);
            await settle();
          } else if (work.running.length) await work.end(next.end);
          look();
        }
        while (work.running.length) {
          await work.end(0);
          look();
        }
        expect(work.refused).toEqual([]);
      },
    );
    await fc.assert(property, fuzzing());
  });

  it('refuses with 429 more waiting jobs than one member may have', async () => {
    const work = watched({ atOnce: 1, waiting: 10, waitingPerMember: 2 });
    for (let count = 0; count < 5; count += 1) work.send(1);
    await settle();
    expect(work.refused).toEqual([
      [1, 429],
      [1, 429],
    ]);
  });

  it('when full drops the newest job of the member with the most, and refuses a member with as many', async () => {
    const work = watched({ atOnce: 1, waiting: 4, waitingPerMember: 4 });
    for (const member of [1, 1, 1, 1, 1, 2, 3, 3]) work.send(member);
    await settle();
    expect(work.refused).toEqual([
      [3, 503],
      [1, 503],
      [1, 503],
    ]);
    for (let count = 0; count < 5; count += 1) await work.end(0);
    expect(work.started).toEqual([1, 2, 3, 1, 1]);
  });

  it('drops a job that waited too long, and continues with the others', async () => {
    const work = watched({ ...roomy, atOnce: 1 });
    const late = new AbortController();
    work.send(1);
    work.send(2, late.signal);
    work.send(3);
    late.abort(new Error('too late'));
    await settle();
    expect(work.refused).toEqual([[2, 503]]);
    await work.end(0);
    expect(work.started).toEqual([1, 3]);
  });

  it('continues after a failed job', async () => {
    const { queue } = watched({ ...roomy, atOnce: 1 });
    const failed = queue.run(1, () => Promise.reject(new Error('broken')), never);
    const next = queue.run(2, () => Promise.resolve('good'), never);
    await expect(failed).rejects.toThrow('broken');
    await expect(next).resolves.toBe('good');
  });
});
