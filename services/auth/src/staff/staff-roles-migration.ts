import { everySite, type RolesBySite, type StaffRole } from '@covalence/contract/staff-roles';
import type { Migration } from '@covalence/migrations/migration';

interface StaffDocument {
  readonly _id: string;
  readonly staff: boolean;
  readonly roles?: RolesBySite;
}

const admin: StaffRole = 'admin';

/** Accounts from before there were roles could do everything, and still can. */
export const staffRolesMigration: Migration = {
  name: '0001-staff-roles',
  what: 'Gives staff accounts without roles the role admin on every site.',
  runs: 'before',
  async up({ collection, print }) {
    const { modifiedCount } = await collection<StaffDocument>('accounts').updateMany(
      { staff: true, roles: { $exists: false } },
      { $set: { roles: { [everySite]: [admin] } } },
    );
    print(`accounts: ${modifiedCount} written`);
  },
};
