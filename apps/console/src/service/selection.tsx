import { Badge, Button, Card, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api.tsx';
import { usePerson } from '../session/person.ts';
import { memberName } from '../layout/member-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { useDecisions, type Why } from './decisions.ts';
import { useDrafts } from '../layout/drafts.tsx';
import { useFormats } from '../layout/formats.ts';
import { Listed } from '../layout/listed.tsx';
import { HeldBy } from './held-by.tsx';
import { MemberTexts } from './member-texts.tsx';
import { UnsavedNotes } from './notes.tsx';
import { PhotoImage, VeilButton } from './photo.tsx';
import { waitingQuery, type Wanted } from './queue-queries.ts';
import { Recent } from './recent.tsx';
import { ReasonPanel } from './reason-panel.tsx';
import { isBanned, unitsOf, type Unit } from './review.ts';
import { TextChange } from './unit-view.tsx';

/** Decisions of one call. */
const mostAtOnce = 50;

const reasonDraft = 'reason of several';

/** A unit as it was decided on: it is another one after a change by its member. */
const stateOf = ({ key, revision }: Unit) => `${key} ${revision}`;

function UnitCard({
  unit,
  isChosen,
  onChoose,
}: {
  readonly unit: Unit;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const { id: self } = usePerson();
  const { text } = useTexts();
  const { waited } = useFormats();
  const { entry, photo, text: waiting } = unit;
  const { claimed_by: holder } = entry;
  const isTaken = holder !== undefined && holder !== self;
  return (
    <Card withBorder p="xs" component="li">
      <Checkbox
        label={memberName(entry)}
        description={waited(entry.since)}
        checked={isChosen}
        disabled={isTaken}
        onChange={(event) => onChoose(event.currentTarget.checked)}
        mb="xs"
      />
      {holder !== undefined && (
        <Badge variant="default">
          <HeldBy staff={holder} />
        </Badge>
      )}
      {isBanned(unit) && <Badge color="yellow.4">{text('service.flag.banned')}</Badge>}
      {photo && <PhotoImage photo={photo} size="square250" />}
      {waiting && <TextChange site={entry.siteid} text={waiting} />}
      {unit.kind === 'profile' && (
        <MemberTexts site={entry.siteid} texts={entry.texts as Readonly<Record<string, string>>} />
      )}
    </Card>
  );
}

/** Decides on several units of the queue at once. */
export function Selection(wanted: Wanted) {
  const { text } = useTexts();
  const { id: self } = usePerson();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [isRejecting, setIsRejecting] = useState(false);
  const { end } = useDrafts();
  const decisions = useDecisions(() => setDecided(new Set()));
  const query = useInfiniteQuery(waitingQuery(useApi(), wanted));
  const all = (query.data?.pages ?? []).flatMap(({ entries }) => entries).flatMap(unitsOf);
  const waiting = all.filter((unit) => !decided.has(stateOf(unit)));
  const free = waiting.filter(({ entry: { claimed_by: by } }) => by === undefined || by === self);
  const selected = free.filter(({ key }) => chosen.has(key)).slice(0, mostAtOnce);
  const choose = (keys: readonly string[]) => {
    setChosen(new Set(keys));
    // The typed reason and facts are about the former selection.
    end(reasonDraft);
  };
  const cancel = () => {
    setIsRejecting(false);
    end(reasonDraft);
  };
  const decide = (why?: Why) => {
    decisions.decide(selected, why);
    setDecided(new Set([...decided, ...selected.map(stateOf)]));
    choose([]);
    setIsRejecting(false);
  };
  // Another list is another selection.
  useEffect(() => () => end(reasonDraft), [end]);
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Button
            variant="default"
            onClick={() => choose(selected.length ? [] : free.slice(0, mostAtOnce).map(({ key }) => key))}
          >
            {text(selected.length ? 'service.select.none' : 'service.select.all')}
          </Button>
          <Button color="teal.9" disabled={!selected.length} onClick={() => decide()}>
            {text('service.select.approve', { count: selected.length })}
          </Button>
          <Button color="red.9" disabled={!selected.length} onClick={() => setIsRejecting(true)}>
            {text('service.select.reject', { count: selected.length })}
          </Button>
        </Group>
        <VeilButton />
      </Group>
      {isRejecting && (
        <ReasonPanel
          kind={wanted.kind}
          sites={selected.map(({ entry }) => entry.siteid)}
          hasFacts
          draft={reasonDraft}
          onChosen={decide}
          onCancel={cancel}
        />
      )}
      <Recent decisions={decisions} />
      <UnsavedNotes />
      <Listed query={query}>
        {() =>
          waiting.length ? (
            <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3, lg: 4 }} p={0} m={0}>
              {waiting.map((unit) => (
                <UnitCard
                  key={unit.key}
                  unit={unit}
                  isChosen={chosen.has(unit.key)}
                  onChoose={(isChosen) => {
                    const others = [...chosen].filter((key) => key !== unit.key);
                    choose(isChosen ? [...others, unit.key] : others);
                  }}
                />
              ))}
            </SimpleGrid>
          ) : (
            <Text c="dimmed">{text('service.nothing')}</Text>
          )
        }
      </Listed>
    </Stack>
  );
}
