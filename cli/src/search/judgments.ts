import { CommandError } from '@covalence/runtime/command-error';
import { stringOption, type Action, type ActionCall, type OperatorGroup } from '../operator-command.ts';
import { actingAs, openClient } from '../staff/call.ts';
import { dataOf, type StaffClient } from '../staff/staff-client.ts';
import { readObject } from './json-file.ts';

/** The id of the one with this name or id. */
function idOf(
  name: string,
  all: readonly { readonly id: string; readonly name: string }[],
  what: string,
): string {
  const [only, ...others] = all.filter((one) => one.id === name || one.name === name);
  if (!only) throw new CommandError(`There is no ${what} '${name}'.`);
  if (others.length) throw new CommandError(`There are several with the name '${name}': give the id.`);
  return only.id;
}

async function openSet(call: ActionCall): Promise<{ readonly api: StaffClient; readonly id: string }> {
  const api = await openClient(call, 'search');
  const { sets } = await dataOf(api.GET('/staff/search/judgment-sets'));
  return { api, id: idOf(call.args[0] ?? '', sets, 'set') };
}

/** The search that the second argument names, by name or id. */
async function openSearch(call: ActionCall) {
  const { api, id } = await openSet(call);
  const { searches } = await dataOf(
    api.GET('/staff/search/judgment-sets/{id}', { params: { path: { id } } }),
  );
  return { api, id, search: idOf(call.args[1] ?? '', searches, 'search') };
}

const names = 'A name has 1 to 100 characters, with single blanks and no _.';

const create: Action = {
  takes: ['<siteid>', '<name>'],
  options: actingAs,
  help: 'create a set for a site and print its id',
  errors: {
    403: `You need the role search on the site. ${names}`,
    404: 'There is no such site.',
    409: 'The site has a set of this name, or 100 sets.',
  },
  async run(call) {
    const api = await openClient(call, 'search');
    const [siteid = '', name = ''] = call.args;
    const data = await dataOf(api.POST('/staff/search/judgment-sets', { body: { siteid, name } }));
    return { lines: [data.id], data };
  },
};

const remove: Action = {
  takes: ['<set>'],
  options: actingAs,
  help: 'delete a set, by name or id, with its searches, grades and runs',
  async run(call) {
    const { api, id } = await openSet(call);
    const data = await dataOf(api.DELETE('/staff/search/judgment-sets/{id}', { params: { path: { id } } }));
    return { lines: ['Done.'], data };
  },
};

const addSearch: Action = {
  takes: ['<set>', '<name>', '<member>', '<criteria-file>'],
  options: { ...actingAs, '--sort <order>': 'the order (default relevance)' },
  help: 'add a search of a member of the site to a set; - reads the criteria from standard input',
  errors: {
    404: 'There is no such member on the site of the set.',
    409: 'The set has a search of this name, or 200 searches.',
  },
  async run(call) {
    const [, name = '', member = '', file = ''] = call.args;
    const criteria = await readObject(call, file);
    const { api, id } = await openSet(call);
    const body = { name, member, criteria, sortby: stringOption(call, 'sort') };
    const params = { path: { id } };
    const data = await dataOf(api.POST('/staff/search/judgment-sets/{id}/searches', { params, body }));
    return { lines: [data.id], data };
  },
};

const deleteSearch: Action = {
  takes: ['<set>', '<search>'],
  options: actingAs,
  help: 'delete a search of a set, by name or id, with its grades',
  async run(call) {
    const { api, id, search: searchid } = await openSearch(call);
    const path = { id, searchid };
    const data = await dataOf(
      api.DELETE('/staff/search/judgment-sets/{id}/searches/{searchid}', { params: { path } }),
    );
    return { lines: ['Done.'], data };
  },
};

const grades = new Map<string, 0 | 1 | 2 | 3 | null>([
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['3', 3],
  ['none', null],
]);

const gradeResult: Action = {
  takes: ['<set>', '<search>', '<member>', '<grade>'],
  options: actingAs,
  help: 'grade a result of a search from 0, no match, to 3, ideal; none deletes the own grade',
  errors: {
    403: 'A member is named by the number, and a set has at most 20,000 grades.',
    404: 'There is no such member in the index.',
  },
  async run(call) {
    const [, , member = '', given = ''] = call.args;
    const grade = grades.get(given);
    if (grade === undefined) throw new CommandError('A grade is 0, 1, 2, 3 or none.');
    const { api, id, search } = await openSearch(call);
    const params = { path: { id } };
    const body = { ratings: [{ search, member, grade }] };
    const data = await dataOf(api.POST('/staff/search/judgment-sets/{id}/ratings', { params, body }));
    return { lines: ['Done.'], data };
  },
};

/** The calls of services in `covalence judgments`. */
export const judgments: OperatorGroup = {
  name: 'judgments',
  caller: 'staff-cli',
  services: ['auth', 'search'],
  actions: {
    create,
    delete: remove,
    'add-search': addSearch,
    'delete-search': deleteSearch,
    grade: gradeResult,
  },
};
