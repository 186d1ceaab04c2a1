import { isBcrypt } from '@covalence/contract/password-hash';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { createHashingQueue } from './hashing-queue.ts';
import { canonicalPassword } from './password-rules.ts';
import { parameters, type Comparison } from './password-worker.ts';

/** Waiting jobs per queue; more get 503. */
const capacity = 300;

/** Priority of hashing threads (nice, 0 to 19): a sixth of the event loop's share of a busy core. */
const niceness = 8;

/** Compares a password with a hash. Without a hash it takes as long and is false. */
export type Compare = (password: string, passwordHash: string | undefined) => Promise<boolean>;

const { memoryCost, timeCost, parallelism } = parameters;
const prefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;

/** A hash that no password has: salt and digest are zeros. */
const dummyHash = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether a hash has former parameters, or is the bcrypt hash of an imported member. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(prefix);

// Beside this file, in src and dist.
const worker = fileURLToPath(new URL(`./password-worker${extname(import.meta.url)}`, import.meta.url));

/** Creates the hashing of one process with `atOnce` threads. */
export function createPasswords(atOnce: number) {
  const queue = createHashingQueue(atOnce, capacity);
  const threads = new Piscina<string | Comparison, unknown>({
    filename: worker,
    minThreads: 0,
    maxThreads: atOnce,
    concurrentTasksPerWorker: 1,
    idleTimeout: 60_000,
    niceIncrement: niceness,
  });
  const compare: Compare = async (password, passwordHash) => {
    const comparison: Comparison = {
      // An imported hash is of the password without normalization.
      spellings: [...new Set([canonicalPassword(password), password])],
      passwordHash: passwordHash ?? dummyHash,
      isBcrypt: passwordHash !== undefined && isBcrypt(passwordHash),
    };
    const isRight = await threads.run(comparison, { name: 'comparePassword' });
    return isRight === true && passwordHash !== undefined;
  };
  return {
    /** Runs a job that compares passwords. */
    inTurn: <Result>(work: (compare: Compare) => Promise<Result>, client?: string): Promise<Result> =>
      queue.run('check', client ?? '', () => work(compare)),
    /** Hashes a new password. */
    hash: (password: string, client?: string): Promise<string> =>
      queue.run('hash', client ?? '', async () =>
        String(await threads.run(canonicalPassword(password), { name: 'hashPassword' })),
      ),
    /** Stops the threads. */
    close: () => threads.destroy(),
  };
}

/** Password hashing in low-priority threads with fair queues per client; 503 when they are full. */
export type Passwords = ReturnType<typeof createPasswords>;
