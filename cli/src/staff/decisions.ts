import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action, type ActionCall } from '../operator-command.ts';
import { staffAction } from './call.ts';
import { decidedLines, type Decided } from './lines.ts';
import type { StaffClient } from './staff-client.ts';

const missing = 'There is no such member, text, photo or report.';
const conflict = 'It has changed since: look again with covalence staff show.';
const tooLong = 'A reason has 1 to 1,000 characters.';
const unexplained = `A restriction needs --reason or --reason-id that fits. ${tooLong}`;

/** The parameters that the options of decisions name. */
const bodyOf = (call: ActionCall) => ({
  reason: stringOption(call, 'reason'),
  reason_id: stringOption(call, 'reasonId'),
  facts: stringOption(call, 'facts'),
  report_id: stringOption(call, 'report'),
  revision: stringOption(call, 'revision'),
  outcome: stringOption(call, 'outcome'),
  ban: flagOption(call, 'ban'),
  all_sites: flagOption(call, 'allSites'),
  remove_bans: flagOption(call, 'removeBans'),
  mistaken: flagOption(call, 'mistaken'),
});

interface Decision {
  readonly takes: readonly string[];
  readonly help: string;
  /** Explanation of a status 403. */
  readonly forbidden?: string;
  /** Options that only this decision has. */
  readonly options?: Readonly<Record<string, string>>;
  readonly decide: (
    api: StaffClient,
    args: readonly string[],
    body: ReturnType<typeof bodyOf>,
  ) => Promise<{ readonly data?: Decided }>;
}

const deciding = ({ takes, help, forbidden = tooLong, options, decide }: Decision): Action =>
  staffAction({
    takes,
    options: {
      '--reason <text>': 'the reason, for the history; the member reads it in the export',
      '--reason-id <id>': 'a saved reason instead, in the language of the member',
      '--facts <text>': 'the facts of a restriction, as the member reads them; name nobody else',
      '--report <report>': 'with a restriction: the report that led to it',
      '--revision <revision>': 'refuse when the revision has changed since it was shown',
      ...options,
    },
    help,
    errors: { 403: forbidden, 404: missing, 409: conflict },
    send: (api, call) => decide(api, call.args, bodyOf(call)),
    lines: decidedLines,
  });

const onMember = (
  action: 'approve' | 'reject' | 'suspend' | 'unsuspend' | 'delete' | 'undelete',
  help: string,
  more: Pick<Decision, 'forbidden' | 'options'> = {},
): Action =>
  deciding({
    takes: ['<member>'],
    help,
    decide: (api, [id = ''], body) =>
      api.POST(`/staff/members/{id}/${action}`, { params: { path: { id } }, body }),
    ...more,
  });

const onText = (action: 'approve' | 'reject', help: string): Action =>
  deciding({
    takes: ['<member>', '<field>'],
    help,
    forbidden: `Another member has taken this username (10101), or the reason is wrong. ${unexplained}`,
    decide: (api, [id = '', field = ''], body) =>
      api.POST(`/staff/members/{id}/texts/{field}/${action}`, { params: { path: { id, field } }, body }),
  });

const onPhoto = (
  action: 'approve' | 'reject',
  help: string,
  more: Pick<Decision, 'forbidden' | 'options'>,
): Action =>
  deciding({
    takes: ['<photo>'],
    help,
    ...more,
    decide: (api, [photoid = ''], body) =>
      api.POST(`/staff/photos/{photoid}/${action}`, { params: { path: { photoid } }, body }),
  });

const reasons = staffAction({
  help: 'list the saved reasons of decisions by id, for --reason-id',
  send: (api) => api.GET('/staff/reasons'),
  lines(data) {
    const lines = data.reasons.map(({ id, kinds, basis, points, fraud, texts }) =>
      [
        id,
        kinds.join(', '),
        basis,
        ...(points === undefined ? [] : [`${points} points`]),
        ...(fraud ? ['fraud'] : []),
        oneLine(texts.en),
      ].join('  '),
    );
    return lines.length ? lines : ['There are no saved reasons.'];
  },
});

const undo = staffAction({
  takes: ['<decision>'],
  help: 'undo an approval or rejection of the last 30 seconds, by the decision_id of its --json',
  errors: {
    403: 'Only the account that made a decision, or admin, can undo it.',
    404: 'There is no such decision, or its 30 seconds have passed.',
    409: conflict,
  },
  send: (api, { args: [decisionid = ''] }) =>
    api.POST('/staff/decisions/{decisionid}/undo', { params: { path: { decisionid } } }),
});

const banOptions = {
  '--ban': 'also add email address, devices and photos to the ban list of the site',
  '--all-sites': 'with --ban: to that of every site',
};
const removeBans = { '--remove-bans': 'also remove the entries of the ban list that matched' };
const mistaken = { '--mistaken': 'the suspension was a mistake: take it back, with its points' };

/** The actions of `covalence staff` that decide; the history uses the same names. */
export const decisionActions: Readonly<Record<string, Action>> = {
  approve: onMember('approve', 'approve a profile', { options: removeBans }),
  reject: onMember('reject', 'reject a profile; needs a reason', { forbidden: unexplained }),
  suspend: onMember('suspend', 'end all tokens, sessions and sockets of a member at once; needs a reason', {
    options: banOptions,
    forbidden: unexplained,
  }),
  unsuspend: onMember('unsuspend', 'accept sign-ins of a suspended member again', { options: mistaken }),
  delete: onMember('delete', 'delete a member, who is erased after 30 days; needs a reason', {
    options: banOptions,
    forbidden: unexplained,
  }),
  undelete: onMember('undelete', 'undo a deletion by staff, until the erasure begins'),
  'approve-text': onText('approve', 'publish a text that waits'),
  'reject-text': onText('reject', 'drop a text that waits, or remove a flagged one; needs a reason'),
  'approve-photo': onPhoto('approve', 'show a photo to other members', { options: removeBans }),
  'reject-photo': onPhoto('reject', 'hide a photo from other members; needs a reason', {
    forbidden: unexplained,
  }),
  'close-report': deciding({
    takes: ['<report>'],
    help: 'close a report',
    options: { '--outcome <measures|none>': 'the outcome that the reporter reads' },
    decide: (api, [reportid = ''], body) =>
      api.POST('/staff/reports/{reportid}/close', { params: { path: { reportid } }, body }),
  }),
  undo,
  reasons,
};
