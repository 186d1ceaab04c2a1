import { Card, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { summaryQuery, waitingKinds, type AppealsLine, type QueueLine } from './queue-queries.ts';

function Lines({
  lines,
  appeals,
}: {
  readonly lines: readonly QueueLine[];
  readonly appeals: readonly AppealsLine[];
}) {
  const { text } = useTexts();
  const { waited } = useFormats();
  return (
    <WideTable
      head={[
        text('service.queue.kind'),
        text('service.site'),
        text('service.queue.waiting'),
        text('service.queue.oldest'),
      ]}
    >
      {lines.map(({ kind, siteid, waiting, claimed, oldest }) => {
        const one = waitingKinds.find((each) => each === kind);
        return (
          <Table.Tr key={`${kind} ${siteid}`}>
            <Table.Td>
              {one && waiting > 0 ? (
                <Link to="/service/queue/$kind" params={{ kind: one }} search={{ site: siteid }}>
                  {text(`service.queue.${one}`)}
                </Link>
              ) : (
                text(`service.queue.${kind}`)
              )}
            </Table.Td>
            <Table.Td>{siteid}</Table.Td>
            <Table.Td>{text('service.queue.counts', { waiting, claimed })}</Table.Td>
            <Table.Td>{oldest === null ? '–' : waited(oldest)}</Table.Td>
          </Table.Tr>
        );
      })}
      {appeals.map(({ siteid, waiting, oldest }) => (
        <Table.Tr key={`appeals ${siteid}`}>
          <Table.Td>
            {waiting > 0 ? (
              <Link to="/service/appeals">{text('service.appeals')}</Link>
            ) : (
              text('service.appeals')
            )}
          </Table.Td>
          <Table.Td>{siteid}</Table.Td>
          <Table.Td>{waiting}</Table.Td>
          <Table.Td>{oldest === null ? '–' : waited(oldest)}</Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}

/** The entries that wait, since when, and the colleagues working on them. */
export function QueuePage() {
  const { text, valueText } = useTexts();
  const { time } = useFormats();
  const query = useQuery(summaryQuery(useApi()));
  return (
    <Page title={text('service.queue')}>
      <Loaded query={query}>
        {({ queues, claims, appeals }) => (
          <>
            <Card withBorder>
              <Lines lines={queues} appeals={appeals} />
            </Card>
            <Part title={text('service.claims')}>
              {!claims.length && <Text c="dimmed">{text('service.nothing')}</Text>}
              {claims.map(({ kind, id, report_id, staff_id, until }) => (
                <Text key={`${kind} ${report_id ?? id}`} size="sm">
                  {`${valueText('service.queue', kind)} · `}
                  <MemberLink id={id}>{text('service.member', { id })}</MemberLink>
                  {' · '}
                  <StaffName id={staff_id} />
                  {` · ${text('service.claims.until', { until: time(until) })}`}
                </Text>
              ))}
            </Part>
          </>
        )}
      </Loaded>
    </Page>
  );
}
