import { everySite } from '@covalence/contract/staff-roles';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSearchCommand } from '../support/commands.ts';
import { as, male, registerMember, type TestMember } from '../support/members.ts';
import type { System } from '../support/system.ts';

const uuid = /^[\da-f-]{36}\n$/;
const shippedRelevance = new URL('../../../services/search/settings/relevance.json', import.meta.url);

/** Tests of commands that call the search service for a staff account. */
export function searchCommandCases(system: () => System): void {
  describe('commands of the search team', () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-commands-'));
    let stack: System;
    let searcher: TestMember;
    let found: TestMember;
    let staff: ReturnType<typeof as>;
    beforeAll(async () => {
      stack = system();
      const auth = stack.peer('auth');
      const username = 'tunes-search';
      const roles = { [everySite]: ['search' as const] };
      await auth.createStaff({ username, password: 'copper-lantern-7', roles });
      staff = as(stack.url, { tokens: await auth.issueStaffToken({ username }) });
      searcher = await registerMember(stack.url, stack.demo, male);
      found = await registerMember(stack.url, stack.demo);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const command = (...args: string[]) => runSearchCommand(stack, ...args, '--as', 'tunes-search');
    const write = (name: string, content: object): string => {
      const path = join(folder, name);
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const criteria = { age: { from: 18, to: 99 }, smoking: { value: 10 } };

    it('compare one search under the settings in force and changed ones', async () => {
      const shipped = JSON.parse(readFileSync(shippedRelevance, 'utf8')) as { version?: number };
      delete shipped.version;
      const relevance = { ...shipped, weights: { smoking: 8 } };
      const settings = write('settings.json', { version: 7, relevance });
      const compare = (file: object, ...args: string[]) =>
        command('search-settings', 'compare', String(searcher.id), write('criteria.json', file), ...args);
      const out = await until('the member is indexed', async () => {
        const printed = await compare(criteria, '--sort', 'newest', '--settings', settings);
        expect(printed.problem).toBe('');
        return printed.out.includes(`  ${found.username}  `) ? printed.out : undefined;
      });
      expect(out).toMatch(/^settings in force, version \d+: \d+ found\n {2}1 {2}\d+ {2}/);
      expect(out).toMatch(/^changed: \d+ found\n {2}1 {2}\d+ {2}/m);
      expect((await compare(criteria)).out).not.toContain('changed:');
      const wrong = write('wrong.json', { relevance: { weights: { smoking: -1 } } });
      const refused = await compare(criteria, '--settings', wrong);
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.problem).toMatch(
        /^The service answers: Invalid Argument\.\n(settings\.relevance\S* .+\n)+$/,
      );
      expect((await compare({})).problem).toBe('The service answers: Invalid Argument 31012.\n');
      expect((await compare(criteria, '--settings', folder)).problem).toMatch(
        / is not a file with a JSON object\.\n$/,
      );
    });

    it('create a set, add a search, grade a result, and delete it all again, by name', async () => {
      const made = await command('judgments', 'create', '1', 'by commands');
      expect(made.out).toMatch(uuid);
      const read = async () => {
        const { body } = await staff.get(`/staff/search/judgment-sets/${made.out.trim()}`);
        return body as { name?: string; searches?: object[] };
      };
      expect((await command('judgments', 'create', '1', 'by commands')).problem).toMatch(
        /a set of this name/,
      );
      const add = (member: TestMember['id']) =>
        command(
          'judgments',
          'add-search',
          'by commands',
          'anna',
          String(member),
          write('search.json', criteria),
        );
      expect((await add(searcher.id)).out).toMatch(uuid);
      expect((await add(searcher.id)).problem).toMatch(/^The set has a search of this name/);
      expect((await add(999_999_999)).problem).toMatch(/^There is no such member/);
      expect(await read()).toMatchObject({
        name: 'by commands',
        searches: [{ name: 'anna', member: searcher.id, criteria, sortby: 'relevance' }],
      });
      const grade = (...args: string[]) => command('judgments', 'grade', 'by commands', 'anna', ...args);
      const exported = async () => {
        const url = `/staff/search/judgment-sets/${made.out.trim()}/export?format=trec`;
        return ((await staff.get(url)).body as { readonly content: string }).content;
      };
      expect((await grade(String(found.id), '2')).out).toBe('Done.\n');
      expect(await exported()).toBe(`anna 0 ${found.id} 2\n`);
      expect((await grade(String(found.id), 'x')).problem).toBe('A grade is 0, 1, 2, 3 or none.\n');
      expect((await grade('999999999', '1')).problem).toMatch(/^There is no such member/);
      expect((await grade(String(found.id), 'none')).out).toBe('Done.\n');
      expect(await exported()).toBe('');
      const remove = (...args: string[]) => command('judgments', ...args);
      expect((await remove('delete-search', 'by commands', 'ben')).problem).toBe(
        "There is no search 'ben'.\n",
      );
      expect((await remove('delete-search', 'by commands', 'anna')).out).toBe('Done.\n');
      expect((await read()).searches).toEqual([]);
      expect((await remove('delete', 'by commands')).out).toBe('Done.\n');
      expect((await remove('delete', 'by commands')).problem).toBe("There is no set 'by commands'.\n");
    });
  });
}
