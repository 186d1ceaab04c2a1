import { Alert, Badge, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dataOf, Refused, useApi } from '../api/api.tsx';
import { MemberLink, memberName } from '../layout/member-link.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { useFieldText } from './field-text.ts';
import { useTexts } from '../texts/texts.ts';
import { Confirm } from './confirm.tsx';
import { useFormats } from '../layout/formats.ts';
import { Notes } from './notes.tsx';
import { Part } from '../layout/part.tsx';
import classes from './photo.module.css';
import { Photos, VeilButton } from './photo.tsx';
import { memberQuery, type Member } from './queries.ts';
import { queueKey } from './queue-queries.ts';
import { useOutcomeText } from './recent.tsx';
import { NextReport } from './reports-page.tsx';
import { evidenceQuery, newestEvidenceQuery, reportClaimQuery, type Evidence } from './report-queries.ts';
import { StandingActions } from './standing-actions.tsx';
import { StandingBadges } from './standing.tsx';
import { Strikes } from './strikes.tsx';
import { thenAndNow } from './then-and-now.ts';

/** The texts as they were reported beside those of now. */
function TextsThenAndNow({ evidence, member }: { readonly evidence: Evidence; readonly member: Member }) {
  const { text } = useTexts();
  const rows = thenAndNow(evidence, member);
  const label = useFieldText(
    member.siteid,
    rows.map(({ field }) => field),
  );
  const nameOf = (field: string, isWaiting: boolean) =>
    isWaiting ? text('service.texts.waiting', { field: label(field) }) : label(field);
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={130}>{text('service.report.field')}</Table.Th>
            <Table.Th>{text('service.report.then')}</Table.Th>
            <Table.Th>{text('service.report.now')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ field, isWaiting, reported, now }) => (
            <Table.Tr key={`${field} ${isWaiting}`}>
              <Table.Th>
                {nameOf(field, isWaiting)}{' '}
                {reported !== now && <Badge color="yellow.4">{text('service.report.changed')}</Badge>}
              </Table.Th>
              <Table.Td className={classes.text}>{reported || '–'}</Table.Td>
              <Table.Td className={classes.text}>{now || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The last messages between the two. */
function Messages({ messages }: Pick<Evidence, 'messages'>) {
  const { text } = useTexts();
  const { time } = useFormats();
  if (!messages.length) return <Text c="dimmed">{text('service.nothing')}</Text>;
  return (
    <Stack gap="xs">
      {messages.map((message) => (
        <div key={message.at + message.by + message.text}>
          <Text size="sm" c="dimmed">
            {`${text(`service.report.by.${message.by}`)} · ${time(message.at)}`}
          </Text>
          <Text className={classes.text}>{message.text}</Text>
        </div>
      ))}
    </Stack>
  );
}

/** The copy of the member made for the report, beside the current profile. */
function ThenAndNow({ evidenceid, member }: { readonly evidenceid: string; readonly member: Member }) {
  const { text } = useTexts();
  const { time } = useFormats();
  const query = useQuery(evidenceQuery(useApi(), evidenceid));
  return (
    <Loaded query={query}>
      {(evidence) => (
        <Stack>
          <Part
            title={text('service.report.texts', { at: time(evidence.at) })}
            aside={<Text size="sm">{text('service.report.recorded')}</Text>}
          >
            <TextsThenAndNow evidence={evidence} member={member} />
          </Part>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Part title={text('service.report.photosThen')} aside={<VeilButton />}>
              <Photos photos={evidence.photos} isHard />
            </Part>
            <Part title={text('service.report.photosNow')}>
              <Photos photos={member.photos} />
            </Part>
          </SimpleGrid>
          <Part title={text('service.report.messages')}>
            <Messages messages={evidence.messages} />
          </Part>
        </Stack>
      )}
    </Loaded>
  );
}

/** The evidence of this report, the newest if it was filed again. */
function FrozenEvidence({ reporter, member }: { readonly reporter: string; readonly member: Member }) {
  const { text } = useTexts();
  const query = useQuery(newestEvidenceQuery(useApi(), member.id, reporter));
  return (
    <Loaded query={query}>
      {({ entries: [newest] }) =>
        newest ? (
          <ThenAndNow evidenceid={newest.evidence_id} member={member} />
        ) : (
          <Text>{text('service.report.noEvidence')}</Text>
        )
      }
    </Loaded>
  );
}

const outcomes = ['measures', 'none'] as const;

/** Closes a report. */
function CloseReport({ reportId, onDone }: { readonly reportId: string; readonly onDone: () => void }) {
  const { text } = useTexts();
  const api = useApi();
  return (
    <Confirm
      label={text('service.report.close')}
      consequence={text('service.report.close.consequence')}
      color="teal.9"
      selection={{
        label: text('service.outcome'),
        values: {
          '': text('service.outcome.auto'),
          measures: text('service.outcome.measures'),
          none: text('service.outcome.none'),
        },
      }}
      run={async ({ why, selected }) => {
        const params = { path: { reportid: reportId } };
        const outcome = outcomes.find((one) => one === selected);
        const body = { ...why, ...(outcome && { outcome }) };
        await dataOf(api.POST('/staff/reports/{reportid}/close', { params, body }));
        onDone();
      }}
    />
  );
}

const path = '/service/reports/$reported/$reporter';

/** One report: what was kept, what is there now, and what to do. */
export function ReportPage() {
  const { text } = useTexts();
  const { waited } = useFormats();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { refusal } = useOutcomeText();
  const { reported, reporter } = useParams({ from: path });
  const search = useSearch({ from: path });
  const reportId = `${reported}:${reporter}`;
  const claim = useQuery(reportClaimQuery(api, reportId));
  // The claim on the report gives access to the member.
  const query = useQuery({ ...memberQuery(api, reported), enabled: !claim.isPending });
  const entry = claim.data;
  useEffect(
    () => () =>
      void api
        .POST('/staff/queue/release', { body: { kind: 'report', id: reportId } })
        .catch(() => undefined),
    [api, reportId],
  );
  const done = () => {
    void queries.invalidateQueries({ queryKey: queueKey });
    void navigate({ to: '/service/reports', search });
  };
  return (
    <Page key={reportId} title={text('service.report', { id: reported })}>
      {claim.error && (
        <Alert color="yellow" role="alert">
          <Group>
            {claim.error instanceof Refused && claim.error.status === 404
              ? text('service.report.closed')
              : refusal(claim.error)}
            <NextReport {...search} />
          </Group>
        </Alert>
      )}
      <Loaded query={query}>
        {(member) => (
          <Stack>
            <Part
              title={entry?.reason || text('service.reports.noReason')}
              aside={
                entry && <Text size="sm">{text('service.waitsSince', { since: waited(entry.since) })}</Text>
              }
            >
              <Group justify="space-between">
                <Group>
                  <MemberLink id={reported} username={member.username} />
                  <MemberLink id={reporter}>
                    {text('service.report.reporter', {
                      id: memberName({ id: reporter, username: entry?.reporter_username }),
                    })}
                  </MemberLink>
                </Group>
                <Group gap="xs">
                  {entry?.category && <Badge>{text(`service.category.${entry.category}`)}</Badge>}
                  <StandingBadges member={member} />
                </Group>
              </Group>
              <Group mt="sm" gap="xs">
                {entry && <CloseReport reportId={reportId} onDone={done} />}
                <StandingActions member={member} report={reportId} onDone={done} />
              </Group>
            </Part>
            {member.strikes && <Strikes strikes={member.strikes} />}
            <FrozenEvidence reporter={reporter} member={member} />
            <Part title={text('service.notes')}>
              <Notes member={member} />
            </Part>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
