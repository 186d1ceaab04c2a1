import { execFile } from 'node:child_process';

/** The output of a command, and whether it succeeded. */
export interface CommandResult {
  readonly ok: boolean;
  /** Standard output, then standard error. */
  readonly output: string;
}

const largestOutputBytes = 16 * 1024 ** 2;

/** Runs a command for at most so many milliseconds; never rejects. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { environment: Record<string, string | undefined>; milliseconds: number; signal?: AbortSignal },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      {
        env: options.environment,
        timeout: options.milliseconds,
        maxBuffer: largestOutputBytes,
        ...(options.signal && { signal: options.signal }),
      },
      (error, stdout, stderr) =>
        resolve({ ok: error === null, output: `${stdout}${stderr}` || (error?.message ?? '') }),
    );
  });
}
