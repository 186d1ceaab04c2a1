import { Button, Card, Group, NumberInput, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../api/api.tsx';
import { Form } from '../layout/form.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { useTexts } from '../texts/texts.ts';
import { Results } from './compared.tsx';
import { CriteriaInput } from './criteria-input.tsx';
import { exampleCriteria, readJson } from './criteria-text.ts';
import { BeginExperiment } from './usage/begin-experiment.tsx';
import { setQuery } from './judgments/judgment-queries.ts';
import { Publish } from './publish.tsx';
import {
  comparisonQuery,
  followsAfterMs,
  newestOf,
  settingsQuery,
  type ComparisonRequest,
  type Searched,
  type SearchSettings,
  type SettingsChange,
} from './queries.ts';
import { SearchedIndex } from './searched-index.tsx';
import { changeIn, draftChanges, type SettingsDraft } from './settings-draft.ts';
import { SettingsFile } from './settings-file.tsx';
import { criteriaOf, equalsOf, rankingOf, weightChanges, withWeight, type Weights } from './weights.ts';
import { WeightSliders } from './weight-sliders.tsx';

type Search = Pick<ComparisonRequest, 'member' | 'criteria' | 'sortby' | 'as_subscriber'>;

/** Chooses who searches for what. */
function SearchForm({
  first,
  onSearch,
}: {
  readonly first: Search | undefined;
  readonly onSearch: (search: Search) => void;
}) {
  const { text } = useTexts();
  const [member, setMember] = useState<number | string>(first?.member ?? '');
  const [criteria, setCriteria] = useState(first ? JSON.stringify(first.criteria, null, 2) : exampleCriteria);
  return (
    <Form
      onSubmit={() => {
        const read = readJson(criteria);
        // A search of a judgment set keeps what the form does not show: its order, and criteria for subscribers.
        if (read) onSearch({ ...first, member: Number(member), criteria: read });
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
        <CriteriaInput value={criteria} onChange={setCriteria} />
        <Group>
          <Button type="submit">{text('search.compare.run')}</Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** Chooses whether changed weights count on every site, or on the site of the searcher; a choice for that of another one stays. */
function Scope({
  own,
  site,
  onChange,
}: {
  readonly own: string;
  readonly site: string | undefined;
  readonly onChange: (site: string | undefined) => void;
}) {
  const { text } = useTexts();
  return (
    <SegmentedControl
      aria-label={text('search.scope')}
      data={[
        { value: '', label: text('search.scope.every') },
        ...[own, ...(site !== undefined && site !== own ? [site] : [])].map((one) => ({
          value: one,
          label: text('search.scope.site', { site: one }),
        })),
      ]}
      value={site ?? ''}
      onChange={(chosen) => onChange(chosen || undefined)}
      maw={480}
    />
  );
}

/** The tried settings: weights of the sliders, or any settings. */
interface Tried {
  readonly weights: Weights;
  /** The site whose weights these are; undefined for every site. */
  readonly site?: string | undefined;
  /** Replaces the sliders. */
  readonly draft?: SettingsDraft | undefined;
}

/** The change that is tried; undefined without one. */
function changeOf({ weights, site, draft }: Tried, settings: SearchSettings): SettingsChange | undefined {
  if (draft) return changeIn(draft);
  const names = Object.entries(weights);
  if (!names.length) return undefined;
  const inForce = rankingOf(settings);
  return { relevance: names.reduce((all, [name, weight]) => withWeight(all, name, weight, site), inForce) };
}

/** The results under the settings in force, and beside them those under others, or of another index. */
function Comparison({
  search,
  settings,
  changed,
  onChange,
  index,
}: {
  readonly search: Search;
  readonly settings: SearchSettings;
  readonly changed: Tried;
  readonly onChange: (changed: Tried) => void;
  readonly index: Searched;
}) {
  const { text } = useTexts();
  const { weights, site, draft } = changed;
  const [searched, setSearched] = useState(index);
  const [tried] = useDebouncedValue(changed, followsAfterMs);
  const base = draft?.base ?? settings;
  const inForce = rankingOf(base);
  const triedChange = changeOf(tried, settings);
  const body: ComparisonRequest = {
    ...search,
    pagesize: 20,
    ...(triedChange && { settings: triedChange }),
    ...(searched === 'shadow' && { index: searched }),
  };
  const query = useQuery(comparisonQuery(useApi(), body));
  const { data, error, isPlaceholderData } = query;
  // The controls stay where another comparison fails.
  const [last, setLast] = useState(data);
  if (data && data !== last) setLast(data);
  const change = changeOf(changed, settings);
  const isReady = changed === tried && data !== undefined && !isPlaceholderData && !error;
  const unset = text('search.changes.default');
  const ofWeights = weightChanges(inForce, weights, site).map(({ site: of, name, from, to }) => {
    const values = { name, from: from ?? unset, to };
    return of === undefined
      ? text('search.changes.weight', values)
      : text('search.changes.siteWeight', { ...values, site: of });
  });
  const changes = draft ? draftChanges(draft, unset) : ofWeights;
  const experimentWith = ({ relevance, languages }: SettingsChange = {}) =>
    relevance && !languages ? { after: newestOf(base.versions), relevance, site } : undefined;
  const isOfFile = base.relevance === null && change?.relevance;
  return (
    <Stack>
      <Part title={text('search.weights')}>
        <Stack>
          <SearchedIndex searched={searched} onChange={setSearched} />
          {last && !draft && (
            <>
              <Scope
                own={String(last.siteid)}
                site={site}
                onChange={(chosen) => onChange({ weights, site: chosen })}
              />
              <WeightSliders
                criteria={criteriaOf(last.current)}
                equals={equalsOf(inForce, String(last.siteid))}
                weights={weights}
                onChange={(next) => onChange({ weights: next, site })}
              />
            </>
          )}
          <SettingsFile
            settings={settings}
            draft={draft}
            onChange={(next) => onChange({ weights: {}, draft: next })}
          />
          <Publish
            after={newestOf(base.versions)}
            current={newestOf(settings.versions)}
            change={change}
            changes={isOfFile ? [...changes, text('search.changes.file')] : changes}
            isReady={isReady}
            onPublished={() => onChange({ weights: {}, site })}
          />
          <Group>
            <BeginExperiment tried={isReady ? experimentWith(change) : undefined} />
          </Group>
          {change && !isReady && (
            <Text size="sm" role="status">
              {text('search.changes.comparing')}
            </Text>
          )}
        </Stack>
      </Part>
      <Loaded query={query}>
        {(compared) =>
          compared && (
            <SimpleGrid cols={{ base: 1, sm: compared.changed ? 2 : 1 }}>
              <Results title={text('search.current')} variant={compared.current} />
              {compared.changed && (
                <Results
                  title={text(searched === 'shadow' ? 'search.shadow' : 'search.changed')}
                  variant={compared.changed}
                  isChanged
                />
              )}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Stack>
  );
}

/** The form, and what it found. Another search keeps what is tried, except the weights of a link, which are of its search. */
function Comparisons({
  first,
  weights,
  index,
}: {
  readonly first: Search | undefined;
  readonly weights: Weights;
  readonly index: Searched;
}) {
  const settings = useQuery(settingsQuery(useApi()));
  const [search, setSearch] = useState(first);
  const [linked] = useState<Tried>({ weights });
  const [changed, setChanged] = useState(linked);
  return (
    <>
      <Card withBorder>
        <SearchForm
          first={first}
          onSearch={(next) => {
            setSearch(next);
            if (changed === linked) setChanged({ weights: {} });
          }}
        />
      </Card>
      {search && (
        <Loaded query={settings}>
          {(data) => (
            <Comparison
              search={search}
              settings={data}
              changed={changed}
              onChange={setChanged}
              index={index}
            />
          )}
        </Loaded>
      )}
    </>
  );
}

/** One search as a member under two settings: who moves, and why. A link may name a search of a judgment set, weights to try, and the index. */
export function ComparePage() {
  const { text } = useTexts();
  const { set, search, weights = {}, index = 'live' } = useSearch({ from: '/search/compare' });
  const query = useQuery({ ...setQuery(useApi(), set ?? ''), enabled: set !== undefined });
  return (
    <Page title={text('search.compare')}>
      {set === undefined ? (
        <Comparisons first={undefined} weights={weights} index={index} />
      ) : (
        <Loaded query={query}>
          {({ searches }) => {
            const found = searches.find(({ id }) => id === search);
            const first = found && {
              member: found.member,
              criteria: found.criteria,
              sortby: found.sortby,
              as_subscriber: true,
            };
            return <Comparisons key={search} first={first} weights={weights} index={index} />;
          }}
        </Loaded>
      )}
    </Page>
  );
}
