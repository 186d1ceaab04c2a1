import { Card, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { WideTable } from '../layout/wide-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { summaryQuery, waitingKinds, type AppealsLine, type Claim, type QueueLine } from './queue-queries.ts';

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
        const name = text(`service.queue.${kind}`);
        const one = waitingKinds.find((each) => each === kind);
        const search = { site: siteid };
        const link = one ? (
          <Link to="/service/queue/$kind" params={{ kind: one }} search={search}>
            {name}
          </Link>
        ) : (
          <Link to="/service/reports" search={search}>
            {name}
          </Link>
        );
        return (
          <Table.Tr key={`${kind} ${siteid}`}>
            <Table.Td>{waiting > 0 ? link : name}</Table.Td>
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

/** The claims of each colleague by kind, with the time of the last to end. */
function claimsByColleague(claims: readonly Claim[]) {
  const groups = Map.groupBy(claims, ({ kind, staff_id }) => `${kind} ${staff_id}`);
  return [...groups.values()].flatMap((group) => {
    const last = group.toSorted((one, other) => (one.until < other.until ? 1 : -1))[0];
    return last ? [{ ...last, count: group.length }] : [];
  });
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
              {claimsByColleague(claims).map(({ kind, staff_id, count, until }) => (
                <Text key={`${kind} ${staff_id}`} size="sm">
                  {`${valueText('service.queue', kind)}: ${count} · `}
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
