import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceUnavailable } from '@covalence/runtime/command-error';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFile, type FileImport } from '../../src/members/import-file.ts';
import { readReport, writeLines } from './import-files.ts';

const person = (name: string, parameters: object = {}) => ({
  external_id: name,
  siteid: 1,
  username: name,
  email: `${name}@old.example`,
  ...parameters,
});

/** A profile service that takes everything, and keeps who was imported. */
const createProfile = () => {
  const there = new Map<string, object>();
  const calls: string[] = [];
  let failing = 0;
  const answer = (members: readonly { member_id: string }[], ids: readonly string[]) => ({
    imported: members
      .filter(({ member_id }) => there.has(member_id) || ids.includes(member_id))
      .map(({ member_id }) => ({
        member_id,
        id: 1,
        added: ids.includes(member_id),
        changed: false,
        ignored: [] as string[],
      })),
    refused: [],
  });
  return {
    calls,
    /** Makes the service unavailable from that call on. */
    failFrom: (call: number) => void (failing = call),
    profile: {
      importMembers: ({ members }) => {
        calls.push('import');
        if (failing && calls.length >= failing) return Promise.reject(new ServiceUnavailable('away'));
        const fresh = members.map(({ member_id }) => member_id).filter((id) => !there.has(id));
        const outcome = answer(members, fresh);
        for (const each of members) there.set(each.member_id, each);
        return Promise.resolve(outcome);
      },
      checkImport: ({ members }) => {
        calls.push('check');
        return Promise.resolve(answer(members, []));
      },
    } as FileImport['profile'],
  };
};

const run = (
  file: string,
  profile: FileImport['profile'],
  mode: FileImport['mode'] = 'add',
  progress: FileImport['progress'] = () => {},
) => importFile({ file, mode, profile, target: 'test', progress, retryLimitMs: 0 });
const linesIn = (file: string, kind?: string) => readReport(file, kind).lines.map(({ line }) => line);
const counts = async (result: ReturnType<typeof run>) => {
  const { lines, added, changed, there, refused } = await result;
  expect(added + changed + there + refused).toBe(lines);
  return { added, there, refused };
};

/** Runs an import that ends after its first batch. */
const interrupt = async (
  file: string,
  service: ReturnType<typeof createProfile>,
  mode: FileImport['mode'],
) => {
  service.failFrom(2);
  await expect(run(file, service.profile, mode)).rejects.toThrow('away');
  service.failFrom(0);
};

describe('an import of a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'covalence-import-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fileOf = (name: string, lines: readonly (object | string)[]) => writeLines(folder, name, lines);

  const many = Array.from({ length: 1_100 }, (_, index) => person(`many${index}`));

  it('continues after a check of the same file, with the whole report', async () => {
    const lines: (object | string)[] = [...many];
    lines[2] = '{"half';
    lines[1_000] = '[1]';
    const file = fileOf('interrupted.ndjson', lines);
    const service = createProfile();
    await interrupt(file, service, 'add');
    expect(await counts(run(file, service.profile, 'check'))).toEqual({ added: 598, there: 500, refused: 2 });
    expect(linesIn(file, 'check-report')).toEqual([3, 1_001]);
    expect(await counts(run(file, service.profile))).toEqual({ added: 1_098, there: 0, refused: 2 });
    expect(linesIn(file)).toEqual([3, 1_001]);
    expect(existsSync(`${file}.state`)).toBe(false);
  });

  it('starts again where the report of an interrupted import is gone', async () => {
    const file = fileOf('reportless.ndjson', ['{"half', ...many]);
    const service = createProfile();
    await interrupt(file, service, 'add');
    rmSync(`${file}.report`);
    expect(await counts(run(file, service.profile))).toEqual({ added: 600, there: 500, refused: 1 });
    expect(linesIn(file)).toEqual([1]);
  });

  it('counts each line once in a check, also of members that are there', async () => {
    const service = createProfile();
    const [ada, bea] = [person('ada'), person('bea')];
    await run(fileOf('there.ndjson', [ada, bea]), service.profile);
    const cleo = person('cleo');
    const file = fileOf('checked.ndjson', [
      ada,
      { ...bea, email: ada.email },
      { ...bea, username: 'bea2' },
      cleo,
      person('dora', { username: 'CLEO', email: cleo.email }),
    ]);
    expect(await counts(run(file, service.profile, 'check'))).toEqual({ added: 1, there: 2, refused: 2 });
    expect(readReport(file, 'check-report').lines).toEqual([
      { line: 3, external_id: 'bea', failcode: [], reason: 'external_id: that of line 2' },
      {
        line: 5,
        external_id: 'dora',
        failcode: [],
        reason: 'username: that of line 4; email: that of line 4',
      },
    ]);
  });

  it.each(['add', 'update', 'check'] as const)(
    'refuses a line with the external_id of an earlier one, also after an interruption (%s)',
    async (mode) => {
      const service = createProfile();
      const file = fileOf(`duplicate-${mode}.ndjson`, [
        ...many,
        person('many7', { height: 170 }),
        many[8] ?? {},
      ]);
      if (mode !== 'check') await interrupt(file, service, mode);
      expect(await counts(run(file, service.profile, mode))).toMatchObject({ added: 1_100, refused: 2 });
      const { lines } = readReport(file, mode === 'check' ? 'check-report' : 'report');
      expect(lines.map(({ reason }) => reason)).toEqual([
        'external_id: that of line 8',
        'external_id: that of line 9',
      ]);
    },
  );

  it('ends where a process on another machine has taken over', async () => {
    const service = createProfile();
    const file = fileOf('shared.ndjson', many);
    let isTaken = false;
    const takeOver = () => {
      if (isTaken) return;
      isTaken = true;
      const state = JSON.parse(readFileSync(`${file}.state`, 'utf8')) as object;
      writeFileSync(`${file}.state`, JSON.stringify({ ...state, run: 'another' }));
    };
    await expect(run(file, service.profile, 'add', takeOver)).rejects.toThrow(
      `${file} is being imported by another process.`,
    );
    expect(JSON.parse(readFileSync(`${file}.state`, 'utf8'))).toMatchObject({ run: 'another', lines: 0 });
  });

  it('names what an update does not change, and refuses nothing', async () => {
    const service = createProfile();
    const file = fileOf('ignored.ndjson', [person('dora')]);
    const profile: FileImport['profile'] = {
      ...service.profile,
      async importMembers(input) {
        const { imported, refused } = await service.profile.importMembers(input);
        return {
          imported: imported.map((one) => ({ ...one, added: false, ignored: ['email', 'username'] })),
          refused,
        };
      },
    };
    const done = await run(file, profile, 'update');
    expect(done).toMatchObject({ there: 1, refused: 0, ignored: 1 });
    const reason = 'not changed by an update: email, username';
    expect(readReport(file)).toEqual({
      lines: [{ line: 1, external_id: 'dora', failcode: [], reason }],
      reasons: { [reason]: 1 },
    });
  });
});
