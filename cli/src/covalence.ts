import { addPackagesCommands } from '@covalence/billing/check/packages-command';
import { addEventsCommands } from '@covalence/events/events-command';
import { addMigrateCommands } from '@covalence/migrations/migrate-command';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { addIndexCommands } from '@covalence/search/index/index-command';
import { addAnalysisCommands } from '@covalence/search/workbench/analysis-command';
import { addUsageCommands } from '@covalence/search/workbench/usage-command';
import { addRelevanceCommand } from '@covalence/search/workbench/relevance-command';
import { defaultData, root } from '@covalence/stack/checkout';
import { sitesFileIn, sitesIn } from '@covalence/stack/services/service-environment';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { resolve } from 'node:path';
import { clients } from './commands/clients.ts';
import { addCredentialsCommands } from './commands/credentials.ts';
import { keys } from './commands/keys.ts';
import { members } from './commands/members.ts';
import { staff } from './commands/staff.ts';
import { environmentOf, type CommandContext } from './command-context.ts';
import { addOperatorCommand } from './operator-command.ts';

const program = createProgram(
  'covalence',
  'Operates the local stack that npm start runs, or the system that the environment names (docs/operations.md).',
);
program.option('--data <folder>', 'data folder of the local stack (default .data)');

const environment = withoutEmptyVariables(process.env);
const context: CommandContext = {
  environment,
  dataFolder: () => resolve(root, program.opts<{ data?: string }>().data ?? defaultData),
  // pnpm runs scripts in the checkout and passes the caller's folder in INIT_CWD.
  workingFolder: environment['INIT_CWD'] ?? process.cwd(),
};

for (const command of [clients, staff, keys, members]) addOperatorCommand(program, command, context);
addCredentialsCommands(program, context);
const inService = (service: ServiceName) => () => environmentOf(service, context);
addIndexCommands(program, inService('search'));
addAnalysisCommands(program, {
  environment: inService('search'),
  folder: context.workingFolder,
});
addUsageCommands(program, { environment: inService('search') });
addRelevanceCommand(program, {
  environment: (needs) =>
    needs === 'elasticsearch' && environment['ELASTICSEARCH_URL']
      ? { SITES_FILE: sitesFileIn(environment), ...environment }
      : environmentOf('search', context),
  folder: context.workingFolder,
  // Imported lazily, because a population takes memory.
  async seeded(count) {
    const { seededJudgments } = await import('@covalence/seed/judgments/seeded-judgments');
    return seededJudgments(count, sitesIn(environment));
  },
});
const migrations = [
  ['auth', () => import('@covalence/auth/open-migrations')],
  ['profile', () => import('@covalence/profile/open-migrations')],
  ['search', () => import('@covalence/search/open-migrations')],
  ['billing', () => import('@covalence/billing/open-migrations')],
] as const;
addMigrateCommands(
  program,
  migrations.map(([service, module]) => ({
    service,
    environment: inService(service),
    load: async () => (await module()).openMigrations,
  })),
);
addEventsCommands(program, { environment: inService('updates') });
addPackagesCommands(program, () => environment);

process.exit(await runProgram(program, process.argv.slice(2)));
