import { CommandError } from '@covalence/runtime/command-error';

/** What the system refuses (a full disk, a folder of somebody else) is for the person at the console to mend, too. */
const refusals = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** What a command shows of an error: one line for what a person can mend, the stack of a defect. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'Stopped.';
  const plain = error instanceof CommandError || ('code' in error && refusals.has(String(error.code)));
  return plain ? error.message : (error.stack ?? error.message);
}
