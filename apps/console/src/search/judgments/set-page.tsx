import { Button, Card, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Loaded, Page, Problem } from '../../layout/page.tsx';
import { Dialog } from '../../layout/dialog.tsx';
import { useFormats } from '../../layout/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import { Files } from './files.tsx';
import { setQuery, setsQuery, type JudgmentSet, type TriedWeight } from './judgment-queries.ts';
import { Rate } from './rate.tsx';
import { Runs } from './runs.tsx';
import { Searches } from './searches.tsx';

/** Asks, then deletes the set. */
function DeleteSet({ set }: { readonly set: JudgmentSet }) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/staff/search/judgment-sets/{id}', { params: { path: { id: set.id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries(setsQuery(api));
      await navigate({ to: '/search/judgments' });
    },
  });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
        {text('judgments.deleteSet')}
      </Button>
      <Dialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={text('judgments.deleteWhat', { name: set.name })}
      >
        {error && <Problem error={error} />}
        <Button color="red.8" loading={isPending} onClick={() => mutate()} data-autofocus>
          {text('judgments.deleteSet')}
        </Button>
      </Dialog>
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
  const [tried, setTried] = useState<TriedWeight>({ criterion: null, weight: '' });
  const search = set.searches.find(({ id }) => id === chosen);
  return (
    <>
      <Group justify="space-between">
        <Agreement set={set} />
        <DeleteSet set={set} />
      </Group>
      <Runs set={set} tried={tried} onTry={setTried} />
      <Card withBorder>
        <Title order={2} size="h4" mb="xs">
          {text('judgments.searches')}
        </Title>
        <Searches set={set} onRate={setChosen} />
      </Card>
      {search && <Rate key={search.id} set={set} search={search} tried={tried} />}
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
