import { oneLine } from '@covalence/runtime/one-line';
import type { Action } from '../operator-command.ts';
import { pageOf, paging, staffAction } from './call.ts';
import { pageLines, photoLines, textLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

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

const evidence = staffAction({
  takes: ['<member>'],
  options: paging,
  help: 'list what reports keep of a member, newest first',
  errors: { 403: 'A page has 1 to 100 entries.', 404: 'There is no such member.' },
  send(api, call) {
    const [id = ''] = call.args;
    return api.GET('/staff/members/{id}/evidence', { params: { path: { id }, query: pageOf(call) } });
  },
  lines: (page) =>
    pageLines(
      page,
      'No report keeps anything.',
      (entry) => `${headline(entry)}  ${entry.photos} photos, ${entry.messages} messages`,
    ),
});

const showEvidence = staffAction({
  takes: ['<evidence>'],
  help: 'show the texts, photos and messages that a report keeps, which the history records',
  errors: { 403: 'Evidence has a UUID.', 404: 'There is no such evidence.' },
  send: (api, { args: [evidenceid = ''] }) =>
    api.GET('/staff/evidence/{evidenceid}', { params: { path: { evidenceid } } }),
  lines: shownLines,
});

/** The actions of `covalence staff` on the evidence of reports. */
export const evidenceActions: Readonly<Record<string, Action>> = { evidence, 'show-evidence': showEvidence };
