import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../layout/formats.ts';
import { MemberLink, memberName } from '../layout/member-link.tsx';
import { StaffName } from '../layout/staff-name.tsx';
import { useFieldText } from './field-text.ts';
import { useTexts } from '../texts/texts.ts';
import type { Appeal } from './appeal-queries.ts';
import { Part } from '../layout/part.tsx';
import classes from './photo.module.css';
import { Photos, VeilButton } from './photo.tsx';

type Statement = NonNullable<Appeal['decision']['statement']>;

/** The statement of reasons that the member received. */
function StatementOfReasons({
  statement: { text: told, basis, clause, facts, source, ban_until: until },
}: {
  readonly statement: Statement;
}) {
  const { text } = useTexts();
  const { time } = useFormats();
  const ground = [
    text(`service.statement.basis.${basis}`),
    ...(clause === null ? [] : [text('service.statement.clause', { clause })]),
    text(`service.statement.source.${source}`),
  ];
  return (
    <>
      <Text className={classes.text}>{text('service.statement.told', { text: told })}</Text>
      <Text size="sm">{ground.join(' · ')}</Text>
      {facts !== null && <Text className={classes.text}>{text('service.statement.facts', { facts })}</Text>}
      {until !== null && <Text size="sm">{text('service.statement.ban', { until: time(until) })}</Text>}
    </>
  );
}

/** The name of the member whom an appeal is about. */
export const subjectName = ({ id, username, reported, reported_username: other }: Appeal) =>
  memberName(reported === undefined ? { id, username } : { id: reported, username: other });

/** The decision that a member appeals, with what it rejected. */
function Decision({ appeal }: { readonly appeal: Appeal }) {
  const { decision, reported: about } = appeal;
  const { text, valueText } = useTexts();
  const { time } = useFormats();
  const { action, field, at, staff_id, reason, statement, report_id: report, photo } = decision;
  const [reported = '', reporter = ''] = report?.split(':') ?? [];
  const fieldText = useFieldText(appeal.siteid, field === undefined ? [] : [field]);
  const what = [valueText('service.action', action), ...(field === undefined ? [] : [fieldText(field)])];
  return (
    <Part title={text('service.appeals.decision')} aside={photo && <VeilButton />}>
      <Stack gap="xs">
        <Text fw={600}>{what.join(' · ')}</Text>
        <Text size="sm" c="dimmed">
          {time(at)} · <StaffName id={staff_id} />
        </Text>
        {decision.text !== undefined && (
          <Text className={classes.text}>{text('service.quoted', { text: decision.text })}</Text>
        )}
        {photo && <Photos photos={[{ ...photo, status: 'rejected' }]} />}
        {reason !== null && reason !== statement?.text && <Text>{text('service.because', { reason })}</Text>}
        {statement && <StatementOfReasons statement={statement} />}
        {report !== undefined && (
          <Link to="/service/reports/$reported/$reporter" params={{ reported, reporter }} target="_blank">
            {about === undefined
              ? text('service.appeals.report')
              : text('service.report', { id: subjectName(appeal) })}
          </Link>
        )}
      </Stack>
    </Part>
  );
}

/** The note on what a grant would leave as it is, if anything. */
function Limits({ appeal: { in_force: isInForce, later, erased } }: { readonly appeal: Appeal }) {
  const { text, valueText } = useTexts();
  const { time } = useFormats();
  const limits = [
    ...(erased ? [text('service.appeals.erased')] : []),
    ...(isInForce ? [] : [text('service.appeals.nothing')]),
    ...(later
      ? [
          text('service.appeals.later', {
            action: valueText('service.action', later.action),
            time: time(later.at),
          }),
        ]
      : []),
  ];
  return limits.length > 0 && <Alert color="yellow">{limits.join(' ')}</Alert>;
}

/** An appeal beside the disputed decision. The current profile of the member that it is about opens on request, because opening it is recorded. */
export function AppealView({ appeal }: { readonly appeal: Appeal }) {
  const { text } = useTexts();
  const { time, waited } = useFormats();
  const { id, reported: subject = id } = appeal;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Part title={text('service.appeals.words')}>
        <Stack gap="xs">
          <Text className={classes.text}>{appeal.text}</Text>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {time(appeal.filed_at)}
            </Text>
            <Text size="sm">{text('service.waitsSince', { since: waited(appeal.filed_at) })}</Text>
          </Group>
          {!appeal.erased && (
            <MemberLink id={subject} target="_blank">
              {text('service.appeals.now', { id: subjectName(appeal) })}
            </MemberLink>
          )}
          <Limits appeal={appeal} />
        </Stack>
      </Part>
      <Decision appeal={appeal} />
    </SimpleGrid>
  );
}
