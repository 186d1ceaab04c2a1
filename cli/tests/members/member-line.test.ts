import { describe, expect, it } from '@jest/globals';
import { memberIdOf, parseLine } from '../../src/members/member-line.ts';

const idOf = (text: string) => {
  const parsed = parseLine(text);
  return 'member' in parsed ? memberIdOf(parsed.member) : parsed.problem;
};

describe('a line of an import', () => {
  it('identifies the same member by a number and its string', () => {
    expect(idOf('{"siteid":1,"external_id":9007199254740991}')).toBe(
      idOf('{"siteid":1,"external_id":"9007199254740991"}'),
    );
    expect(idOf('{"siteid":1,"external_id":7}')).not.toBe(idOf('{"siteid":1,"external_id":8}'));
  });

  it('rejects a number that JSON parsers round', () => {
    for (const number of ['1234567890123456789', '1234567890123456788', '1e40']) {
      expect(idOf(`{"siteid":1,"external_id":${number}}`)).toMatch(/^external_id .*must be a string$/);
    }
    expect(idOf('{"siteid":1,"external_id":"1234567890123456789"}')).toMatch(/^[\da-f-]{36}$/);
  });

  it('accepts every spelling of siteid', () => {
    const [first, second] = ['{"SiteId":1,"external_id":"a"}', '{"SITEID":2,"external_id":"a"}'].map(idOf);
    expect(first).toBe(idOf('{"siteid":1,"external_id":"a"}'));
    expect(first).not.toBe(second);
  });
});
