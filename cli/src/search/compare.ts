import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action, type OperatorGroup } from '../operator-command.ts';
import { actingAs, openClient } from '../staff/call.ts';
import { dataOf, type Schemas } from '../staff/staff-client.ts';
import { readObject } from './json-file.ts';

type Variant = Schemas['ComparedVariant'];

/** The results under some settings, each with its rank under the others. */
const variantLines = (title: string, { totalmatches, users }: Variant, hasOther: boolean): string[] => [
  `${title}: ${totalmatches} found`,
  ...users.map(({ id, username, rank, other_rank: other, relevance }) =>
    [
      `  ${rank}`,
      ...(hasOther && other !== rank ? [other === null ? '(new)' : `(${other})`] : []),
      id,
      ...(username === null ? [] : [oneLine(username)]),
      relevance,
    ].join('  '),
  ),
];

const compare: Action = {
  takes: ['<member>', '<criteria-file>'],
  options: {
    ...actingAs,
    '--settings <file>': 'changed settings, as `publish` takes them',
    '--shadow': 'in the index of `covalence index shadow`',
    '--sort <order>': 'the order (default relevance)',
    '--page-size <count>': 'results, 1 to 50 (default 20)',
    '--as-subscriber': 'also with criteria for subscribers, as judgment sets are run',
  },
  help: 'run a search as a member (- reads the criteria from standard input), also under changed settings',
  notes:
    'The account needs the role search on the site of the member, and the search is recorded. A rank in brackets is that under the settings in force.',
  errors: { 404: 'There is no such member, or the member cannot search.' },
  async run(call) {
    const [member = '', file = ''] = call.args;
    const settingsFile = stringOption(call, 'settings');
    const criteria: Schemas['SearchCriteria'] = await readObject(call, file);
    const given: Partial<Schemas['PublishStaffSearchSettingsRequest']> | undefined =
      settingsFile === undefined ? undefined : await readObject(call, settingsFile);
    const api = await openClient(call, 'search');
    const body = {
      member,
      criteria,
      sortby: stringOption(call, 'sort'),
      pagesize: stringOption(call, 'pageSize'),
      as_subscriber: flagOption(call, 'asSubscriber'),
      index: flagOption(call, 'shadow') && 'shadow',
      // A file to publish also has its version.
      settings: given && { relevance: given.relevance, languages: given.languages },
    };
    const data = await dataOf(api.POST('/staff/search/comparisons', { body }));
    const { version, current, changed } = data;
    const lines = variantLines(`settings in force, version ${version}`, current, false);
    return { lines: changed ? [...lines, ...variantLines('changed', changed, true)] : lines, data };
  },
};

/** The calls of services in `covalence search-settings`. */
export const searchSettings: OperatorGroup = {
  name: 'search-settings',
  caller: 'staff-cli',
  services: ['auth', 'search'],
  actions: { compare },
};
