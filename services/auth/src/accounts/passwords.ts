import { unavailable } from '@covalence/contract/failure';
import { isBcrypt } from '@covalence/contract/password-hash';
import { hash, verify } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import pLimit from 'p-limit';

/** OWASP's parameters of argon2id: 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Tries waiting for a hash, beyond which more are refused with 503. */
const waiting = 300;

/** Compares a password with a hash; without a hash it takes as long and is false. */
export type Compare = (password: string, passwordHash: string | undefined) => Promise<boolean>;

/** Hashing off the event loop, bounded so that a wave of sign-ins cannot starve other work. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Runs work that compares passwords once its turn has come; at most as many such run at a time as there may be hashes. 503 when too many wait. */
  inTurn<Result>(work: (compare: Compare) => Promise<Result>): Promise<Result>;
}

/** The same password typed on different keyboards may be encoded differently. */
const canonical = (password: string) => password.normalize('NFKC');

/** Whether a hash was made with other parameters than today's, or came with an imported member as bcrypt. */
export function isOutdated(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = parameters;
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

const matches = (password: string, passwordHash: string): Promise<boolean> =>
  isBcrypt(passwordHash) ? verifyBcrypt(password, passwordHash) : verify(passwordHash, password);

/** Whether a password is the one of a hash; an imported hash was made of the password as it was typed then. */
async function fits(password: string, passwordHash: string): Promise<boolean> {
  const spellings = new Set([canonical(password), password]);
  for (const spelling of spellings) if (await matches(spelling, passwordHash)) return true;
  return false;
}

/** Creates the hashing of one process, `atOnce` hashes at a time. */
export function createPasswords(atOnce: number): Passwords {
  const limit = pLimit(atOnce);
  const unknown = hash('no account has this password', parameters);
  const compare: Compare = async (password, passwordHash) => {
    const isRight = await fits(password, passwordHash ?? (await unknown));
    return isRight && passwordHash !== undefined;
  };
  const inTurn = async <Result>(work: (compare: Compare) => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= waiting) throw unavailable(new Error('too many passwords wait to be checked'));
    return limit(work, compare);
  };
  return { inTurn, hash: (password) => inTurn(() => hash(canonical(password), parameters)) };
}
