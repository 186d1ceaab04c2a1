import { Group, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, Refused, useApi } from '../api/api.tsx';
import { Loaded } from '../layout/page.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { Correct } from './correction.tsx';
import { useFormats } from '../layout/formats.ts';
import { membershipQuery, type Membership } from './queries.ts';
import { isAskedBefore, isWaiting, WaitsNote } from './second-person.tsx';

/** The key of the payment of a line, if it was paid and is not refunded. */
function refundable({ ledger }: Membership, at: number): string | undefined {
  const line = ledger[at];
  if (!line?.payment || line.amount <= 0) return undefined;
  const isRefunded = ledger.some(({ kind, payment }) => kind === 'refund' && payment === line.payment);
  return isRefunded ? undefined : line.payment;
}

/** The payments that can be refunded, with their amounts. */
const refundables = (membership: Membership, money: (amount: number, currency: string) => string) =>
  membership.ledger.flatMap(({ amount, currency }, at) => {
    const payment = refundable(membership, at);
    return payment === undefined ? [] : [{ payment, amount: money(amount, currency) }];
  });

/** Asks for a reason, then refunds a payment in full. */
function Refund({
  member,
  payment,
  amount,
}: {
  readonly member: number;
  readonly payment: string;
  readonly amount: string;
}) {
  const { text, valueText } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const [waits, setWaits] = useState(false);
  if (waits) return <WaitsNote />;
  return (
    <Confirm
      label={text('service.refund')}
      consequence={text('service.refund.consequence', { amount })}
      needsReason
      refusal={(error) => {
        if (isAskedBefore(error)) return text('service.approvals.other');
        return error instanceof Refused && error.failure.fail
          ? valueText('service.refund.refused', error.failure.fail)
          : undefined;
      }}
      run={async ({ why: { reason = '' } }) => {
        const params = { path: { member } };
        const body = { reason, refund: payment };
        const report = await dataOf(api.POST('/staff/memberships/{member}/correct', { params, body }));
        if ('ledger' in report) queries.setQueryData(membershipQuery(api, member).queryKey, report);
        setWaits(isWaiting(report));
      }}
    />
  );
}

function Ledger({ membership }: { readonly membership: Membership }) {
  const { text } = useTexts();
  const { time, money } = useFormats();
  const { ledger, member } = membership;
  if (!ledger.length) return <Text c="dimmed">{text('service.membership.noLedger')}</Text>;
  return (
    <WideTable
      minWidth={420}
      head={[
        text('service.membership.at'),
        text('service.queue.kind'),
        text('service.membership.amount'),
        text('search.action'),
      ]}
    >
      {ledger.map((line, at) => {
        const payment = refundable(membership, at);
        const amount = money(line.amount, line.currency);
        return (
          <Table.Tr key={line.id}>
            <Table.Td>{time(line.at)}</Table.Td>
            <Table.Td>
              {text(`service.membership.${line.kind}`)}
              {line.staff !== undefined && (
                <Text size="sm">
                  <StaffName id={line.staff} />
                  {line.approved_by !== undefined && (
                    <>
                      {' · '}
                      <StaffName id={line.approved_by} />
                    </>
                  )}
                  {line.reason !== undefined && ` · ${line.reason}`}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{amount}</Table.Td>
            <Table.Td>
              {payment !== undefined && <Refund member={member} payment={payment} amount={amount} />}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </WideTable>
  );
}

/** A member's membership, and every payment, refund and correction. */
export function MembershipPart({ member }: { readonly member: number }) {
  const { text } = useTexts();
  const { time, money } = useFormats();
  const query = useQuery(membershipQuery(useApi(), member));
  return (
    <Loaded query={query}>
      {(membership) => {
        const { membership_status: status, expirationdate: end, autorenew, pending } = membership;
        return (
          <Stack gap="xs">
            <Group>
              <Text>{text(`service.membership.status.${status}`)}</Text>
              {end !== null && <Text>{text('service.membership.end', { end: time(end) })}</Text>}
              {autorenew && <Text>{text('service.membership.renews')}</Text>}
              {pending.length > 0 && (
                <Text>{text('service.membership.pending', { count: pending.length })}</Text>
              )}
            </Group>
            <Correct membership={membership} payments={refundables(membership, money)} />
            <Ledger membership={membership} />
          </Stack>
        );
      }}
    </Loaded>
  );
}
