import { describe, expect, it } from '@jest/globals';
import { failCodes, failureCode, failureCodes, type FailureGroup } from '../../src/failures/failure-codes.ts';
import {
  Failure,
  invalidArgument,
  tooManyRequests,
  unauthorized,
  unavailable,
} from '../../src/failures/failure.ts';

const codesOf = (group: FailureGroup) =>
  failureCodes.filter((entry) => entry.group === group).map(({ code }) => code);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the failure codes', () => {
  /** The numbers that each group has. */
  const ranges: Readonly<Record<FailureGroup, readonly [number, number]>> = {
    registration: [10000, 10999],
    photo: [11000, 11999],
    'profile update': [20000, 20999],
    'saved searches': [20220, 20299],
    'match criteria v1': [30000, 30999],
    'search v2': [31000, 31999],
    'search v1': [40000, 40999],
    'interaction limits': [50000, 50999],
    'messaging and profile access': [80000, 80060],
    'profile access': [80061, 80999],
  };

  it.each(Object.entries(ranges))('of the group %s are in its range, ascending', (group, [first, last]) => {
    const codes = codesOf(group as FailureGroup);
    expect(codes.filter((code) => code < first || code > last)).toEqual([]);
    expect(codes).toEqual([...codes].sort((a, b) => a - b));
  });

  it('are unique and have a meaning', () => {
    expect(new Set(failureCodes.map(({ code }) => code)).size).toBe(failureCodes.length);
    expect(failureCodes.filter(({ meaning }) => !meaning.trim())).toEqual([]);
  });

  it.each([
    ['POST /members', [10001, 10002, 10011, 10021, 10022, 10031, 10032, 10041, 10051, 10061]],
    ['POST /members', [10101, 10102, 10201, 10301, 10302, 10401, 10402, 10501, 10601, 10701]],
    [
      'POST /members/self',
      [10002, 10021, 10022, 10031, 10032, 10051, 10101, 10102, 10301, 10302, 10501, 10601],
    ],
    ['POST /members/self', [20101, 20102, 20201, 20301, 20401, 20402, 20403, 20501, 20502]],
    ['POST /members/self', [20701, 20702, 20703, 20704, 20801, 20901]],
    ['POST /searches', [31000, ...range(31003, 31013)]],
    ['POST /members/self/criteria', [31000, ...range(31003, 31011)]],
  ])('have every code that %s answers: %p', (_route, codes) => {
    expect(codes.filter((code) => !failureCode(code))).toEqual([]);
  });

  it('have distinct names', () => {
    expect(new Set(failureCodes.map(({ name }) => name)).size).toBe(failureCodes.length);
    expect(failCodes.receiverHidden).toBe(80061);
    expect(Object.values(failCodes)).toEqual(failureCodes.map(({ code }) => code));
  });

  it('are found by number', () => {
    expect(failureCode(31007)?.meaning).toBe('within of 20, 30, 40 or 50 used by a non-platinum member');
    expect([31001, 31002, 0, Number.NaN].map(failureCode)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a failure', () => {
  it('carries each code once, in the order given, or none', () => {
    expect(invalidArgument(10002, 10001, 10002)).toMatchObject({
      status: 403,
      message: 'Invalid Argument',
      failcode: [10002, 10001],
    });
    expect(invalidArgument().failcode).toBeUndefined();
  });

  it('does not expose its cause', () => {
    const failure = unavailable(new Error('inner'));
    expect([failure.status, failure.message, failure.headers]).toEqual([
      503,
      'Service Unavailable',
      { 'Retry-After': '2' },
    ]);
    expect(JSON.stringify(failure)).not.toContain('inner');
    expect(failure).toBeInstanceOf(Failure);
  });

  it.each([
    [0, '1'],
    [0.2, '1'],
    [1.1, '2'],
    [60, '60'],
  ])('sets Retry-After to whole seconds, at least one: %d', (seconds, header) => {
    expect(tooManyRequests(seconds).headers).toEqual({ 'Retry-After': header });
  });

  it('has an error in its challenge only if a token was sent', () => {
    expect(unauthorized('missing').headers['WWW-Authenticate']).toBe('Bearer realm="covalence"');
    expect(unauthorized('invalid_token').headers['WWW-Authenticate']).toMatch(
      /^Bearer realm="covalence", error="invalid_token", error_description="[^"]+"$/,
    );
  });
});
