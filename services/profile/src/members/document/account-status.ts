import type { UserStatus } from '@covalence/contract/record';

/** The stored status of an account: the userstatus, and two states beside it. */
export interface AccountStatus {
  readonly userstatus: UserStatus;
  readonly suspended: boolean;
  readonly deleted: boolean;
}

/** What changes the status: actions of Customer Service, or an edit by the member. */
export type StatusAction = 'approve' | 'reject' | 'suspend' | 'unsuspend' | 'delete' | 'edit';

/** The userstatus after an action, by the one before; absent means unchanged. */
const statuses: Readonly<Record<UserStatus, Partial<Readonly<Record<StatusAction, UserStatus>>>>> = {
  new: { approve: 'approved', reject: 'rejected' },
  approved: { reject: 'rejected' },
  rejected: { approve: 'approved', edit: 'new' },
};

/** The states beside the userstatus that an action sets. */
const marks: Partial<Readonly<Record<StatusAction, Partial<Pick<AccountStatus, 'suspended' | 'deleted'>>>>> =
  {
    suspend: { suspended: true },
    unsuspend: { suspended: false },
    delete: { deleted: true },
  };

/**
 * The status after an action; the same object where nothing changes. Deleted is final. Staff can still decide on the
 * userstatus of a suspended member.
 */
export function statusAfter(before: AccountStatus, action: StatusAction): AccountStatus {
  const { userstatus, suspended, deleted } = before;
  if (deleted) return before;
  const after: AccountStatus = {
    userstatus: statuses[userstatus][action] ?? userstatus,
    suspended,
    deleted,
    ...marks[action],
  };
  const same = after.userstatus === userstatus && after.suspended === suspended && after.deleted === deleted;
  return same ? before : after;
}
