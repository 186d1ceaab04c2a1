import type { Action } from '../operator-command.ts';
import { oneSite, pageOf, paging, siteOf, staffAction } from './call.ts';
import { decidedLines, pageLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

const flags = staffAction({
  options: { ...oneSite, ...paging },
  help: 'list members flagged by signals of scams, newest first; show has the reasons',
  errors: { 403: 'The site is one of the role, and a page has 1 to 100 entries.' },
  send: (api, call) =>
    api.GET('/staff/scam-signals', { params: { query: { siteid: siteOf(call), ...pageOf(call) } } }),
  lines: (page) =>
    pageLines(page, 'Nobody is flagged.', ({ id, siteid, since, mode, version, score, signals }) =>
      [
        `member ${id}`,
        `site ${siteid}`,
        `score ${score}`,
        signals.join(', '),
        `${mode}, rules ${version}`,
        `since ${since}`,
      ].join('  '),
    ),
});

const shareOf = ({ flagged, decided, fraud, precision }: Omit<Schemas['ScamSignalPrecision'], 'signal'>) =>
  `flagged ${flagged}, decided ${decided}${
    fraud === null || precision === null ? '' : `, fraud ${fraud}, precision ${precision}`
  }`;

const precision = staffAction({
  options: oneSite,
  help: 'print how many flagged members were banned for fraud, by version of the rules and signal',
  errors: { 403: 'The site is one of the role.' },
  send: (api, call) =>
    api.GET('/staff/scam-signals/precision', { params: { query: { siteid: siteOf(call) } } }),
  lines({ versions }) {
    const lines = versions.flatMap(({ siteid, version, mode, in_force: inForce, first, signals, ...all }) => [
      `site ${siteid}  rules ${version} (${inForce ? 'in force, ' : ''}${mode})  ${shareOf(all)}${
        first === null ? '' : `, since ${first}`
      }`,
      ...signals.map(({ signal, ...one }) => `    ${signal}  ${shareOf(one)}`),
    ]);
    return lines.length ? lines : ['No site has signals of scams.'];
  },
});

const dismiss = staffAction({
  takes: ['<member>'],
  help: 'dismiss the scam signals of a member',
  errors: { 404: 'There is no such member.', 409: 'Somebody else has claimed the entry of the queue.' },
  send: (api, { args: [id = ''] }) =>
    api.POST('/staff/members/{id}/dismiss-signals', { params: { path: { id } } }),
  lines: decidedLines,
});

/** The actions of `covalence staff` on signals of scams. */
export const scamActions: Readonly<Record<string, Action>> = {
  'scam-flags': flags,
  'scam-precision': precision,
  'dismiss-signals': dismiss,
};
