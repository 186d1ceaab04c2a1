import { identityMigrations } from './accounts/identities/identity-migrations.ts';
import { staffRolesMigration } from './staff/staff-roles-migration.ts';

/** The migrations of the service in order; new ones are added at the end. */
export const migrations = [staffRolesMigration, ...identityMigrations];
