import { createProgram, type Command } from '@covalence/runtime/command';
import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { defaultData, root } from '@covalence/stack/checkout';
import { sitesFileIn, sitesIn } from '@covalence/stack/services/service-environment';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { resolve } from 'node:path';
import { environmentOf, type CommandContext } from './command-context.ts';
import { addOperatorAction, addOperatorGroup } from './operator-command.ts';

const migrations = [
  ['auth', () => import('@covalence/auth/open-migrations')],
  ['profile', () => import('@covalence/profile/open-migrations')],
  ['search', () => import('@covalence/search/open-migrations')],
  ['billing', () => import('@covalence/billing/open-migrations')],
] as const;

/** Functions that add each group of commands to the program. */
function groupsOf(
  program: Command,
  context: CommandContext,
): Readonly<Record<string, () => Promise<unknown>>> {
  const { environment } = context;
  const inService = (service: ServiceName) => () => environmentOf(service, context);
  const inSearch = async () => ({
    withService: (await import('@covalence/search/with-service')).withServiceIn(inService('search')),
    folder: context.workingFolder,
  });
  return {
    clients: async () => addOperatorGroup(program, (await import('./commands/clients.ts')).clients, context),
    staff: async () => addOperatorGroup(program, (await import('./commands/staff.ts')).staff, context),
    keys: async () => addOperatorGroup(program, (await import('./commands/keys.ts')).keys, context),
    members: async () => addOperatorGroup(program, (await import('./commands/members.ts')).members, context),
    operations: async () =>
      addOperatorAction(program, (await import('./commands/operations.ts')).operations, context),
    backup: async () => (await import('./commands/backup.ts')).addBackupCommands(program, context),
    restore: async () => (await import('./commands/backup.ts')).addRestoreCommand(program, context),
    credentials: async () =>
      (await import('./commands/credentials.ts')).addCredentialsCommands(program, context),
    index: async () =>
      (await import('@covalence/search/index/maintenance/index-command')).addIndexCommands(
        program,
        await inSearch(),
      ),
    'search-settings': async () => {
      (await import('@covalence/search/workbench/settings-command')).addSettingsCommands(
        program,
        await inSearch(),
      );
      addOperatorGroup(program, (await import('./search/compare.ts')).searchSettings, context);
    },
    usage: async () =>
      (await import('@covalence/search/workbench/usage-command')).addUsageCommands(program, await inSearch()),
    experiment: async () =>
      (await import('@covalence/search/workbench/experiment-command')).addExperimentCommands(
        program,
        await inSearch(),
      ),
    judgments: async () => {
      (await import('@covalence/search/judgments/judgments-command')).addJudgmentsCommands(
        program,
        await inSearch(),
      );
      addOperatorGroup(program, (await import('./search/judgments.ts')).judgments, context);
    },
    relevance: async () =>
      (await import('@covalence/search/workbench/relevance-command')).addRelevanceCommand(program, {
        withLab: (await import('@covalence/search/with-service')).withLabIn((needs) =>
          needs === 'elasticsearch' && environment['ELASTICSEARCH_URL']
            ? { SITES_FILE: sitesFileIn(environment), ...environment }
            : environmentOf('search', context),
        ),
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
        async record(call, about) {
          await (await import('./commands/record-command.ts')).recordCommand(context, call, about);
        },
      }),
    packages: async () =>
      (await import('@covalence/billing/check/packages-command')).addPackagesCommands(
        program,
        () => environment,
      ),
  };
}

/**
 * Creates the program `covalence` with the groups of commands that the arguments name, or with all: that is enough, and
 * loading every driver takes most of a call.
 */
export async function buildProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Command> {
  const program = createProgram(
    'covalence',
    'Operates the local stack that npm start runs, or the system that the environment names (docs/commands.md).',
  );
  program.option('--data <folder>', 'data folder of the local stack (default .data)');
  const environment = withoutEmptyVariables(env);
  const groups = groupsOf(program, {
    environment,
    dataFolder: () => resolve(root, program.opts<{ data?: string }>().data ?? defaultData),
    // pnpm runs scripts in the checkout and passes the caller's folder in INIT_CWD.
    workingFolder: environment['INIT_CWD'] ?? process.cwd(),
  });
  const named = Object.keys(groups).filter((name) => args.includes(name));
  for (const name of named.length ? named : Object.keys(groups)) await groups[name]?.();
  return program;
}
