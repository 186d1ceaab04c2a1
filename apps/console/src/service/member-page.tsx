import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useApi } from '../api/api.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { usePerson } from '../session/person.ts';
import { memberName } from '../layout/member-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { BanMatches } from './ban-matches.tsx';
import { History } from './history.tsx';
import { Listed } from '../layout/listed.tsx';
import { MemberTexts } from './member-texts.tsx';
import { Notes } from './notes.tsx';
import { MembershipPart } from './membership.tsx';
import { Part } from '../layout/part.tsx';
import { Photos, VeilButton } from './photo.tsx';
import { evidenceListQuery, memberQuery, type Member } from './queries.ts';
import { ScamScore } from './scam-score.tsx';
import { SignInsPart } from './sign-ins.tsx';
import { StandingActions } from './standing-actions.tsx';
import { StandingBadges } from './standing.tsx';
import { Strikes } from './strikes.tsx';

/** The identity of a member. */
function Identity({ member }: { readonly member: Member }) {
  const { text, valueText } = useTexts();
  const { time, waited, country } = useFormats();
  const { siteid, gender, age, date_registered: since, waiting } = member;
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Text fw={700}>{memberName(member)}</Text>
        <StandingBadges member={member} />
      </Group>
      <Text>{[valueText('service.gender', gender), age, country(member.country)].join(' · ')}</Text>
      <Text size="sm">{text('service.siteAndSince', { site: siteid, since: time(since) })}</Text>
      {Object.entries(waiting).map(([kind, at]) => (
        <Text key={kind} size="sm">
          {`${valueText('service.waiting', kind)} · ${waited(at)}`}
        </Text>
      ))}
    </Card>
  );
}

/** The reports about a member. */
function Reports({ member }: { readonly member: number }) {
  const { text } = useTexts();
  const { time } = useFormats();
  return (
    <Listed query={useInfiniteQuery(evidenceListQuery(useApi(), member))}>
      {(entries) =>
        entries.map((entry) => (
          <div key={entry.evidence_id}>
            {entry.reporter === null ? (
              <Text>{entry.reason || text('service.reports.noReason')}</Text>
            ) : (
              <Link
                to="/service/reports/$reported/$reporter"
                params={{ reported: String(entry.id), reporter: String(entry.reporter) }}
              >
                {entry.reason || text('service.reports.noReason')}
              </Link>
            )}
            <Text size="sm" c="dimmed">
              {`${time(entry.at)} · ${text('service.reports.kept', { photos: entry.photos, messages: entry.messages })}`}
            </Text>
          </div>
        ))
      }
    </Listed>
  );
}

/** The parts of a member that staff may see, by their role on the site of the member. */
function MemberParts({ member }: { readonly member: Member }) {
  const { text } = useTexts();
  const person = usePerson();
  const { id, siteid, flags } = member;
  const isBanned = Object.values(flags).flat().includes('banned');
  return (
    <Stack>
      <Identity member={member} />
      <StandingActions member={member} />
      {isBanned && person.holdsOn(siteid, 'moderator') && <BanMatches member={member} />}
      <Part title={text('service.photos')} aside={<VeilButton />}>
        <Photos photos={member.photos} />
      </Part>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Part title={text('service.texts')}>
          <MemberTexts site={siteid} texts={member.texts} waiting={member.texts_to_review} />
        </Part>
        {member.scam && <ScamScore scam={member.scam} />}
        {member.strikes && <Strikes strikes={member.strikes} />}
        <Part title={text('service.notes')}>
          <Notes member={member} />
        </Part>
        {person.holdsOn(siteid, 'moderator') && (
          <Part title={text('service.reports')}>
            <Reports member={id} />
          </Part>
        )}
        {person.holdsOn(siteid, 'support') && (
          <Part title={text('service.membership')}>
            <MembershipPart member={id} />
          </Part>
        )}
        <SignInsPart member={member} />
        <Part title={text('service.history')}>
          <History member={id} site={siteid} />
        </Part>
      </SimpleGrid>
    </Stack>
  );
}

/** One member. */
export function MemberPage() {
  const { text } = useTexts();
  const { id } = useParams({ from: '/service/members/$id' });
  const query = useQuery(memberQuery(useApi(), id));
  return (
    <Page key={id} title={text('service.member', { id })}>
      <Loaded query={query}>{(member) => <MemberParts member={member} />}</Loaded>
    </Page>
  );
}
