import { fuzzing } from '@covalence/testing/fuzzing';
import type { UserStatus } from '@covalence/contract/record';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  statusAfter,
  withoutSuspicion,
  type AccountStatus,
  type StatusAction,
} from '../../../src/members/document/account-status.ts';
import { member } from '../../support/subjects.ts';

const statuses = ['new', 'approved', 'rejected'] as const;
const actions = ['approve', 'reject', 'suspend', 'unsuspend', 'delete', 'undelete', 'edit'] as const;

/** Every other pair of status and action leaves the status alone. */
const moves: readonly (readonly [UserStatus, StatusAction, UserStatus])[] = [
  ['new', 'approve', 'approved'],
  ['new', 'reject', 'rejected'],
  ['approved', 'reject', 'rejected'],
  ['rejected', 'approve', 'approved'],
  ['rejected', 'edit', 'new'],
];

const accountStatus = fc.record<AccountStatus>({
  userstatus: fc.constantFrom(...statuses),
  suspended: fc.boolean(),
  deleted: fc.boolean(),
});
const action = fc.constantFrom<StatusAction>(...actions);

describe('the status of an account', () => {
  it.each(statuses.flatMap((from) => actions.map((by) => [from, by] as const)))('%s, %s', (from, by) => {
    const to = moves.find(([status, moved]) => status === from && moved === by)?.[2] ?? from;
    const before = { userstatus: from, suspended: false, deleted: false };
    expect(statusAfter(before, by)).toEqual({
      userstatus: to,
      suspended: by === 'suspend',
      deleted: by === 'delete',
    });
  });

  it('is the same object where nothing changes, and actions are idempotent', () => {
    fc.assert(
      fc.property(accountStatus, action, (before, by) => {
        const after = statusAfter(before, by);
        expect(statusAfter(after, by)).toBe(after);
        expect(after === before).toBe(JSON.stringify({ ...before, ...after }) === JSON.stringify(before));
      }),
      fuzzing(),
    );
  });

  it('leaves deleted by an undo of the deletion only, and has only three values', () => {
    fc.assert(
      fc.property(accountStatus, fc.array(action, { maxLength: 20, size: 'max' }), (begin, done) => {
        let now: AccountStatus = begin;
        for (const by of done) {
          const next = statusAfter(now, by);
          expect(!now.deleted || next === now || by === 'undelete').toBe(true);
          expect(by !== 'undelete' || next.userstatus === now.userstatus).toBe(true);
          // Staff alone approve, and only a member's edit makes new.
          const became = (status: UserStatus) => next.userstatus === status && now.userstatus !== status;
          expect(!became('approved') || by === 'approve').toBe(true);
          expect(!became('new') || by === 'edit').toBe(true);
          expect(statuses).toContain(next.userstatus);
          now = next;
        }
      }),
      fuzzing(),
    );
  });

  it('keeps suspension and userstatus apart', () => {
    fc.assert(
      fc.property(accountStatus, (before) => {
        expect(statusAfter(before, 'suspend').userstatus).toBe(before.userstatus);
        expect(statusAfter(before, 'approve').suspended).toBe(before.suspended);
      }),
      fuzzing(),
    );
  });
});

it('a member is known without matches of the ban list and what staff cleared', () => {
  const clean = member(1);
  const matched = {
    suspected: true,
    ban_matches: ['one'],
    matched_by: ['email'],
    cleared_bans: ['two'],
  } as const;
  expect(withoutSuspicion({ ...clean, ...matched })).toEqual(withoutSuspicion(clean));
});
