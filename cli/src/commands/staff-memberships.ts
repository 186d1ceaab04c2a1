import { oneLine } from '@covalence/runtime/one-line';
import { z } from 'zod';
import type { Action, ActionCall } from '../operator-command.ts';
import { openStaffApi } from '../staff-api.ts';
import { decidedLines } from '../staff-views.ts';
import { as, namesOf, segment, text } from './staff-decisions.ts';

const membership = z.object({
  membership_status: z.string(),
  autorenew: z.boolean(),
  expirationdate: z.string().nullable(),
  package_id: z.int().nullable(),
  rate_id: z.int().nullable(),
});

const reportSchema = membership.extend({
  ledger: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      amount: z.int(),
      currency: z.string(),
      payment: z.string().optional(),
      staff: z.string().optional(),
      approved_by: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
});

const correctionSchema = z.union([
  reportSchema.extend({
    preview: z
      .object({
        after: membership.nullable(),
        refund: z.object({ payment: z.string(), amount: z.int(), currency: z.string() }).nullable(),
        second_person: z.boolean(),
        refusal: z.object({ fail: z.string() }).nullable(),
      })
      .optional(),
  }),
  z.object({ approval_id: z.string() }),
]);

type Report = z.output<typeof reportSchema>;
type Preview = NonNullable<Extract<z.output<typeof correctionSchema>, Report>['preview']>;

const membershipLine = (shown: z.output<typeof membership>): string =>
  [
    shown.membership_status,
    ...(shown.expirationdate === null ? [] : [`until ${shown.expirationdate}`]),
    ...(shown.rate_id === null ? [] : [`package ${shown.package_id ?? 0}, rate ${shown.rate_id}`]),
    shown.autorenew ? 'renews' : 'does not renew',
  ].join('  ');

/** A membership with its ledger as lines; `names` are the staff accounts' by id. */
const reportLines = (report: Report, names: ReadonlyMap<string, string>): string[] => [
  membershipLine(report),
  ...report.ledger.map(({ at, kind, amount, currency, payment, staff, approved_by, reason }) =>
    [
      `    ${at}  ${kind}  ${amount} ${currency}`,
      ...(payment === undefined ? [] : [`payment ${payment}`]),
      ...(staff === undefined ? [] : [`by ${names.get(staff) ?? staff}`]),
      ...(approved_by === undefined ? [] : [`approved by ${names.get(approved_by) ?? approved_by}`]),
      ...(reason === undefined ? [] : [oneLine(reason)]),
    ].join('  '),
  ),
];

function previewLines({ after, refund, second_person, refusal }: Preview): string[] {
  if (refusal) return [`It would be refused: ${refusal.fail}.`];
  return [
    ...(after ? [`It would be: ${membershipLine(after)}`] : []),
    ...(refund ? [`Refunded: ${refund.amount} ${refund.currency} of payment ${refund.payment}.`] : []),
    ...(second_person ? ['It would wait for a second person.'] : []),
    'Nothing was done: repeat it without --preview.',
  ];
}

const open = (call: ActionCall) => openStaffApi(call.reach, text(call, 'as'), 'billing');
const refused = 'A member is a number, and you need the role support on the site.';

const show: Action = {
  takes: ['<member>'],
  options: as,
  help: 'show the membership of a member, by number, with every payment, in minor units',
  refused,
  async run(call) {
    const api = await open(call);
    const data = await api.get(`/staff/memberships/${segment(call.args[0])}`, {}, reportSchema);
    return { lines: reportLines(data, await namesOf(call)), data };
  },
};

const renewals: Readonly<Record<string, boolean>> = { on: true, off: false };

const correct: Action = {
  takes: ['<member>'],
  options: {
    ...as,
    '--reason <text>': 'the reason, for the ledger',
    '--end <time|now>': 'the new end, up to two years ahead, e.g. 2026-12-01T00:00:00Z',
    '--renewal <on|off>': 'whether it is renewed',
    '--rate <id>': 'the new rate',
    '--refund <payment>': 'a payment to refund in full, by its key',
    '--preview': 'show the effect without applying it',
  },
  help: 'correct the membership of a member, by number, or refund a payment',
  changed: 'Another request about the payment waits: see covalence staff approvals.',
  async run(call) {
    const api = await open(call);
    const renewal = text(call, 'renewal');
    const sent = {
      reason: text(call, 'reason'),
      expires_at: text(call, 'end'),
      autorenew: renewal === undefined ? undefined : (renewals[renewal] ?? renewal),
      rate_id: text(call, 'rate'),
      refund: text(call, 'refund'),
      preview: call.options['preview'] === true || undefined,
    };
    const path = `/staff/memberships/${segment(call.args[0])}/correct`;
    const data = await api.post(path, sent, correctionSchema);
    if ('approval_id' in data) return { lines: decidedLines({ changed: false, ...data }), data };
    const lines = data.preview ? previewLines(data.preview) : reportLines(data, await namesOf(call));
    return { lines, data };
  },
};

/** The actions of `covalence staff` on memberships. */
export const staffMemberships: Readonly<Record<string, Action>> = {
  membership: show,
  'correct-membership': correct,
};
