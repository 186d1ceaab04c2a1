import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../src/checkout.ts';
import { clearData } from '../../src/processes/clear-data.ts';
import { keptInstance } from '../../src/services/instance.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('npm start -- --reset', () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'covalence-clear-'));
    for (const name of ['engines', 'services', 'letters']) mkdirSync(join(path, name));
    writeFileSync(join(path, 'services', 'work.ts'), '');
  });
  afterEach(() => rmSync(path, { recursive: true }));

  it('deletes only files of the stack', () => {
    const data = dataFolder(path);
    keptInstance(data.instanceFile);
    clearData(data);
    expect(readdirSync(path)).toEqual(['letters']);
    clearData(data);
  });

  it('deletes nothing in a folder that is not the data of a stack', () => {
    expect(() => clearData(dataFolder(path))).toThrow(`${path} is not the data of a stack`);
    expect(readdirSync(path)).toEqual(['engines', 'letters', 'services']);
    expect(readdirSync(join(path, 'services'))).toEqual(['work.ts']);
  });
});

describe('a data folder', () => {
  let parent: string;
  beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'covalence-data-'))));
  afterEach(() => rmSync(parent, { recursive: true }));

  it('is accessible only to its owner, like its instance file', () => {
    const { path, instanceFile } = dataFolder(join(parent, 'data'));
    keptInstance(instanceFile);
    expect([modeOf(path), modeOf(instanceFile)]).toEqual([0o700, 0o600]);
    // Earlier versions let everybody read it. A folder that is no data folder yet may have other uses.
    chmodSync(path, 0o755);
    expect(modeOf(dataFolder(path).path)).toBe(0o700);
    chmodSync(parent, 0o755);
    expect(modeOf(dataFolder(parent).path)).toBe(0o755);
  });
});
