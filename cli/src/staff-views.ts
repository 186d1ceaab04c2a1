import { oneLine } from '@covalence/runtime/one-line';
import { z } from 'zod';

const flags = z.record(z.string(), z.array(z.string())).default({});

const identity = {
  id: z.int(),
  siteid: z.int(),
  username: z.string(),
  userstatus: z.string(),
  suspended: z.boolean(),
  deactivated: z.boolean(),
  gender: z.string(),
  age: z.int(),
  country: z.string(),
  flags,
};

const waitingText = z.object({
  field: z.string(),
  current: z.string(),
  proposed: z.string().nullable(),
  flags: z.array(z.string()),
  revision: z.string(),
});

const photo = z.object({
  id: z.int(),
  urlstem: z.string(),
  max800: z.string().default(''),
  extension: z.string(),
  status: z.string(),
  primary: z.boolean(),
  flagged: z.boolean().default(false),
  caption: z.string().default(''),
  revision: z.string().optional(),
});

const texts = z.union([z.array(waitingText), z.record(z.string(), z.unknown())]);

const entry = z.object({
  ...identity,
  since: z.string(),
  kind: z.string(),
  texts: texts.optional(),
  photos: z.array(photo).optional(),
  revision: z.string().optional(),
  report_id: z.string().optional(),
  reporter: z.int().optional(),
  reason: z.string().optional(),
});

/** A page of GET /staff/queue. */
export const queueSchema = z.object({ entries: z.array(entry), next: z.string().nullable() });

/** GET /staff/members/{id}. */
export const memberSchema = z.object({
  ...identity,
  member_id: z.string(),
  date_registered: z.string(),
  deleted: z.boolean(),
  waiting: z.record(z.string(), z.string()),
  texts,
  texts_to_review: z.array(waitingText),
  photos: z.array(photo),
  revision: z.string(),
  strikes: z.object({ points: z.int(), proposal: z.string().nullable() }).optional(),
  scam: z
    .object({
      mode: z.string(),
      version: z.string(),
      score: z.int(),
      threshold: z.int(),
      reasons: z.array(
        z.object({ signal: z.string(), weight: z.int(), count: z.int(), last: z.string().nullable() }),
      ),
    })
    .optional(),
});

/** A decision of staff, in the history and in an appeal. */
export const decisionSchema = z.object({
  at: z.string(),
  staff_id: z.string(),
  approved_by: z.string().optional(),
  action: z.string(),
  reason: z.string().nullable(),
  field: z.string().optional(),
  photoid: z.int().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  text: z.string().optional(),
  statement: z.object({ text: z.string(), facts: z.string().nullable() }).optional(),
});

/** GET /staff/members/{id}/history. */
export const historySchema = z.object({ entries: z.array(decisionSchema), next: z.string().nullable() });

const foundMember = memberSchema.pick({
  id: true,
  siteid: true,
  username: true,
  userstatus: true,
  suspended: true,
  deactivated: true,
  deleted: true,
  date_registered: true,
});

/** POST /staff/members/search. */
export const foundSchema = z.object({ members: z.array(foundMember), more: z.boolean() });

/** GET /staff/queue/summary. */
export const summarySchema = z.object({
  queues: z.array(
    z.object({
      kind: z.string(),
      siteid: z.int(),
      waiting: z.int(),
      claimed: z.int(),
      oldest: z.string().nullable(),
    }),
  ),
  appeals: z.array(z.object({ siteid: z.int(), waiting: z.int(), oldest: z.string().nullable() })),
});

const note = z.object({ at: z.string(), staff_id: z.string(), text: z.string(), about_others: z.boolean() });

/** GET /staff/members/{id}/notes. */
export const notesSchema = z.object({ entries: z.array(note), next: z.string().nullable() });

/** POST /staff/members/{id}/notes. */
export const noteSchema = note;

/** The response to an undo. */
export const undoneSchema = z.object({ id: z.int() });

/** The response to a decision. */
export const decidedSchema = z.looseObject({
  changed: z.boolean().default(false),
  /** Of a request that waits for a second person. */
  approval_id: z.string().optional(),
  banned: z.object({ listed: z.int(), added: z.int(), skipped: z.array(z.int()) }).optional(),
});

/** POST /staff/queue/claim. */
export const claimedSchema = z.object({ entry: entry.nullable() });

type Identity = Omit<z.output<typeof memberSchema>, 'texts' | 'photos' | 'revision'> | z.output<typeof entry>;

type Marked = Pick<Identity, 'userstatus' | 'suspended' | 'deactivated'> & {
  readonly deleted?: boolean;
  readonly flags?: Readonly<Record<string, string[]>>;
};

const marksOf = (member: Marked): string => {
  const marks = [member.userstatus, member.suspended && 'suspended', member.deactivated && 'deactivated'];
  const banned = member.flags?.['email'] !== undefined && 'banned address';
  const scam = member.flags?.['messages'] !== undefined && 'signals of a scam';
  return [...marks, member.deleted && 'deleted', banned, scam].filter(Boolean).join(', ');
};

const headOf = (member: Identity): string => {
  const { id, siteid, username, gender, age, country } = member;
  return `${id}  ${oneLine(username)}  ${marksOf(member)}  site ${siteid}  ${gender}, ${age}, ${country}`;
};

const found = (kinds: readonly string[]) => (kinds.length ? `  [${kinds.join(', ')}]` : '');

const waitingLines = (list: readonly z.output<typeof waitingText>[]) =>
  list.flatMap(({ field, current, proposed, flags: kinds, revision }) => [
    `    ${field}${found(kinds)}  revision ${revision}`,
    ...(proposed === null ? [] : [`      now: ${oneLine(current)}`]),
    `      ${proposed === null ? 'stands' : 'new'}: ${oneLine(proposed ?? current)}`,
  ]);

const textLines = (given: z.output<typeof texts> | undefined, kinds: Readonly<Record<string, string[]>>) =>
  Array.isArray(given)
    ? waitingLines(given)
    : Object.entries(given ?? {}).map(
        ([field, text]) => `    ${field}${found(kinds[field] ?? [])}: ${oneLine(text)}`,
      );

const photoLines = (photos: readonly z.output<typeof photo>[] = []) =>
  photos.flatMap(({ id, urlstem, max800, extension, status, primary, flagged, caption, revision }) => [
    `    photo ${id}  ${status}${primary ? ', primary' : ''}${flagged ? ', banned' : ''}  ${urlstem}${max800}${extension}${revision ? `  revision ${revision}` : ''}`,
    ...(caption ? [`      caption: ${oneLine(caption)}`] : []),
  ]);

/** A page of a list as lines, with how to continue; `none` where it is empty. */
export const pageLines = (lines: readonly string[], next: string | null, none: string): string[] =>
  lines.length ? [...lines, ...(next === null ? [] : [`More: --cursor ${next}`])] : [none];

const entryLines = (one: z.output<typeof entry>): string[] => [
  `${headOf(one)}  since ${one.since}`,
  ...(one.report_id === undefined
    ? []
    : [`    report ${one.report_id} by ${one.reporter ?? ''}: ${oneLine(one.reason ?? '')}`]),
  ...textLines(one.texts, one.flags),
  ...photoLines(one.photos),
  ...(one.revision === undefined ? [] : [`    revision ${one.revision}`]),
];

/** A claimed entry as lines. */
export const claimedLines = ({ entry: one }: z.output<typeof claimedSchema>): string[] =>
  one ? entryLines(one) : ['Nothing waits that nobody has claimed.'];

/** The outcome of a decision as lines. */
export function decidedLines({ changed, approval_id, banned }: z.output<typeof decidedSchema>): string[] {
  if (approval_id !== undefined)
    return [`It waits for a second person: another account approves request ${approval_id}.`];
  const done = changed ? 'Done.' : 'Nothing has changed.';
  if (!banned) return [done];
  const { listed, added, skipped } = banned;
  const rest = skipped.length ? [`Photos that cannot be recognized: ${skipped.join(', ')}.`] : [];
  return [done, `Entries of the ban list: ${listed}, of them new: ${added}.`, ...rest];
}

/** A page of the queue as lines. */
export const queueLines = ({ entries, next }: z.output<typeof queueSchema>): string[] =>
  pageLines(entries.flatMap(entryLines), next, 'The queue is empty.');

const strikeLines = (strikes: z.output<typeof memberSchema>['strikes']): string[] =>
  strikes
    ? [`    ${strikes.points} points${strikes.proposal === null ? '' : `: ${strikes.proposal} proposed`}`]
    : [];

const scamLines = (scam: z.output<typeof memberSchema>['scam']): string[] =>
  scam
    ? [
        `    signals of a scam (${scam.mode}, rules ${scam.version}): ${scam.score} of ${scam.threshold}`,
        ...scam.reasons.map(
          ({ signal, weight, count, last }) =>
            `      ${signal}  +${weight}  ${count} times${last === null ? '' : `, last ${last}`}`,
        ),
      ]
    : [];

/** A member as lines. */
export function memberLines(member: z.output<typeof memberSchema>): string[] {
  const waits = Object.entries(member.waiting).map(([kind, since]) => `    ${kind} waits since ${since}`);
  return [
    headOf(member),
    `    ${member.member_id}  registered ${member.date_registered}`,
    ...waits,
    ...strikeLines(member.strikes),
    ...scamLines(member.scam),
    ...textLines(member.texts, member.flags),
    ...(member.texts_to_review.length ? ['  to review:', ...waitingLines(member.texts_to_review)] : []),
    ...photoLines(member.photos),
    `    revision ${member.revision}`,
  ];
}

/** Found members as lines. */
export function foundLines({ members, more }: z.output<typeof foundSchema>): string[] {
  const lines = members.map(
    (member) =>
      `${member.id}  ${oneLine(member.username)}  ${marksOf(member)}  site ${member.siteid}  registered ${member.date_registered}`,
  );
  if (!lines.length) return ['Nobody was found.'];
  return more ? [...lines, 'There are others: search more exactly.'] : lines;
}

/** Summary of the queues as lines, without empty ones. */
export function summaryLines({ queues, appeals }: z.output<typeof summarySchema>): string[] {
  const lineOf = (kind: string, { siteid, waiting, oldest }: (typeof appeals)[number], claimed = 0) =>
    waiting > 0
      ? [`${kind}  site ${siteid}  ${waiting} wait, ${claimed} claimed, since ${oldest ?? ''}`]
      : [];
  const lines = [
    ...queues.flatMap((line) => lineOf(line.kind, line, line.claimed)),
    ...appeals.flatMap((line) => lineOf('appeal', line)),
  ];
  return lines.length ? lines : ['Nothing waits.'];
}

/** Notes as lines; `names` are the staff accounts' by id. */
export function noteLines(
  { entries, next }: z.output<typeof notesSchema>,
  names: ReadonlyMap<string, string>,
): string[] {
  const lines = entries.map(({ at, staff_id, text, about_others }) =>
    [at, names.get(staff_id) ?? staff_id, ...(about_others ? ['about others'] : []), oneLine(text)].join(
      '  ',
    ),
  );
  return pageLines(lines, next, 'No notes yet.');
}

/** A member's history as lines; `names` are the staff accounts' by id. */
export function historyLines(
  { entries, next }: z.output<typeof historySchema>,
  names: ReadonlyMap<string, string>,
): string[] {
  const lines = entries.map(({ at, staff_id, approved_by, action, reason, field, photoid, before, after }) =>
    [
      at,
      names.get(staff_id) ?? staff_id,
      approved_by !== undefined && `approved by ${names.get(approved_by) ?? approved_by}`,
      action,
      field,
      photoid,
      before !== undefined && `${before} → ${after ?? ''}`,
      reason !== null && oneLine(reason),
    ]
      .filter((part) => part !== undefined && part !== false)
      .join('  '),
  );
  return pageLines(lines, next, 'No decisions yet.');
}
