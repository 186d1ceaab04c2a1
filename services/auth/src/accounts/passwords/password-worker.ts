import { hashSync, verifySync } from '@node-rs/argon2';
import { verifySync as verifyBcryptSync } from '@node-rs/bcrypt';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
export const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A comparison of an entered password, in its possible encodings, with a hash. */
export interface Comparison {
  readonly spellings: readonly string[];
  readonly passwordHash: string;
  /** Otherwise argon2id. */
  readonly isBcrypt: boolean;
}

/** Hashes a password in a worker thread; piscina calls it by name. */
export const hashPassword = (password: string): string => hashSync(password, parameters);

/** Compares a password in a worker thread. */
export function comparePassword({ spellings, passwordHash, isBcrypt }: Comparison): boolean {
  return spellings.some((spelling) =>
    isBcrypt ? verifyBcryptSync(spelling, passwordHash) : verifySync(passwordHash, spelling),
  );
}
