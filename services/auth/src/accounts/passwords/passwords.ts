import { isBcrypt } from '@covalence/contract/password-hash';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { createHashingLanes } from './hashing-queue.ts';
import { canonicalPassword } from './password-rules.ts';
import { parameters, type Comparison } from './password-worker.ts';

/** Checks, and new passwords, that may wait for a thread; more are refused with 503. */
const waiting = 300;

/** How much less urgent than the event loop a hash is (nice, 0 to 19): a sixth of its share where both want one core. */
const niceness = 8;

/** Compares a password with a hash; without a hash it takes as long and is false. */
export type Compare = (password: string, passwordHash: string | undefined) => Promise<boolean>;

/**
 * Hashing in low-priority threads. Sign-ins and new passwords wait in lanes of their own, in which clients take turns;
 * `client` is an address as `addressKey` gives it, or an account's id. 503 when too many wait.
 */
export interface Passwords {
  /** The hash of a new password. */
  hash(password: string, client?: string): Promise<string>;
  /** Runs work that compares passwords once its turn has come; at most as many such run at a time as there may be hashes. */
  inTurn<Result>(work: (compare: Compare) => Promise<Result>, client?: string): Promise<Result>;
  /** Ends the threads. */
  close(): Promise<void>;
}

const { memoryCost, timeCost, parallelism } = parameters;
const prefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;

/** No password has this hash: salt and digest of zeros. */
const nobodys = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether a hash was made with other parameters than today's, or came with an imported member as bcrypt. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(prefix);

// Beside this file, as a source or as a build.
const worker = fileURLToPath(new URL(`./password-worker${extname(import.meta.url)}`, import.meta.url));

/** Creates the hashing of one process, `atOnce` hashes at a time. */
export function createPasswords(atOnce: number): Passwords {
  const lanes = createHashingLanes(atOnce, waiting);
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
      // An imported hash was made of the password as it was typed then.
      spellings: [...new Set([canonicalPassword(password), password])],
      passwordHash: passwordHash ?? nobodys,
      isBcrypt: passwordHash !== undefined && isBcrypt(passwordHash),
    };
    const isRight = await threads.run(comparison, { name: 'comparePassword' });
    return isRight === true && passwordHash !== undefined;
  };
  return {
    inTurn: (work, client = '') => lanes.run('check', client, () => work(compare)),
    hash: (password, client = '') =>
      lanes.run('hash', client, async () =>
        String(await threads.run(canonicalPassword(password), { name: 'hashPassword' })),
      ),
    close: () => threads.destroy(),
  };
}
