import type { Problem } from '@covalence/contract/failure';
import { CommandError } from '@covalence/runtime/command-error';

/** Settings that cannot be published as they are. */
export class InvalidSettings extends CommandError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, problem }) => `${path} ${problem}`).join('\n'));
    this.problems = problems;
  }
}
