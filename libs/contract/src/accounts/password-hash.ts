const argon2id =
  /^\$argon2id\$v=(?:16|19)\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Limits of one comparison: memory in KiB, and memory times passes, about a second of work. */
const mostMemory = 262_144;
const mostWork = 1_048_576;
const bcryptCosts = { least: 4, most: 15 } as const;

function isArgon2id(text: string): boolean {
  const [, memory = 0, passes = 0, lanes = 0] = (argon2id.exec(text) ?? []).map(Number);
  const takes = memory <= mostMemory && memory * passes <= mostWork;
  return takes && passes >= 1 && lanes >= 1 && memory >= 8 * lanes;
}

/** Whether a text is a bcrypt hash: `$2a$`, `$2b$` or `$2y$`, cost 4 to 15. */
export function isBcrypt(text: string): boolean {
  const cost = Number(bcrypt.exec(text)?.[1] ?? 0);
  return cost >= bcryptCosts.least && cost <= bcryptCosts.most;
}

/** Whether a text is an argon2id or bcrypt hash whose parameters do not take too much time or memory. */
export function isPasswordHash(text: string): boolean {
  return isArgon2id(text) || isBcrypt(text);
}
