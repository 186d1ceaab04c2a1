import { addPackagesCommands } from '@covalence/billing/prices/packages-command';
import { addEventsCommands } from '@covalence/events/events-command';
import { addMigrateCommands } from '@covalence/migrations/migrate-command';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { addIndexCommands } from '@covalence/search/index/index-command';
import { addRelevanceCommand } from '@covalence/search/workbench/relevance-command';
import { defaultData, root } from '@covalence/stack/checkout';
import { sitesIn } from '@covalence/stack/services/service-environment';
import { resolve } from 'node:path';
import { clients } from './commands/clients.ts';
import { addCredentialsCommands } from './commands/credentials.ts';
import { keys } from './commands/keys.ts';
import { members } from './commands/members.ts';
import { staff } from './commands/staff.ts';
import { environmentOf } from './local-stack.ts';
import { addOperatorCommand } from './operator-command.ts';
import type { Surroundings } from './surroundings.ts';

const program = createProgram(
  'covalence',
  'Operates the local stack that npm start runs, or the system that the environment names (docs/operations.md).',
);
program.option('--data <folder>', 'data folder of the local stack (default .data)');

const environment = withoutEmptyVariables(process.env);
const surroundings: Surroundings = {
  environment,
  dataFolder: () => resolve(root, program.opts<{ data?: string }>().data ?? defaultData),
  // pnpm runs scripts in the folder of the checkout and keeps the folder of the caller here.
  workingFolder: environment['INIT_CWD'] ?? process.cwd(),
};

for (const command of [clients, staff, keys, members]) addOperatorCommand(program, command, surroundings);
addCredentialsCommands(program, surroundings);
const inService = (service: 'auth' | 'billing' | 'profile' | 'search' | 'updates') => () =>
  environmentOf(service, surroundings);
addIndexCommands(program, inService('search'));
addRelevanceCommand(program, {
  environment: inService('search'),
  folder: surroundings.workingFolder,
  // Imported lazily: drawing a population takes memory.
  async seeded(count) {
    const { seededJudgments } = await import('@covalence/seed/judgments/seeded-judgments');
    return seededJudgments(count, sitesIn(environment));
  },
});
addMigrateCommands(program, [
  {
    service: 'auth',
    environment: inService('auth'),
    load: async () => (await import('@covalence/auth/open-migrations')).openMigrations,
  },
  {
    service: 'profile',
    environment: inService('profile'),
    load: async () => (await import('@covalence/profile/open-migrations')).openMigrations,
  },
  {
    service: 'search',
    environment: inService('search'),
    load: async () => (await import('@covalence/search/open-migrations')).openMigrations,
  },
  {
    service: 'billing',
    environment: inService('billing'),
    load: async () => (await import('@covalence/billing/open-migrations')).openMigrations,
  },
]);
addEventsCommands(program, { environment: inService('updates') });
addPackagesCommands(program);

process.exit(await runProgram(program, process.argv.slice(2)));
