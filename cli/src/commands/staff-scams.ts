import { z } from 'zod';
import type { Action } from '../operator-command.ts';
import { decidedLines, decidedSchema } from '../staff-views.ts';
import { as, open, pageOf, paging, segment, text } from './staff-decisions.ts';

const flagsSchema = z.object({
  entries: z.array(
    z.object({
      id: z.int(),
      siteid: z.int(),
      since: z.string(),
      mode: z.string(),
      version: z.string(),
      score: z.int(),
      signals: z.array(z.string()),
    }),
  ),
  next: z.string().nullable(),
});

const share = {
  flagged: z.int(),
  decided: z.int(),
  fraud: z.int().nullable(),
  precision: z.number().nullable(),
};

const precisionSchema = z.object({
  versions: z.array(
    z.object({
      siteid: z.int(),
      version: z.string(),
      mode: z.string().nullable(),
      first: z.string().nullable(),
      ...share,
      signals: z.array(z.object({ signal: z.string(), ...share })),
    }),
  ),
});

const flags: Action = {
  options: { ...as, '--site <siteid>': 'one site only', ...paging },
  help: 'list members flagged by signals of scams, newest first; show has the reasons',
  refused: 'The site is one of the role, and a page has 1 to 100 entries.',
  async run(call) {
    const query = { siteid: text(call, 'site'), ...pageOf(call) };
    const data = await (await open(call)).get('/staff/scam-signals', query, flagsSchema);
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
    const more = data.next === null ? [] : [`More: --cursor ${data.next}`];
    return { lines: lines.length ? [...lines, ...more] : ['Nobody is flagged.'], data };
  },
};

const shareOf = ({ flagged, decided, fraud, precision }: z.output<z.ZodObject<typeof share>>) =>
  `flagged ${flagged}, decided ${decided}${
    fraud === null || precision === null ? '' : `, fraud ${fraud}, precision ${precision}`
  }`;

const precision: Action = {
  options: { ...as, '--site <siteid>': 'one site only' },
  help: 'print how many flagged members were banned for fraud, by version of the rules and signal',
  refused: 'The site is one of the role.',
  async run(call) {
    const query = { siteid: text(call, 'site') };
    const data = await (await open(call)).get('/staff/scam-signals/precision', query, precisionSchema);
    const lines = data.versions.flatMap(({ siteid, version, mode, first, signals, ...all }) => [
      `site ${siteid}  rules ${version}${mode === null ? '' : ` (in force, ${mode})`}  ${shareOf(all)}${
        first === null ? '' : `, since ${first}`
      }`,
      ...signals.map(({ signal, ...one }) => `    ${signal}  ${shareOf(one)}`),
    ]);
    return { lines: lines.length ? lines : ['No site has signals of scams.'], data };
  },
};

const dismiss: Action = {
  takes: ['<member>'],
  options: as,
  help: 'dismiss the scam signals of a member',
  missing: 'There is no such member.',
  changed: 'Somebody else has claimed the entry of the queue.',
  async run(call) {
    const path = `/staff/members/${segment(call.args[0])}/dismiss-signals`;
    const data = await (await open(call)).post(path, {}, decidedSchema);
    return { lines: decidedLines(data), data };
  },
};

/** The actions of `covalence staff` on signals of scams. */
export const staffScams: Readonly<Record<string, Action>> = {
  'scam-flags': flags,
  'scam-precision': precision,
  'dismiss-signals': dismiss,
};
