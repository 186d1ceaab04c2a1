import { describe, expect, it } from '@jest/globals';
import type { Member } from '../../src/members/document/member.ts';
import { projectionOf } from '../../src/record/projection.ts';

describe('a projection', () => {
  it('that fails names its member', () => {
    const broken = { _id: 42, fields: {} } as Member;
    expect(() => projectionOf(broken, { sites: new Map(), members: { shownPosition: () => null } })).toThrow(
      'member 42 has no projection',
    );
  });
});
