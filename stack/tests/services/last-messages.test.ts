import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastMessages } from '../../src/services/last-messages.ts';

const entry = (level: number, msg: string, problem?: string) =>
  JSON.stringify({ level, msg, ...(problem && { err: { message: problem } }) });

describe('the last messages of a log', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'covalence-log-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const said = (lines: readonly string[], from = 0) => {
    const file = join(folder, 'auth.log');
    writeFileSync(file, `${lines.join('\n')}\n`);
    return lastMessages(file, from).replace(` (${file})`, '');
  };

  it.each([
    ['the last problem before anything else', [entry(60, 'start failed', 'port taken'), entry(30, 'bye')]],
    ['problems without the stack of a crash', ['Error: port taken', '    at listen (net.js:1)', '}']],
  ])('is %s', (_name, lines) => expect(said(lines)).toMatch(/^(start failed|Error): port taken$/));

  it('are the last lines without a problem, and nothing for an empty log', () => {
    expect(said([entry(30, 'listening'), entry(30, 'shutting down')])).toBe('listening | shutting down');
    expect(said([])).toBe('nothing');
  });

  it('leave out earlier runs', () => {
    const old = entry(50, 'old trouble');
    expect(said([old, entry(30, 'listening')], old.length + 1)).toBe('listening');
  });
});
