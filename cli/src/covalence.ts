import { createProgram, runProgram } from '@covalence/runtime/command';
import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { defaultData, root } from '@covalence/stack/checkout';
import { sitesFileIn, sitesIn } from '@covalence/stack/services/service-environment';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { resolve } from 'node:path';
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

const inService = (service: ServiceName) => () => environmentOf(service, context);
const migrations = [
  ['auth', () => import('@covalence/auth/open-migrations')],
  ['profile', () => import('@covalence/profile/open-migrations')],
  ['search', () => import('@covalence/search/open-migrations')],
  ['billing', () => import('@covalence/billing/open-migrations')],
] as const;

/** How each group of commands is added to the program. */
const groups: Readonly<Record<string, () => Promise<unknown>>> = {
  clients: async () => addOperatorCommand(program, (await import('./commands/clients.ts')).clients, context),
  staff: async () => addOperatorCommand(program, (await import('./commands/staff.ts')).staff, context),
  keys: async () => addOperatorCommand(program, (await import('./commands/keys.ts')).keys, context),
  members: async () => addOperatorCommand(program, (await import('./commands/members.ts')).members, context),
  credentials: async () =>
    (await import('./commands/credentials.ts')).addCredentialsCommands(program, context),
  index: async () =>
    (await import('@covalence/search/index/index-command')).addIndexCommands(program, inService('search')),
  'search-settings': async () =>
    (await import('@covalence/search/workbench/settings-command')).addSettingsCommands(program, {
      environment: inService('search'),
      folder: context.workingFolder,
    }),
  usage: async () =>
    (await import('@covalence/search/workbench/usage-command')).addUsageCommands(program, {
      environment: inService('search'),
    }),
  experiment: async () =>
    (await import('@covalence/search/workbench/experiment-command')).addExperimentCommands(program, {
      environment: inService('search'),
      folder: context.workingFolder,
    }),
  relevance: async () =>
    (await import('@covalence/search/workbench/relevance-command')).addRelevanceCommand(program, {
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
    }),
  migrate: async () =>
    (await import('@covalence/migrations/migrate-command')).addMigrateCommands(
      program,
      migrations.map(([service, module]) => ({
        service,
        environment: inService(service),
        load: async () => (await module()).openMigrations,
      })),
    ),
  events: async () =>
    (await import('@covalence/events/events-command')).addEventsCommands(program, {
      environment: inService('updates'),
    }),
  packages: async () =>
    (await import('@covalence/billing/check/packages-command')).addPackagesCommands(
      program,
      () => environment,
    ),
};

// The groups that the arguments name are enough; the help of the program lists all. Loading every driver takes most of a call.
const args = process.argv.slice(2);
const named = Object.keys(groups).filter((name) => args.includes(name));
for (const name of named.length ? named : Object.keys(groups)) await groups[name]?.();

process.exit(await runProgram(program, args));
