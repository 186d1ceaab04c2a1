import { oneLine } from '@covalence/runtime/one-line';
import { flagOption, stringOption, type Action } from '../operator-command.ts';
import { staffAction, staffNames, type NameOf } from './call.ts';
import { decidedLines } from './lines.ts';
import type { Schemas } from './staff-client.ts';

type Report = Schemas['MembershipReport'];

const membershipLine = (
  shown: Pick<Report, 'membership_status' | 'autorenew' | 'expirationdate' | 'package_id' | 'rate_id'>,
): string =>
  [
    shown.membership_status,
    ...(shown.expirationdate === null ? [] : [`until ${shown.expirationdate}`]),
    ...(shown.rate_id === null ? [] : [`package ${shown.package_id ?? 0}, rate ${shown.rate_id}`]),
    shown.autorenew ? 'renews' : 'does not renew',
  ].join('  ');

/** A membership with its ledger as lines. */
const reportLines = (report: Report, nameOf: NameOf): string[] => [
  membershipLine(report),
  ...report.pending.map(
    ({ payment, kind, amount, currency, at }) =>
      `    ${at}  ${kind}  ${amount} ${currency}  open payment ${payment}`,
  ),
  ...report.ledger.map(({ at, kind, amount, currency, payment, staff, approved_by, reason }) =>
    [
      `    ${at}  ${kind}  ${amount} ${currency}`,
      ...(payment === undefined ? [] : [`payment ${payment}`]),
      ...(staff === undefined ? [] : [`by ${nameOf(staff)}`]),
      ...(approved_by === undefined ? [] : [`approved by ${nameOf(approved_by)}`]),
      ...(reason === undefined ? [] : [oneLine(reason)]),
    ].join('  '),
  ),
];

function previewLines({ after, refund, second_person, refusal }: Schemas['CorrectionPreview']): string[] {
  if (refusal) return [`It would be refused: ${refusal.fail}.`];
  return [
    ...(after ? [`It would be: ${membershipLine(after)}`] : []),
    ...(refund ? [`Refunded: ${refund.amount} ${refund.currency} of payment ${refund.payment}.`] : []),
    ...(second_person ? ['It would wait for a second person.'] : []),
    'Nothing was done: repeat it without --preview.',
  ];
}

const show = staffAction({
  service: 'billing',
  takes: ['<member>'],
  help: 'show the membership of a member, by number, with every payment, in minor units',
  errors: { 403: 'A member is a number, and you need the role support on the site.' },
  send: (api, { args: [member = ''] }) =>
    api.GET('/staff/memberships/{member}', { params: { path: { member } } }),
  lines: async (report, call) => reportLines(report, await staffNames(call)),
});

const renewals: Readonly<Record<string, boolean>> = { on: true, off: false };

const correct = staffAction({
  service: 'billing',
  takes: ['<member>'],
  options: {
    '--reason <text>': 'the reason, for the ledger',
    '--end <time|now>': 'the new end, up to two years ahead, e.g. 2026-12-01T00:00:00Z',
    '--renewal <on|off>': 'whether it is renewed',
    '--rate <id>': 'the new rate',
    '--refund <payment>': 'a payment to refund in full, by its key',
    '--preview': 'show the effect without applying it',
  },
  help: 'correct the membership of a member, by number, or refund a payment',
  errors: { 409: 'Another request about the payment waits: see covalence staff approvals.' },
  send(api, call) {
    const [member = ''] = call.args;
    const renewal = stringOption(call, 'renewal');
    const body = {
      reason: stringOption(call, 'reason'),
      expires_at: stringOption(call, 'end'),
      autorenew: renewal === undefined ? undefined : (renewals[renewal] ?? renewal),
      rate_id: stringOption(call, 'rate'),
      refund: stringOption(call, 'refund'),
      preview: flagOption(call, 'preview'),
    };
    return api.POST('/staff/memberships/{member}/correct', { params: { path: { member } }, body });
  },
  async lines(data, call) {
    if ('approval_id' in data) return decidedLines(data);
    return data.preview ? previewLines(data.preview) : reportLines(data, await staffNames(call));
  },
});

/** The actions of `covalence staff` on memberships. */
export const membershipActions: Readonly<Record<string, Action>> = {
  membership: show,
  'correct-membership': correct,
};
