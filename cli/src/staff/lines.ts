import { oneLine } from '@covalence/runtime/one-line';
import type { Schemas } from './staff-client.ts';

/** A page of a list. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** A page of a list as lines, with how to continue; `none` where it is empty. */
export const pageLines = <Entry>(
  { entries, next }: Page<Entry>,
  none: string,
  linesOf: (entry: Entry) => string | readonly string[],
): string[] =>
  entries.length
    ? [...entries.flatMap(linesOf), ...(next === null ? [] : [`More: --cursor ${next}`])]
    : [none];

/** The result of a decision. */
export interface Decided {
  readonly changed?: boolean;
  /** Of a request that waits for a second person. */
  readonly approval_id?: string;
  readonly banned?: Schemas['BanOutcome'];
}

/** The result of a decision as lines. */
export function decidedLines({ changed, approval_id, banned }: Decided): string[] {
  if (approval_id !== undefined)
    return [`It waits for a second person: another account approves request ${approval_id}.`];
  const done = changed ? 'Done.' : 'Nothing has changed.';
  if (!banned) return [done];
  const { listed, added, skipped } = banned;
  const rest = skipped.length ? [`Photos that cannot be recognized: ${skipped.join(', ')}.`] : [];
  return [done, `Entries of the ban list: ${listed}, of them new: ${added}.`, ...rest];
}

type MemberStatus = Pick<Schemas['StaffFoundMember'], 'userstatus' | 'suspended' | 'deactivated'> & {
  readonly deleted?: boolean;
  readonly flags?: Schemas['StaffMember']['flags'];
};

/** The status of a member, and what was found about them. */
export const memberStatus = (member: MemberStatus): string => {
  const { userstatus, suspended, deactivated, deleted, flags } = member;
  const address = flags?.['email'] !== undefined && 'banned address';
  const device = flags?.['device'] !== undefined && 'banned device';
  const scam = flags?.['messages'] !== undefined && 'signals of a scam';
  const points = flags?.['strikes'] !== undefined && 'points';
  return [
    userstatus,
    suspended && 'suspended',
    deactivated && 'deactivated',
    deleted && 'deleted',
    address,
    device,
    scam,
    points,
  ]
    .filter(Boolean)
    .join(', ');
};

/** The line that names a member. */
export const headline = (member: Schemas['StaffMember'] | Schemas['StaffQueueEntry']): string => {
  const { id, siteid, username, gender, age, country } = member;
  return `${id}  ${oneLine(username)}  ${memberStatus(member)}  site ${siteid}  ${gender}, ${age}, ${country}`;
};

const foundKinds = (kinds: readonly string[] = []) => (kinds.length ? `  [${kinds.join(', ')}]` : '');

/** Texts by field as lines; `flags` are what was found in each. */
export const textLines = (
  texts: Readonly<Record<string, unknown>>,
  flags: Schemas['StaffMember']['flags'],
): string[] =>
  Object.entries(texts).map(([field, text]) => `    ${field}${foundKinds(flags[field])}: ${oneLine(text)}`);

/** Texts that wait for review as lines. */
export const waitingLines = (texts: readonly Schemas['StaffText'][]): string[] =>
  texts.flatMap(({ field, current, proposed, flags, revision }) => [
    `    ${field}${foundKinds(flags)}  revision ${revision}`,
    ...(proposed === null ? [] : [`      now: ${oneLine(current)}`]),
    `      ${proposed === null ? 'stands' : 'new'}: ${oneLine(proposed ?? current)}`,
  ]);

/** A photo of a member, or as a report keeps it. */
type ShownPhoto = Schemas['StaffEvidencePhoto'] &
  Partial<Pick<Schemas['StaffPhoto'], 'primary' | 'flagged' | 'revision'>>;

/** Photos as lines. */
export const photoLines = (photos: readonly ShownPhoto[] = []): string[] =>
  photos.flatMap(({ id, urlstem, max800, extension, status, primary, flagged, caption, revision }) => [
    `    photo ${id ?? ''}  ${status}${primary ? ', primary' : ''}${flagged ? ', banned' : ''}  ${urlstem}${max800 ?? ''}${extension}${revision ? `  revision ${revision}` : ''}`,
    ...(caption ? [`      caption: ${oneLine(caption)}`] : []),
  ]);
