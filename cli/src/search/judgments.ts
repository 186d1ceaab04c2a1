import { CommandError } from '@covalence/runtime/command-error';
import { stringOption, type Action, type ActionCall, type OperatorGroup } from '../operator-command.ts';
import { actingAs, openClient, staffAction } from '../staff/call.ts';
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

/** The id of the set that the first argument names. */
async function setOf(api: StaffClient, { args: [name = ''] }: ActionCall): Promise<string> {
  const { sets } = await dataOf(api.GET('/staff/search/judgment-sets'));
  return idOf(name, sets, 'set');
}

/** The ids of that set, and of the search that the second argument names. */
async function searchOf(api: StaffClient, call: ActionCall) {
  const [, name = ''] = call.args;
  const path = { id: await setOf(api, call) };
  const { searches } = await dataOf(api.GET('/staff/search/judgment-sets/{id}', { params: { path } }));
  return { ...path, searchid: idOf(name, searches, 'search') };
}

const names = 'A name has 1 to 100 characters, with single blanks and no _.';

const create = staffAction({
  service: 'search',
  takes: ['<siteid>', '<name>'],
  help: 'create a set for a site and print its id',
  errors: {
    403: `You need the role search on the site. ${names}`,
    404: 'There is no such site.',
    409: 'The site has a set of this name, or 100 sets.',
  },
  send: (api, { args: [siteid = '', name = ''] }) =>
    api.POST('/staff/search/judgment-sets', { body: { siteid, name } }),
  lines: ({ id }) => [id],
});

const remove = staffAction({
  service: 'search',
  takes: ['<set>'],
  help: 'delete a set, by name or id, with its searches, grades and runs',
  async send(api, call) {
    const path = { id: await setOf(api, call) };
    return api.DELETE('/staff/search/judgment-sets/{id}', { params: { path } });
  },
});

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
    const api = await openClient(call, 'search');
    const body = { name, member, criteria, sortby: stringOption(call, 'sort') };
    const params = { path: { id: await setOf(api, call) } };
    const data = await dataOf(api.POST('/staff/search/judgment-sets/{id}/searches', { params, body }));
    return { lines: [data.id], data };
  },
};

const deleteSearch = staffAction({
  service: 'search',
  takes: ['<set>', '<search>'],
  help: 'delete a search of a set, by name or id, with its grades',
  async send(api, call) {
    const path = await searchOf(api, call);
    return api.DELETE('/staff/search/judgment-sets/{id}/searches/{searchid}', { params: { path } });
  },
});

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
    const api = await openClient(call, 'search');
    const { id, searchid: search } = await searchOf(api, call);
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
