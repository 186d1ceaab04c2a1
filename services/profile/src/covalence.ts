import { runServiceCommand } from '@covalence/migrations/migrate-command';
import { openMigrations } from './open-migrations.ts';

/** The `covalence` command of this service's image. */
await runServiceCommand('profile', openMigrations);
