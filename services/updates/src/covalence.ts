import { addEventsCommands } from '@covalence/events/events-command';
import { createProgram, runProgram } from '@covalence/runtime/command';

/** `covalence` in the image of this service: the commands that work on the broker. */
const program = createProgram(
  'covalence',
  'Operates the event queues with the environment of this container.',
);
addEventsCommands(program, { environment: () => process.env });
process.exit(await runProgram(program, process.argv.slice(2)));
