import { describe, expect, it } from '@jest/globals';
import { readJson, valueOf, withValue, type Criteria } from '../../src/search/criteria-text.ts';

const criteria = { age: { from: 25, to: 45 }, smoking: { value: 10 }, location: { of: '10115' } };

describe('a field of a criterion', () => {
  it('changes its own value only, and goes with the last of them', () => {
    const one = withValue(criteria, 'age', 'from', 30);
    expect(one).toEqual({ ...criteria, age: { from: 30, to: 45 } });
    const none = withValue(withValue(one, 'age', 'from', undefined), 'age', 'to', undefined);
    expect(none).toEqual({ smoking: { value: 10 }, location: { of: '10115' } });
    const near = withValue(none, 'location', 'within', 50);
    expect(near).toMatchObject({ location: { of: '10115', within: 50 } });
    expect(valueOf(near, 'location', 'within')).toBe(50);
  });

  it.each(['null', '3', '[1]', '{"age": 5}', '{"age": {"from": {}}}'])('is empty in %s', (json) => {
    expect(valueOf(readJson(json) as Criteria, 'age', 'from')).toBeUndefined();
    expect(withValue(readJson(json) as Criteria, 'age', 'from', 20)).toMatchObject({ age: { from: 20 } });
  });

  it('is not read from what is no JSON', () => {
    expect(readJson('{"age":')).toBeUndefined();
  });
});
