import { Button, Card, Group, JsonInput, NumberInput, SimpleGrid, Stack, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { Results } from './compared.tsx';
import { Publish } from './publish.tsx';
import {
  comparisonQuery,
  newestOf,
  settingsQuery,
  type ComparisonRequest,
  type Relevance,
  type SearchSettings,
} from './queries.ts';
import { criteriaOf, withWeight, type Weights } from './weights.ts';
import { WeightSliders } from './weight-sliders.tsx';

/** The page follows a slider within a second. */
const followsAfterMs = 250;

/** What the form begins with. */
const exampleCriteria = JSON.stringify({ age: { from: 25, to: 45 }, smoking: { value: 10 } }, null, 2);

type Search = Pick<ComparisonRequest, 'member' | 'criteria'>;

/** The criteria of a text; undefined if it is no JSON. */
function readJson(json: string): Search['criteria'] | undefined {
  try {
    return JSON.parse(json) as Search['criteria'];
  } catch {
    return undefined;
  }
}

/** Chooses who searches for what. */
function SearchForm({ onSearch }: { readonly onSearch: (search: Search) => void }) {
  const { text } = useTexts();
  const [member, setMember] = useState<number | string>('');
  const [criteria, setCriteria] = useState(exampleCriteria);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const read = readJson(criteria);
        if (read) onSearch({ member: Number(member), criteria: read });
      }}
    >
      <Stack>
        <NumberInput
          label={text('search.member')}
          description={text('search.memberWhy')}
          value={member}
          onChange={setMember}
          min={1}
          allowDecimal={false}
          required
          hideControls
        />
        <JsonInput
          label={text('search.criteria')}
          description={text('search.criteriaWhy')}
          value={criteria}
          onChange={setCriteria}
          validationError={text('search.notJson')}
          autosize
          minRows={4}
          maxRows={16}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group>
          <Button type="submit">{text('search.compare.run')}</Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The results under the settings in force, and beside them those with the weights of the sliders. */
function Comparison({ search, settings }: { readonly search: Search; readonly settings: SearchSettings }) {
  const { text } = useTexts();
  const [weights, setWeights] = useState<Weights>({});
  const [tried] = useDebouncedValue(weights, followsAfterMs);
  const inForce: Relevance = settings.relevance ?? settings.file;
  const changedBy = (by: Weights) =>
    Object.entries(by).reduce((all, [name, weight]) => withWeight(all, name, weight), inForce);
  const isTried = Object.keys(tried).length > 0;
  const body = { ...search, pagesize: 20, ...(isTried && { settings: { relevance: changedBy(tried) } }) };
  const query = useQuery(comparisonQuery(useApi(), body));
  const isChanged = Object.keys(weights).length > 0;
  return (
    <Stack>
      <Loaded query={query}>
        {(data) =>
          data && (
            <>
              <Card withBorder>
                <Title order={2} size="h4" mb="xs">
                  {text('search.weights')}
                </Title>
                <WeightSliders criteria={criteriaOf(data.current)} weights={weights} onChange={setWeights} />
                <Publish
                  after={newestOf(settings.versions)}
                  current={newestOf(settings.versions)}
                  change={isChanged ? { relevance: changedBy(weights) } : undefined}
                  describe={({ path, problem }) => `${path} ${problem}`}
                  onPublished={() => setWeights({})}
                />
              </Card>
              <SimpleGrid cols={{ base: 1, sm: data.changed ? 2 : 1 }}>
                <Results title={text('search.current')} variant={data.current} />
                {data.changed && <Results title={text('search.changed')} variant={data.changed} isChanged />}
              </SimpleGrid>
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

/** One search as a member under two settings: who moves, and why. */
export function ComparePage() {
  const { text } = useTexts();
  const settings = useQuery(settingsQuery(useApi()));
  const [search, setSearch] = useState<Search>();
  return (
    <Page title={text('search.compare')}>
      <Card withBorder>
        <SearchForm onSearch={setSearch} />
      </Card>
      {search && (
        <Loaded query={settings}>
          {(data) => <Comparison key={JSON.stringify(search)} search={search} settings={data} />}
        </Loaded>
      )}
    </Page>
  );
}
