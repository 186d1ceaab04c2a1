import type { Action } from '../operator-command.ts';
import { actingAs, oneSite, openClient, pageOf, paging, siteOf } from './call.ts';
import { decidedLines, pageLines } from './lines.ts';
import { dataOf, type Schemas } from './staff-client.ts';

const flags: Action = {
  options: { ...actingAs, ...oneSite, ...paging },
  help: 'list members flagged by signals of scams, newest first; show has the reasons',
  errors: { 403: 'The site is one of the role, and a page has 1 to 100 entries.' },
  async run(call) {
    const api = await openClient(call);
    const query = { siteid: siteOf(call), ...pageOf(call) };
    const data = await dataOf(api.GET('/staff/scam-signals', { params: { query } }));
    const lines = data.entries.map(({ id, siteid, since, mode, version, score, signals }) =>
      [
        `member ${id}`,
        `site ${siteid}`,
        `score ${score}`,
        signals.join(', '),
        `${mode}, rules ${version}`,
        `since ${since}`,
      ].join('  '),
    );
    return { lines: pageLines(lines, data.next, 'Nobody is flagged.'), data };
  },
};

const shareOf = ({ flagged, decided, fraud, precision }: Omit<Schemas['ScamSignalPrecision'], 'signal'>) =>
  `flagged ${flagged}, decided ${decided}${
    fraud === null || precision === null ? '' : `, fraud ${fraud}, precision ${precision}`
  }`;

const precision: Action = {
  options: { ...actingAs, ...oneSite },
  help: 'print how many flagged members were banned for fraud, by version of the rules and signal',
  errors: { 403: 'The site is one of the role.' },
  async run(call) {
    const api = await openClient(call);
    const query = { siteid: siteOf(call) };
    const data = await dataOf(api.GET('/staff/scam-signals/precision', { params: { query } }));
    const lines = data.versions.flatMap(
      ({ siteid, version, mode, in_force: inForce, first, signals, ...all }) => [
        `site ${siteid}  rules ${version} (${inForce ? 'in force, ' : ''}${mode})  ${shareOf(all)}${
          first === null ? '' : `, since ${first}`
        }`,
        ...signals.map(({ signal, ...one }) => `    ${signal}  ${shareOf(one)}`),
      ],
    );
    return { lines: lines.length ? lines : ['No site has signals of scams.'], data };
  },
};

const dismiss: Action = {
  takes: ['<member>'],
  options: actingAs,
  help: 'dismiss the scam signals of a member',
  errors: { 404: 'There is no such member.', 409: 'Somebody else has claimed the entry of the queue.' },
  async run(call) {
    const api = await openClient(call);
    const [id = ''] = call.args;
    const params = { path: { id } };
    const data = await dataOf(api.POST('/staff/members/{id}/dismiss-signals', { params }));
    return { lines: decidedLines(data), data };
  },
};

/** The actions of `covalence staff` on signals of scams. */
export const scamActions: Readonly<Record<string, Action>> = {
  'scam-flags': flags,
  'scam-precision': precision,
  'dismiss-signals': dismiss,
};
