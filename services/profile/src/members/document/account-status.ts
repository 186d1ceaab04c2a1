import type { UserStatus } from '@covalence/contract/record';

/** What is kept of a member's standing: the userstatus, and two states beside it. */
export interface Standing {
  readonly userstatus: UserStatus;
  readonly suspended: boolean;
  readonly deleted: boolean;
}

/** What moves it: Customer Service, or an edit by the member. */
export type StandingAction = 'approve' | 'reject' | 'suspend' | 'unsuspend' | 'delete' | 'edit';

/** The userstatus after an action, by the one before; absent means unchanged. */
const statuses: Readonly<Record<UserStatus, Partial<Readonly<Record<StandingAction, UserStatus>>>>> = {
  new: { approve: 'approved', reject: 'rejected' },
  approved: { reject: 'rejected' },
  rejected: { approve: 'approved', edit: 'new' },
};

/** The states beside the userstatus that an action sets. */
const marks: Partial<Readonly<Record<StandingAction, Partial<Pick<Standing, 'suspended' | 'deleted'>>>>> = {
  suspend: { suspended: true },
  unsuspend: { suspended: false },
  delete: { deleted: true },
};

/**
 * The standing after an action, the very same object where it changes nothing. Deleted is final; suspension leaves the
 * userstatus alone, which staff can still decide on.
 */
export function stand(before: Standing, action: StandingAction): Standing {
  const { userstatus, suspended, deleted } = before;
  if (deleted) return before;
  const after: Standing = {
    userstatus: statuses[userstatus][action] ?? userstatus,
    suspended,
    deleted,
    ...marks[action],
  };
  const same = after.userstatus === userstatus && after.suspended === suspended && after.deleted === deleted;
  return same ? before : after;
}
