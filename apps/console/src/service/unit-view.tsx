import { Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.tsx';
import { MemberLink } from '../layout/member-link.tsx';
import { Loaded } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { useFieldText } from './field-text.ts';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from '../layout/formats.ts';
import { Bans } from './bans.tsx';
import { History } from './history.tsx';
import { MemberTexts } from './member-texts.tsx';
import classes from './photo.module.css';
import { Notes } from './notes.tsx';
import { PhotoImage, Photos } from './photo.tsx';
import type { Entry, WaitingText } from './queue-queries.ts';
import { memberQuery, type Member } from './queries.ts';
import { isBanned, type Unit } from './review.ts';
import { StandingBadges } from './standing.tsx';

/** The texts of an entry of the kind `profile`. */
const textsOf = ({ texts }: Entry) => texts as Readonly<Record<string, string>>;

/** A text that waits beside the one that it replaces. */
export function TextChange({
  site,
  text: { field, current, proposed, flags },
}: {
  readonly site: number;
  readonly text: WaitingText;
}) {
  const { text, valueText } = useTexts();
  const label = useFieldText(site, [field]);
  return (
    <Stack gap="xs">
      <Group>
        <Text fw={600}>{label(field)}</Text>
        {flags.map((flag) => (
          <Badge key={flag} color="yellow.4" tt="none">
            {valueText('service.flag', flag)}
          </Badge>
        ))}
      </Group>
      <Text size="xl" className={classes.text}>
        {proposed ?? current}
      </Text>
      <Text size="sm" c="dimmed">
        {proposed === null ? text('service.text.published') : text('service.text.before')}
      </Text>
      {proposed !== null && <Text className={classes.text}>{current || '–'}</Text>}
    </Stack>
  );
}

/** The unit to decide on, large. */
function Subject({
  unit,
  isZoomed,
  onZoom,
}: {
  readonly unit: Unit;
  readonly isZoomed: boolean;
  readonly onZoom: () => void;
}) {
  const { text } = useTexts();
  const { photo, text: waiting, entry } = unit;
  if (waiting) return <TextChange site={entry.siteid} text={waiting} />;
  if (!photo)
    return (
      <Stack>
        <MemberTexts site={entry.siteid} texts={textsOf(entry)} />
        <Photos photos={entry.photos ?? []} />
      </Stack>
    );
  return (
    <Stack gap="xs">
      <button
        type="button"
        className={[classes.stage, isZoomed && classes.zoomed].filter(Boolean).join(' ')}
        onClick={onZoom}
        aria-label={text('service.zoom')}
        aria-pressed={isZoomed}
      >
        <PhotoImage key={photo.id} photo={photo} size="max1600" />
      </button>
      {photo.caption && <Text>{text('service.caption', { caption: photo.caption })}</Text>}
      <Group gap="xs">
        {photo.private && <Badge variant="default">{text('service.photo.private')}</Badge>}
        {photo.flagged && <Badge color="yellow.4">{text('service.photo.banned')}</Badge>}
      </Group>
    </Stack>
  );
}

/** Photos that are decided already. */
const others = (photos: Member['photos']) => photos.filter(({ status }) => status !== 'pending');

/** The member's other content, notes and history, beside the unit to decide on. */
function Background({ unit: { entry, kind } }: { readonly unit: Unit }) {
  const { text } = useTexts();
  const query = useQuery(memberQuery(useApi(), entry.id));
  return (
    <Part title={text('service.background')}>
      <Stack>
        {kind !== 'profile' && (
          <Loaded query={query}>
            {({ photos, texts }) => (
              <>
                {kind === 'photo' && others(photos).length > 0 && <Photos photos={others(photos)} />}
                <MemberTexts site={entry.siteid} texts={texts} />
              </>
            )}
          </Loaded>
        )}
        <Title order={3} size="h5">
          {text('service.notes')}
        </Title>
        <Notes member={entry} />
        <Title order={3} size="h5">
          {text('service.history')}
        </Title>
        <History member={entry.id} site={entry.siteid} />
      </Stack>
    </Part>
  );
}

/** One thing to decide on, and what is known beside it. */
export function UnitView(props: {
  readonly unit: Unit;
  readonly isZoomed: boolean;
  readonly onZoom: () => void;
}) {
  const { text, valueText } = useTexts();
  const { waited, country } = useFormats();
  const { entry } = props.unit;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card withBorder component="section" aria-label={text('service.toDecide')}>
        <Group justify="space-between" mb="xs">
          <MemberLink id={entry.id} username={entry.username} target="_blank" />
          <Text size="sm">{text('service.waitsSince', { since: waited(entry.since) })}</Text>
        </Group>
        <Group justify="space-between" mb="xs">
          <Text size="sm">
            {[valueText('service.gender', entry.gender), entry.age, country(entry.country)].join(' · ')}
          </Text>
          <StandingBadges member={entry} />
        </Group>
        <Subject {...props} />
        {isBanned(props.unit) && (
          <>
            <Title order={2} size="h4" my="xs">
              {text('service.bans.matches')}
            </Title>
            <Bans matches={entry.id} />
          </>
        )}
      </Card>
      <Background unit={props.unit} />
    </SimpleGrid>
  );
}

/** The decisions on a unit, with their keys. */
export function UnitActions({
  onApprove,
  onReject,
  onSkip,
}: {
  readonly onApprove: () => void;
  readonly onReject: () => void;
  readonly onSkip: () => void;
}) {
  const { text } = useTexts();
  return (
    <Group className={classes.actions}>
      <Button color="teal.9" onClick={onApprove}>
        {`${text('service.approve')} (A)`}
      </Button>
      <Button color="red.9" onClick={onReject}>
        {`${text('service.reject')} (R)`}
      </Button>
      <Button variant="default" onClick={onSkip}>
        {`${text('service.skip')} (S)`}
      </Button>
    </Group>
  );
}
