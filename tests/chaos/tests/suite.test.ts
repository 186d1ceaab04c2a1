import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { choosePorts } from '@covalence/stack/engines/free-ports';
import { assert, integer, property } from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { growthOf } from '../growth.ts';
import { without } from '../checks.ts';
import { heapAfterCollection } from '../heap.ts';
import { readChaosOptions, readSoakOptions } from '../options.ts';

const finite = integer({ min: -1_000, max: 1_000 });

describe('growth', () => {
  it('is the slope of a line, whatever its start', () => {
    assert(
      property(finite, finite, integer({ min: 2, max: 30 }), (start, slope, count) => {
        const points = Array.from({ length: count }, (_, minute) => ({
          minute,
          value: start + slope * minute,
        }));
        expect(growthOf(points)).toBeCloseTo(slope, 6);
      }),
      fuzzing(),
    );
  });

  it('is NaN with fewer than two points, so that every limit fails', () => {
    expect(growthOf([])).toBeNaN();
    expect(growthOf([{ minute: 1, value: 5 }])).toBeNaN();
  });
});

describe('entries that are more frequent in one list', () => {
  it.each([
    [['a', 'b'], ['a'], ['b']],
    [['a', 'a'], ['a'], ['a']],
    [['a'], ['a', 'a', 'b'], []],
  ])('%j without %j is %j', (items, others, expected) => expect(without(items, others)).toEqual(expected));
});

/** A checkout that is built. */
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const upgraded = (...args: readonly string[]) =>
  readChaosOptions(args).strikes.flatMap(({ fault, target }) => (fault === 'upgrade' ? [target] : []));

describe('arguments of pnpm chaos', () => {
  it('select every fault at each of its targets, or the named ones', () => {
    const all = readChaosOptions([]);
    expect(all.strikes.filter(({ fault }) => fault === 'kill')).toHaveLength(10);
    const { strikes, seconds } = readChaosOptions([
      '--faults',
      'slow,stop',
      '--targets',
      'redis,auth',
      '--seconds',
      '3',
    ]);
    expect(strikes).toEqual([
      { fault: 'slow', target: 'redis' },
      { fault: 'stop', target: 'redis' },
      { fault: 'stop', target: 'auth' },
    ]);
    expect(seconds).toBe(3);
  });

  it('roll services only where two processes of each run', () => {
    const [one, two] = [[], ['--processes', '2']].map((args) =>
      readChaosOptions(args).strikes.filter(({ fault }) => fault === 'roll'),
    );
    expect(one).toEqual([]);
    expect(two).toHaveLength(6);
  });

  it('select of clusters what one server of several can meet, with two processes of each service', () => {
    const { strikes, form } = readChaosOptions(['--clustered', 'rabbitmq,sentinel']);
    expect(strikes.map(({ fault, target }) => `${fault} ${target}`)).toEqual(
      ['kill', 'stop', 'cut', 'roll'].flatMap((fault) => [`${fault} rabbitmq`, `${fault} redis`]),
    );
    expect(form.processes).toBe(2);
  });

  it('upgrade each service, or a cluster of Elasticsearch, only from another release', () => {
    const other = ['--other-release', checkout];
    expect(upgraded('--processes', '2', ...other)).toHaveLength(6);
    expect(upgraded('--clustered', 'elasticsearch,rabbitmq', ...other)).toEqual(['elasticsearch']);
    expect([...upgraded(...other), ...upgraded('--clustered', 'elasticsearch')]).toEqual([]);
  });

  it.each([
    [['--faults', 'earthquake'], "There is no fault 'earthquake'"],
    [['--targets', 'moon'], "There is no target 'moon'"],
    [['--faults', 'kill,slow', '--targets', 'auth'], "The fault 'slow' is for mongodb,"],
    [['--targets', 'auth', '--clustered', 'redis'], 'None of these faults'],
    [['--faults', 'cut'], "The fault 'cut' needs --clustered"],
    [['--faults', 'roll'], "The fault 'roll' needs --processes 2 or --clustered"],
    [['--faults', 'upgrade', '--processes', '2'], "The fault 'upgrade' needs --other-release"],
    [['--faults', 'elect', '--clustered', 'redis'], "The fault 'elect' has no target with --clustered"],
    [['--clustered', 'redis,sentinel'], '--clustered takes redis or sentinel, not both'],
    [['--other-release', '/nowhere'], '--other-release takes a built checkout, and /nowhere has no gateway'],
    [['--seconds', '0'], '--seconds takes a whole number'],
    [['--processes', '3'], '--processes takes 1 or 2'],
    [['--clustered', 'mongodb'], "There is no cluster 'mongodb'"],
  ])('%j is refused with the problem', (args, message) =>
    expect(() => readChaosOptions(args)).toThrow(message),
  );
});

describe('arguments of pnpm soak', () => {
  it.each([
    [['--minutes', 'ten'], '--minutes takes a whole number'],
    [['--minutes', '0'], '--minutes takes a whole number'],
    [['--pairs', '0'], '--pairs takes a whole number'],
  ])('%j is refused with the problem', (args, message) =>
    expect(() => readSoakOptions(args)).toThrow(message),
  );
});

describe('memory of a process', () => {
  it('includes buffers, which are outside the heap', async () => {
    const { port } = await choosePorts(['port'], {});
    const megabytes = 64;
    const program = `globalThis.kept = Buffer.alloc(${megabytes} * 1048576); setInterval(() => {}, 1000); console.log('up')`;
    const child = spawn(process.execPath, [`--inspect-port=${port}`, '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(child.stdout, 'data');
      const bytes = await heapAfterCollection(child.pid ?? 0, port);
      expect(bytes / 1_048_576).toBeGreaterThan(megabytes);
      expect(bytes / 1_048_576).toBeLessThan(megabytes + 30);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
