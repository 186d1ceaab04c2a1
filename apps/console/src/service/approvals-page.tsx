import { Group, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataOf, Refused, useApi } from '../api/api.tsx';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useSavedText } from './reason-panel.tsx';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { approvalsKey, approvalsQuery, memberKey, type Approval } from './queries.ts';

/** Approves or refuses a request; who asked may take it back only. */
function Decisions({ approval: { approval_id, id, own, revision } }: { readonly approval: Approval }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const params = { path: { approvalid: approval_id } };
  const read = () => queries.invalidateQueries({ queryKey: approvalsKey });
  const refusal = (error: Error) => {
    if (!(error instanceof Refused) || error.status !== 409) return undefined;
    void read();
    return text('service.approvals.changed');
  };
  return (
    <Group gap="xs">
      {!own && (
        <Confirm
          label={text('service.approvals.approve')}
          consequence={text('service.approvals.approve.consequence')}
          hasReason={false}
          refusal={refusal}
          run={async () => {
            const body = revision === null ? {} : { revision };
            await dataOf(api.POST('/staff/approvals/{approvalid}/approve', { params, body }));
            await Promise.all([read(), queries.invalidateQueries({ queryKey: memberKey(id) })]);
          }}
        />
      )}
      <Confirm
        label={text(own ? 'service.approvals.withdraw' : 'service.approvals.refuse')}
        consequence={text('service.approvals.refuse.consequence')}
        hasReason={false}
        refusal={refusal}
        color="teal.9"
        run={async () => {
          await dataOf(api.POST('/staff/approvals/{approvalid}/refuse', { params }));
          await read();
        }}
      />
    </Group>
  );
}

/** Describes a request in words. */
function useDetails() {
  const { text } = useTexts();
  const { time, money } = useFormats();
  const savedText = useSavedText();
  const correctionTexts = (correction: Approval['correction']): string[] => {
    if (correction === null) return [];
    const { expires_at: end, autorenew, rate_id } = correction;
    return [
      ...(end === null
        ? []
        : [`${text('service.correct.end')}: ${end === 'now' ? text('service.correct.before') : time(end)}`]),
      ...(autorenew === null
        ? []
        : [
            `${text('service.correct.renewal')}: ${text(autorenew ? 'service.correct.on' : 'service.correct.off')}`,
          ]),
      ...(rate_id === null ? [] : [`${text('service.correct.rate')}: ${rate_id}`]),
    ];
  };
  return ({ reason, facts, ban, amount, currency, ...approval }: Approval): string[] => [
    ...(amount === null || currency === null ? [] : [money(amount, currency)]),
    ...(ban === null ? [] : [text(ban === 'all_sites' ? 'service.ban.allSites' : 'service.ban.add')]),
    ...(approval.ban_email === false ? [text('service.approvals.noEmail')] : []),
    ...(approval.ban_photos ?? []).map((photo) => text('service.photoOf', { id: photo })),
    ...(approval.payment === null ? [] : [approval.payment]),
    ...correctionTexts(approval.correction),
    ...(reason === null ? [] : [savedText(reason)]),
    ...(facts === null ? [] : [facts]),
  ];
}

/** The cells of a request: action, member, time and colleague. */
function Asked({ approval }: { readonly approval: Approval }) {
  const { text } = useTexts();
  const { time } = useFormats();
  const { action, id, username, staff_id, requested_at } = approval;
  const details = useDetails()(approval);
  return (
    <>
      <Table.Td>
        {text(`service.approvals.${action}`)}
        {details.length > 0 && <Text size="sm">{details.join(' · ')}</Text>}
      </Table.Td>
      <Table.Td>
        <MemberLink id={id} username={username} />
      </Table.Td>
      <Table.Td>
        {time(requested_at)} · <StaffName id={staff_id} />
      </Table.Td>
    </>
  );
}

/** A list of requests; `children` renders the cells of the columns beside those of every request. */
function Requests({
  title,
  ended = false,
  columns,
  children,
}: {
  readonly title: string;
  readonly ended?: boolean;
  readonly columns: readonly string[];
  readonly children: (approval: Approval) => ReactNode;
}) {
  const { text } = useTexts();
  const query = useInfiniteQuery(approvalsQuery(useApi(), ended));
  return (
    <Part title={title}>
      <Listed query={query}>
        {(entries) => (
          <WideTable
            minWidth={720}
            head={[
              text('service.approvals.what'),
              text('service.bans.memberShort'),
              text('service.approvals.asked'),
              ...columns,
            ]}
          >
            {entries.map((approval) => (
              <Table.Tr key={approval.approval_id}>
                <Asked approval={approval} />
                {children(approval)}
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Listed>
    </Part>
  );
}

/** Requests that another person has to approve, and the outcome of earlier ones, which are decided or have expired. */
export function ApprovalsPage() {
  const { text } = useTexts();
  const { time } = useFormats();
  return (
    <Page title={text('service.approvals')}>
      <Text>{text('service.approvals.how')}</Text>
      <Requests
        title={text('service.approvals.waiting')}
        columns={[text('service.bans.expires'), text('search.action')]}
      >
        {(approval) => (
          <>
            <Table.Td>{time(approval.expires_at)}</Table.Td>
            <Table.Td>
              <Decisions approval={approval} />
            </Table.Td>
          </>
        )}
      </Requests>
      <Requests title={text('service.approvals.ended')} ended columns={[text('service.approvals.outcome')]}>
        {({ outcome, decided_at, decided_by }) => (
          <Table.Td>
            {text(`service.approvals.outcome.${outcome}`)}
            {decided_at !== null && decided_by !== null && (
              <Text size="sm">
                {time(decided_at)} · <StaffName id={decided_by} />
              </Text>
            )}
          </Table.Td>
        )}
      </Requests>
    </Page>
  );
}
