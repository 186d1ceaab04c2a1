import { addMigrateCommands } from '@covalence/migrations/migrate-command';
import { createProgram, runProgram } from '@covalence/runtime/command';
import { addIndexCommands } from './index/index-command.ts';
import { addJudgmentsCommands } from './judgments/judgments-command.ts';
import { addRelevanceCommand } from './workbench/relevance-command.ts';
import { addExperimentCommands } from './workbench/experiment-command.ts';
import { addSettingsCommands } from './workbench/settings-command.ts';
import { addUsageCommands } from './workbench/usage-command.ts';
import { openMigrations } from './open-migrations.ts';

/** The `covalence` command of this service's image. */
const program = createProgram(
  'covalence',
  'Operates the search service with the environment of this container.',
);
const environment = () => process.env;
addMigrateCommands(program, [{ service: 'search', environment, load: async () => openMigrations }]);
addIndexCommands(program, environment);
addSettingsCommands(program, { environment });
addRelevanceCommand(program, { environment });
addUsageCommands(program, { environment });
addExperimentCommands(program, { environment });
addJudgmentsCommands(program, { environment });
process.exit(await runProgram(program, process.argv.slice(2)));
