import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../src/checkout.ts';
import { clearData } from '../../src/processes/clear-data.ts';
import { keptInstance } from '../../src/services/instance.ts';

describe('npm start -- --reset', () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'covalence-clear-'));
    for (const name of ['engines', 'services', 'letters']) mkdirSync(join(path, name));
    writeFileSync(join(path, 'services', 'work.ts'), '');
  });
  afterEach(() => rmSync(path, { recursive: true }));

  it('deletes what the stack keeps in its folder, and nothing else', () => {
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
