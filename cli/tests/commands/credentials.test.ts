import { internalCallers } from '@covalence/contract/peers/callers';
import { serviceKeys } from '@covalence/runtime/config';
import { publicTextOf } from '@covalence/runtime/service-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';

const valueIn = (file: string, name: string) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? '';

describe('covalence credentials', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'covalence-credentials-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const example = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(`${file}.example`, text);
    return file;
  };

  it('fills examples with matching keys and the same password for each name', async () => {
    const one = example(
      'one.env',
      'A={{key auth}}\nKEYS={{public-keys}}\nP=redis://:{{password redis}}@redis\n',
    );
    const two = example('two.env', '# a comment\nP={{password redis}}\nQ={{password other}}\n');
    const filled = await runCommand(['credentials', 'fill', `${one}.example`, `${two}.example`]);
    expect(filled).toEqual({ code: 0, out: `${one}\n${two}`, problem: '' });
    const keys = serviceKeys.SERVICE_PUBLIC_KEYS.parse(valueIn(one, 'KEYS'));
    expect(keys.map(({ caller }) => caller)).toEqual(internalCallers);
    expect(keys[0]?.key).toBe(publicTextOf(valueIn(one, 'A')));
    const password = valueIn(two, 'P');
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(valueIn(one, 'P')).toBe(`redis://:${password}@redis`);
    expect(valueIn(two, 'Q')).not.toBe(password);
    expect([one, two].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('overwrites no file, and writes none when one exists', async () => {
    const there = example('there.env', 'A={{password a}}\n');
    writeFileSync(there, 'kept');
    const other = example('other.env', 'A={{password a}}\n');
    const refused = await runCommand(['credentials', 'fill', `${other}.example`, `${there}.example`]);
    expect(refused).toMatchObject({ code: 1, problem: `${there} exists already and is not overwritten.` });
    expect(readFileSync(there, 'utf8')).toBe('kept');
    expect(() => statSync(other)).toThrow('ENOENT');
    const odd = example('odd.env', 'A={{key nobody}}\n');
    expect((await runCommand(['credentials', 'fill', `${odd}.example`])).problem).toMatch(
      /'\{\{key nobody}}'/,
    );
  });

  it('creates a key for a caller and prints its public entry', async () => {
    const { code, out } = await runCommand(['credentials', 'new', 'staff-cli']);
    const [, secret = '', entry] = /^private {2}(\S+)\npublic {3}(\S+)$/.exec(out) ?? [];
    expect([code, entry]).toEqual([0, `staff-cli:${publicTextOf(secret)}`]);
    expect((await runCommand(['credentials', 'new', 'nobody'])).problem).toMatch(
      /^'nobody' is not a caller: auth, /,
    );
    expect((await runCommand(['credentials'])).code).toBe(64);
  });
});
