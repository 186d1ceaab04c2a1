import { oneLine } from '@covalence/runtime/one-line';
import type { Action } from '../operator-command.ts';
import { actingAs, openClient, pageOf, paging } from './call.ts';
import { pageLines, photoLines, textLines } from './lines.ts';
import { dataOf, type Schemas } from './staff-client.ts';

/** The line that names evidence. */
const headline = (kept: Omit<Schemas['StaffEvidenceEntry'], 'photos' | 'messages'>): string => {
  const { evidence_id, at, reporter, category, reason } = kept;
  return [
    evidence_id,
    at,
    reporter === null ? 'by an erased member' : `by ${reporter}`,
    category ?? 'no category',
    oneLine(reason),
  ].join('  ');
};

const shownLines = (kept: Schemas['StaffEvidence']): string[] => [
  headline(kept),
  ...textLines(kept.texts, {}),
  ...textLines(kept.pending, {}).map((line) => `${line}  (waited)`),
  ...photoLines(kept.photos),
  ...kept.messages.map(({ by, at, text }) => `    ${at}  ${by}: ${oneLine(text)}`),
];

const evidence: Action = {
  takes: ['<member>'],
  options: { ...actingAs, ...paging },
  help: 'list what reports keep of a member, newest first',
  errors: { 403: 'A page has 1 to 100 entries.', 404: 'There is no such member.' },
  async run(call) {
    const api = await openClient(call);
    const [id = ''] = call.args;
    const params = { path: { id }, query: pageOf(call) };
    const data = await dataOf(api.GET('/staff/members/{id}/evidence', { params }));
    const lines = data.entries.map(
      (entry) => `${headline(entry)}  ${entry.photos} photos, ${entry.messages} messages`,
    );
    return { lines: pageLines(lines, data.next, 'No report keeps anything.'), data };
  },
};

const showEvidence: Action = {
  takes: ['<evidence>'],
  options: actingAs,
  help: 'show the texts, photos and messages that a report keeps, which the history records',
  errors: { 403: 'Evidence has a UUID.', 404: 'There is no such evidence.' },
  async run(call) {
    const api = await openClient(call);
    const [evidenceid = ''] = call.args;
    const data = await dataOf(api.GET('/staff/evidence/{evidenceid}', { params: { path: { evidenceid } } }));
    return { lines: shownLines(data), data };
  },
};

/** The actions of `covalence staff` on the evidence of reports. */
export const evidenceActions: Readonly<Record<string, Action>> = { evidence, 'show-evidence': showEvidence };
