import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { lockAddress, takeLock } from '@covalence/stack/engines/socket-lock';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { startCommandStack, type CommandStack } from '../command-stack.ts';
import { runCommand, startCommand } from '../run-command.ts';
import { readReport, writeLines } from './import-files.ts';
import { staffCases } from '../staff/staff-cases.ts';

let counter = 0;
const person = (parameters: object = {}) => {
  counter += 1;
  return {
    external_id: `crm-${counter}`,
    siteid: 1,
    username: `person${counter}`,
    email: `person${counter}@old.example`,
    gender: 'Female',
    gender_preference: 'Male',
    date_of_birth: '1991-02-03',
    country: 'US',
    zip: '78701',
    userstatus: 'approved',
    ...parameters,
  };
};

const byName = ({ username }: { username: string }) => ({ 'fields.username': username });

/** Commands that need auth and profile, on a stack of their own. */
describe('covalence members and covalence staff', () => {
  let folder: string;
  let stack: CommandStack;
  let collectionOf: CommandStack['collectionOf'];
  beforeAll(async () => {
    stack = await startCommandStack(['auth', 'profile', 'billing']);
    ({ folder, collectionOf } = stack);
  });
  afterAll(() => stack?.close());

  const local = (...args: string[]) => runCommand([...args, '--data', folder]);
  const fileOf = (name: string, lines: readonly (object | string)[]) => writeLines(folder, name, lines);
  /** The ids of what a collection of a service holds. */
  const idsIn = async (service: ServiceName, name: string, field: string, filter: object) => {
    const found = await collectionOf(service, name, (collection) => collection.find(filter).toArray());
    return found.map((each) => String(each[field])).toSorted();
  };
  const accountIds = () => idsIn('auth', 'accounts', '_id', { staff: false, status: 'active' });
  const memberIds = () => idsIn('profile', 'members', 'member_id', {});

  it('continues after kill -9; every member has an account and every account a member', async () => {
    const people = Array.from({ length: 2_200 }, () => person());
    const file = fileOf('killed.ndjson', [...people.slice(0, 700), '{"half', ...people.slice(700)]);
    const child = startCommand(['members', 'import', file, '--data', folder]);
    const ended = new Promise((resolve) => child.once('close', resolve));
    const done = () =>
      existsSync(`${file}.state`) ? Number(JSON.parse(readFileSync(`${file}.state`, 'utf8')).lines) : 0;
    await until('the first batch', () => done() > 0);
    child.kill('SIGKILL');
    await ended;
    const lines = done();
    expect(lines).toBeLessThan(2_201);

    const again = await local('members', 'import', file);
    expect(again.out).toMatch(new RegExp(`^Continuing after line ${lines.toLocaleString('en-US')}\\.`));
    expect(again.code).toBe(1);
    expect(again.problem).toMatch(
      /^2,201 lines: [\d,]+ members added, [\d,]+ already there, 1 refused\. .*\.report names/,
    );
    expect(readReport(file).lines).toEqual([
      { line: 701, external_id: null, failcode: [], reason: 'not JSON' },
    ]);
    expect(existsSync(`${file}.state`)).toBe(false);
    const members = await memberIds();
    expect(members).toHaveLength(people.length);
    expect(await accountIds()).toEqual(members);
  });

  it('changes nothing when it is repeated, and imports corrected lines', async () => {
    const [good, young, again] = [person(), person({ date_of_birth: '2015-01-01' }), person()];
    const lines = (middle: object) => ['', good, middle, { ...again, external_id: 17 }, ''];
    const file = fileOf('repeated.ndjson', lines(young));
    const first = await local('members', 'import', file);
    expect(first.problem).toMatch(/^5 lines: 2 members added, 0 already there, 1 refused\./);
    expect(readReport(file).lines).toEqual([
      {
        line: 3,
        external_id: young.external_id,
        failcode: [10402],
        reason: 'date_of_birth: minimum age not met',
      },
    ]);
    fileOf('repeated.ndjson', lines({ ...young, date_of_birth: '1985-01-01' }));
    expect(await local('members', 'import', file)).toEqual({
      code: 0,
      out: '5 lines: 1 member added, 2 already there, 0 refused.',
      problem: '',
    });
    expect(existsSync(`${file}.report`)).toBe(false);
  });

  it('reports each bad line with its number, id, codes and fields', async () => {
    const taken = person();
    const file = fileOf('bad.ndjson', [
      taken,
      person({ siteid: 77, external_id: 'x' }),
      '[1]',
      '{"siteid":1}',
      person({ external_id: 'y', username: taken.username, gender: 'x' }),
      person({ external_id: 'z', email: taken.email.toUpperCase() }),
      `{"external_id":"long","about_me":"${'x'.repeat(1024 * 1024)}"}`,
      person({ external_id: 'w', smoking: 11, 'Favorite-Dinosaur': 'rex', height: 20 }),
      person({ external_id: 'v', siteid: 77 }),
      person({ external_id: 'u', email: undefined, userstatus: 'nice', password: 'in clear' }),
    ]);
    const { problem } = await local('members', 'import', file);
    expect(readReport(file).lines).toEqual([
      { line: 2, external_id: 'x', failcode: [], reason: 'unknown siteid' },
      { line: 3, external_id: null, failcode: [], reason: 'not a JSON object' },
      { line: 4, external_id: null, failcode: [], reason: expect.stringContaining('external_id is missing') },
      { line: 5, external_id: 'y', failcode: [10001], reason: 'gender: gender not `Male` or `Female`' },
      { line: 6, external_id: 'z', failcode: [10302], reason: 'email already in use' },
      { line: 7, external_id: null, failcode: [], reason: 'longer than 1 MiB' },
      {
        line: 8,
        external_id: 'w',
        failcode: [20901, 10000],
        reason: 'smoking: 10, 20, 30, 40; favorite_dinosaur: unknown field; height: 120 to 230',
      },
      { line: 9, external_id: 'v', failcode: [], reason: 'unknown siteid' },
      {
        line: 10,
        external_id: 'u',
        failcode: expect.anything(),
        reason:
          'email: required; password: password_hash as argon2id or bcrypt, never a password; userstatus: new, approved, rejected',
      },
    ]);
    expect(Object.entries(readReport(file).reasons)[0]).toEqual(['unknown siteid', 2]);
    expect(problem.split('\n')[1]).toBe('2 × unknown siteid');
  });

  it('checks a file without writing, and finds names that are taken', async () => {
    const there = person();
    await local('members', 'import', fileOf('there.ndjson', [there]));
    const before = await memberIds();
    const good = [there, person(), person()];
    const file = fileOf('checked.ndjson', [
      ...good,
      person({ height: 20 }),
      person({ email: there.email }),
      person({ UserName: good[1]?.username.toUpperCase() }),
    ]);
    const checked = await local('members', 'import', file, '--check');
    expect(checked.problem).toMatch(/^6 lines: 2 members can be added, 1 already there, 3 refused\./);
    expect(readReport(file, 'check-report').lines.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'height: 120 to 230'],
      [5, 'email already in use'],
      [6, 'username: that of line 2'],
    ]);
    expect(existsSync(`${file}.state`)).toBe(false);
    expect(await memberIds()).toEqual(before);
    expect(await accountIds()).toEqual(before);
    const fine = await local('members', 'import', fileOf('fine.ndjson', good), '--check');
    expect(fine.out).toBe('3 lines: 2 members can be added, 1 already there, 0 refused.');
  });

  it('applies changed lines with --update, and no others', async () => {
    const [tall, same] = [person({ height: 170 }), person({ height: 171 })];
    await local('members', 'import', fileOf('update.ndjson', [tall, same]));
    const heightOf = (who: { username: string }) =>
      collectionOf(
        'profile',
        'members',
        async (members) => (await members.findOne(byName(who)))?.['fields'].height,
      );
    // A field that the member changed since stays: the line did not change.
    await collectionOf('profile', 'members', (members) =>
      members.updateOne(byName(same), { $set: { 'fields.height': 160 } }),
    );
    const file = fileOf('update.ndjson', [
      { ...tall, height: 180, email: 'new@old.example' },
      same,
      person(),
    ]);
    const updated = await local('members', 'import', file, '--update');
    expect(updated).toMatchObject({ code: 0, problem: '' });
    expect(updated.out.split('\n')).toEqual([
      `3 lines: 1 member added, 1 changed, 1 already there, 0 refused. ${file}.report names each with the reason.`,
      '1 × not changed by an update: email',
    ]);
    expect([await heightOf(tall), await heightOf(same)]).toEqual([180, 160]);
    const again = await local('members', 'import', file, '--update');
    expect(again.out).toBe('3 lines: 0 members added, 0 changed, 3 already there, 0 refused.');
    const wrong = fileOf('update.ndjson', [{ ...tall, height: 20 }]);
    const bad = await local('members', 'import', wrong, '--update');
    expect(bad.problem).toMatch(/0 changed, 0 already there, 1 refused/);
    expect(await heightOf(tall)).toBe(180);
  });

  it('refuses a second import of a file that is being imported', async () => {
    const file = fileOf('twice.ndjson', [person()]);
    const first = await takeLock(lockAddress('import', realpathSync(file)));
    const { code, problem } = await local('members', 'import', file);
    expect([code, problem]).toEqual([1, `${file} is being imported by another process.`]);
    first?.close();
    const { out } = await local('members', 'import', file);
    expect(out).toBe('1 line: 1 member added, 0 already there, 0 refused.');
  });

  it('takes one of --check and --update', async () => {
    const both = await local('members', 'import', fileOf('both.ndjson', [person()]), '--check', '--update');
    expect(both).toMatchObject({ code: 64, problem: '--check and --update exclude each other.' });
  });

  staffCases(() => ({ stack, person }));
});
