import { runProgram } from '@covalence/runtime/command';
import { buildProgram } from './program.ts';

/** The command `covalence`. */
const args = process.argv.slice(2);
process.exit(await runProgram(await buildProgram(args, process.env), args));
