import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ packageManager: z.string() });

/** The output of pnpm, whatever its exit code. */
export interface Said {
  readonly isDone: boolean;
  readonly out: string;
  /** Errors, but also notices. */
  readonly problem: string;
}

/** Runs the pnpm version that package.json names, without an installation. */
export function pnpm(folder: string, args: readonly string[]): Promise<Said> {
  const { packageManager } = manifestSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  return new Promise((resolve) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    execFile('npx', ['-y', packageManager, ...args], options, (error, out, problem) =>
      resolve({ isDone: !error, out, problem: problem || (error?.message ?? '') }),
    );
  });
}
