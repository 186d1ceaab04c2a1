import { addEventsCommands } from '@covalence/events/events-command';
import { createProgram, runProgram } from '@covalence/runtime/command';

/** The `covalence` command of this service's image: the event queues. */
const program = createProgram(
  'covalence',
  'Operates the event queues with the environment of this container.',
);
addEventsCommands(program, { environment: () => process.env });
process.exit(await runProgram(program, process.argv.slice(2)));
