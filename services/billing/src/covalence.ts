import { addMigrateCommands } from '@covalence/migrations/migrate-command';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { addPackagesCommands } from './check/packages-command.ts';
import { openMigrations } from './open-migrations.ts';

/** `covalence` in the image of this service: the commands that work on its stores. */
const program = createProgram(
  'covalence',
  'Operates the billing service with the environment of this container.',
);
const environment = () => process.env;
addMigrateCommands(program, [{ service: 'billing', environment, load: async () => openMigrations }]);
addPackagesCommands(program, environment);
process.exit(await runProgram(program, process.argv.slice(2)));
