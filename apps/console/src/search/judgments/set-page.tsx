import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Ask } from '../../layout/ask.tsx';
import { useFormats } from '../../layout/formats.ts';
import { Loaded, Page } from '../../layout/page.tsx';
import { Part } from '../../layout/part.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Files } from './files.tsx';
import { setQuery, setsQuery, type JudgmentSet } from './judgment-queries.ts';
import { Rate } from './rate.tsx';
import { Runs } from './runs.tsx';
import { Searches } from './searches.tsx';
import { useTried, type Choice } from './tried-settings.tsx';
import { useWorkbench } from '../workbench.tsx';

/** Deletes the set, after a question. */
function DeleteSet({ set: { id, name } }: { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, { open, close }] = useDisclosure(false);
  const remove = async () => {
    await dataOf(api.DELETE('/staff/search/judgment-sets/{id}', { params: { path: { id } } }));
    await queries.invalidateQueries(setsQuery(api));
    await navigate({ to: '/search/judgments' });
  };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={open}>
        {text('judgments.deleteSet')}
      </Button>
      <Ask
        isOpen={isAsking}
        title={text('judgments.deleteWhat', { name })}
        label={text('judgments.deleteSet')}
        color="red.8"
        run={remove}
        close={close}
      />
    </>
  );
}

/** The number of raters and ratings, and their agreement. */
function Agreement({ set: { searches, agreement } }: { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const { number } = useFormats();
  const ratings = searches.flatMap(({ results }) => results.flatMap((one) => one.ratings));
  const raters = new Set(ratings.map(({ rater }) => rater)).size;
  const alpha = agreement === null ? '–' : number(agreement, 2);
  return (
    <Text role="status" title={text('judgments.agreementWhy')}>
      {text('judgments.agreement', { raters, ratings: ratings.length, alpha })}
    </Text>
  );
}

function SetContent({ set }: { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const [chosen, setChosen] = useState<string>();
  const { changed } = useWorkbench();
  const [choice, setChoice] = useState<Choice>(changed ? 'draft' : 'inForce');
  const tried = useTried(choice);
  const search = set.searches.find(({ id }) => id === chosen);
  return (
    <>
      <Group justify="space-between">
        <Agreement set={set} />
        <DeleteSet set={set} />
      </Group>
      {set.searches.length > 0 && <Runs set={set} tried={tried} choice={choice} onChoose={setChoice} />}
      <Part title={text('judgments.searches')}>
        <Searches set={set} onRate={setChosen} />
      </Part>
      {search && <Rate key={search.id} set={set} search={search} change={tried.change} />}
      <Files set={set} />
    </>
  );
}

/** One set: its runs, its searches, and their results to grade. */
export function SetPage() {
  const { text } = useTexts();
  const { set: id } = useParams({ from: '/search/judgments/$set' });
  const query = useQuery(setQuery(useApi(), id));
  return (
    <Page title={query.data?.name ?? text('judgments')}>
      <Loaded query={query}>{(set) => <SetContent set={set} />}</Loaded>
    </Page>
  );
}
