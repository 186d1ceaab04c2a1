import { runServiceCommand } from '@covalence/migrations/migrate-command';
import { addIndexCommands } from './index/maintenance/index-command.ts';
import { addJudgmentsCommands } from './judgments/judgments-command.ts';
import { addRelevanceCommand } from './workbench/relevance-command.ts';
import { addExperimentCommands } from './workbench/experiment-command.ts';
import { addSettingsCommands } from './workbench/settings-command.ts';
import { addUsageCommands } from './workbench/usage-command.ts';
import { openMigrations } from './open-migrations.ts';
import { withLabIn, withServiceIn } from './with-service.ts';

/** The `covalence` command of this service's image. */
await runServiceCommand('search', openMigrations, (program, environment) => {
  const settings = { withService: withServiceIn(environment) };
  addIndexCommands(program, settings);
  addSettingsCommands(program, settings);
  addRelevanceCommand(program, { withLab: withLabIn(environment) });
  addUsageCommands(program, settings);
  addExperimentCommands(program, settings);
  addJudgmentsCommands(program, settings);
});
