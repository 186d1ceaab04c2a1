import { describe, expect, it } from '@jest/globals';
import { defaultData, root } from '../../src/checkout.ts';
import { readStartOptions, startHelp } from '../../src/cli/start-options.ts';
import { CommandError } from '@covalence/runtime/command-error';

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readStartOptions([], {})).toEqual({
      help: false,
      reset: false,
      members: undefined,
      seed: undefined,
      port: 8080,
      dataPath: defaultData,
      clustered: [],
    });
  });

  it('are read from the arguments and PORT', () => {
    const args = ['--reset', '--members', '50', '--seed=7', '--data', 'elsewhere'];
    expect(readStartOptions(args, { PORT: '8081' })).toEqual({
      help: false,
      reset: true,
      members: 50,
      seed: 7,
      port: 8081,
      dataPath: `${root}elsewhere`,
      clustered: [],
    });
  });

  it.each([
    [
      ['--clustered', '--reset'],
      ['elasticsearch', 'rabbitmq', 'redis'],
    ],
    [['--clustered=rabbitmq'], ['rabbitmq']],
    [['--clustered=rabbitmq,sentinel'], ['rabbitmq', 'sentinel']],
  ])('%j name the engines of several servers', (args, clustered) => {
    expect(readStartOptions(args, {}).clustered).toEqual(clustered);
  });

  it.each([
    [['--members', 'many'], {}, "--members takes a whole number from 0 to 1000000, not 'many'."],
    [['--members=-1'], {}, "--members takes a whole number from 0 to 1000000, not '-1'."],
    [['--seed', '1.5'], {}, "--seed takes a whole number from 0 to 2147483647, not '1.5'."],
    [[], { PORT: '0' }, "PORT takes a whole number from 1 to 65535, not '0'."],
    [[], { PORT: 'http' }, "PORT takes a whole number from 1 to 65535, not 'http'."],
    [['--clustered=mongodb'], {}, '--clustered takes names of elasticsearch,rabbitmq,redis, or sentinel '],
    [['--clustered='], {}, "or sentinel instead of redis, not ''."],
    [['--clustered=redis,sentinel'], {}, "or sentinel instead of redis, not 'redis,sentinel'."],
    [['--color'], {}, "Unknown option '--color'. See npm start -- --help."],
    [['twice'], {}, "Unexpected argument 'twice'. See npm start -- --help."],
    [['--reset', '--data', '.'], {}, '--data needs its own folder: '],
    [['--data', '/'], {}, '--data needs its own folder: / contains the checkout.'],
    [['--members'], {}, "Option '--members <value>' argument missing. See npm start -- --help."],
    [['--members', '--reset'], {}, "Option '--members' argument is ambiguous. See npm start -- --help."],
  ])('%j with %j are rejected with one line', (args, environment, message) => {
    const read = () => readStartOptions(args, environment);
    expect(read).toThrow(CommandError);
    expect(read).toThrow(message);
  });

  it.each([
    '--members',
    '--seed',
    '--reset',
    '--data',
    '--clustered',
    '--help',
    'PORT',
    'STAFF_SECOND_FACTOR',
    '.data/demo.json',
  ])('the help explains %s', (name) => expect(startHelp).toContain(name));
});
