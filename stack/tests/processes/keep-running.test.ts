import { describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { keepRunning, type Unit } from '../../src/processes/keep-running.ts';

/** A unit with scripted restarts, which the test ends. */
function createUnit(restarts: readonly ('fine' | 'fails')[]) {
  const outcomes = restarts.values();
  let running = Promise.withResolvers<string>();
  const unit: Unit = {
    name: 'search',
    get exited() {
      return running.promise;
    },
    restart() {
      const { value } = outcomes.next();
      if (value !== 'fine') return Promise.reject(new Error('no memory'));
      running = Promise.withResolvers<string>();
      return Promise.resolve();
    },
  };
  return { unit, end: (reason: string) => running.resolve(reason) };
}

describe('keeping a unit running', () => {
  it('restarts it, retries after a failure, and reports each attempt', async () => {
    const lines: string[] = [];
    const stopping = new AbortController();
    const { unit, end } = createUnit(['fails', 'fine']);
    const watch = keepRunning(unit, (line) => lines.push(line), stopping.signal);
    end('exit code 1');
    await until('it runs again', () => lines.includes('search: restarted'));
    expect(lines).toEqual([
      'search ended: exit code 1. Restarting in 0.5 s',
      'search could not be restarted: no memory',
      'search: restarted',
    ]);
    stopping.abort();
    await expect(watch).rejects.toThrow('aborted');
  });

  it('does not restart it while the stack is stopping', async () => {
    const lines: string[] = [];
    const stopping = new AbortController();
    const { unit, end } = createUnit([]);
    const watch = keepRunning(unit, (line) => lines.push(line), stopping.signal);
    stopping.abort();
    end('SIGTERM');
    await expect(watch).rejects.toThrow('aborted');
    expect(lines).toEqual([]);
  });
});
