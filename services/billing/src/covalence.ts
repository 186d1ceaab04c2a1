import { runServiceCommand } from '@covalence/migrations/migrate-command';
import { addPackagesCommands } from './check/packages-command.ts';
import { openMigrations } from './open-migrations.ts';

/** The `covalence` command of this service's image. */
await runServiceCommand('billing', openMigrations, addPackagesCommands);
