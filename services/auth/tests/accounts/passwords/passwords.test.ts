import { afterAll, describe, expect, it } from '@jest/globals';
import { verify } from '@node-rs/argon2';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { createPasswords, isOutdated } from '../../../src/accounts/passwords/passwords.ts';

/** The niceness of every thread of this process (proc_pid_stat(5)). */
const niceness = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[16]);
  });

describe('passwords', () => {
  const passwords = createPasswords(2);
  afterAll(() => passwords.close());
  const compare = (password: string, passwordHash: string | undefined) =>
    passwords.inTurn((check) => check(password, passwordHash));

  it('are hashed with argon2id and match in every Unicode encoding', async () => {
    const kept = await passwords.hash('caf\u00e9 violet');
    expect(isOutdated(kept)).toBe(false);
    expect(await verify(kept, 'caf\u00e9 violet')).toBe(true);
    expect(await compare('cafe\u0301 violet', kept)).toBe(true);
    expect(await compare('cafe violet', kept)).toBe(false);
  });

  it('never match without a hash', async () => {
    expect(await compare('violet-harbour-42', undefined)).toBe(false);
    expect(await compare('', undefined)).toBe(false);
  });

  it('are hashed in low-priority threads', async () => {
    await passwords.hash('violet-harbour-42');
    const own = getPriority();
    expect(niceness()).toContain(own);
    expect(niceness()).toContain(Math.min(own + 8, 19));
  });
});
