import { describe, expect, it } from '@jest/globals';
import type { Member } from '../../src/members/document/member.ts';
import type { RecordContext } from '../../src/record/records.ts';
import { projectionOf } from '../../src/record/projection.ts';

describe('a projection', () => {
  it('that fails names its member', () => {
    const broken = { _id: 42, fields: {} } as Member;
    const context = { sites: new Map(), members: { shownPosition: () => null } } as unknown as RecordContext;
    expect(() => projectionOf(broken, context)).toThrow('member 42 has no projection');
  });
});
