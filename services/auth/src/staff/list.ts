import { listStaff } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { StaffContext } from './find-staff.ts';

/** POST /internal/staff/list: the staff accounts, by name. */
export const list = endpoint({
  access: 'service',
  summary: 'List staff accounts',
  ...listStaff,
  handler: async (_call, { accounts }: StaffContext) => {
    const ids = await accounts.claims.staffIds();
    const found = new Map((await accounts.findMany(ids)).map((account) => [account._id, account]));
    const staff = ids.flatMap((id) => found.get(id) ?? []);
    return {
      staff: staff.map(({ _id, username, disabled = false }) => ({ staff_id: _id, username, disabled })),
    };
  },
});
