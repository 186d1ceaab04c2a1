import { Button, Card, Group, NumberInput, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useApi } from '../api/api.tsx';
import { Ask } from '../layout/ask.tsx';
import { Form } from '../layout/form.tsx';
import { Loaded, Page } from '../layout/page.tsx';
import { Part } from '../layout/part.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './compared.module.css';
import { Results } from './compared.tsx';
import { CriteriaInput } from './criteria-input.tsx';
import { exampleCriteria, readJson } from './criteria-text.ts';
import { BeginExperiment } from './usage/begin-experiment.tsx';
import { runSettingsQuery, setQuery } from './judgments/judgment-queries.ts';
import { PublishDraft } from './publish-draft.tsx';
import {
  comparisonQuery,
  followsAfterMs,
  newestOf,
  settingsQuery,
  type ComparisonRequest,
  type Searched,
  type SearchSettings,
} from './queries.ts';
import { SearchedIndex } from './searched-index.tsx';
import { changeIn, draftOf, draftOn, withWeights, type SettingsDraft } from './settings-draft.ts';
import { SettingsFile } from './settings-file.tsx';
import { criteriaOf } from './weights.ts';
import { WeightSliders } from './weight-sliders.tsx';
import { useWorkbench, type ComparedSearch } from './workbench.tsx';

/** Chooses who searches for what. */
function SearchForm({
  first,
  onSearch,
}: {
  readonly first: ComparedSearch | undefined;
  readonly onSearch: (search: ComparedSearch) => void;
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
      orientation="vertical"
      maw={320}
    />
  );
}

/** The results under the settings in force, and beside them those under others, or of another index. */
function Comparison({
  search,
  settings,
  draft,
  onChange,
  onLeave,
  index,
}: {
  readonly search: ComparedSearch;
  readonly settings: SearchSettings;
  readonly draft: SettingsDraft;
  readonly onChange: (draft: SettingsDraft) => void;
  /** Ends the draft. */
  readonly onLeave: () => void;
  readonly index: Searched;
}) {
  const { text } = useTexts();
  const [searched, setSearched] = useState(index);
  const [tried] = useDebouncedValue(draft, followsAfterMs);
  const triedChange = changeIn(tried);
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
  const { base, weights, site } = draft;
  const change = changeIn(draft);
  const isReady = draft === tried && data !== undefined && !isPlaceholderData && !error;
  const { relevance, languages } = change ?? {};
  const experiment = relevance && !languages && { after: newestOf(base.versions), relevance, site };
  return (
    <div className={classes.workbench}>
      <Part title={text('search.settingsToTry')} className={classes.controls}>
        <Stack>
          <SearchedIndex searched={searched} onChange={setSearched} />
          {last && (
            <>
              <Scope
                own={String(last.siteid)}
                site={site}
                onChange={(chosen) => onChange(withWeights(draft, { weights, site: chosen }))}
              />
              <WeightSliders
                criteria={criteriaOf(last.current)}
                siteid={String(last.siteid)}
                draft={draft}
                onChange={(changed) => onChange(withWeights(draft, { weights: changed, site }))}
              />
            </>
          )}
          <SettingsFile draft={draft} onChange={onChange} />
          <PublishDraft settings={settings} draft={draft} isReady={isReady} onLeave={onLeave}>
            <BeginExperiment tried={(isReady && experiment) || undefined} onBegun={onLeave} />
            <Button variant="default" size="compact-sm" component={Link} to="/search/judgments">
              {text('search.judge')}
            </Button>
          </PublishDraft>
          {change && !isReady && (
            <Text size="sm" role="status">
              {text('search.changes.comparing')}
            </Text>
          )}
        </Stack>
      </Part>
      <div>
        <Loaded query={query}>
          {(compared) =>
            compared && (
              <SimpleGrid cols={{ base: 1, sm: compared.changed ? 2 : 1 }}>
                <Results
                  title={text('search.current')}
                  variant={compared.current}
                  side={compared.changed ? 'inForce' : 'alone'}
                />
                {compared.changed && (
                  <Results
                    title={text(searched === 'shadow' ? 'search.shadow' : 'search.changed')}
                    variant={compared.changed}
                    side="changed"
                  />
                )}
              </SimpleGrid>
            )
          }
        </Loaded>
      </div>
    </div>
  );
}

/** The form, and what it found. */
function Comparisons({
  settings,
  link,
  index,
}: {
  readonly settings: SearchSettings;
  /** The search and the settings of a link, until the person takes others. */
  readonly link: { readonly search?: ComparedSearch | undefined; readonly draft?: SettingsDraft | undefined };
  readonly index: Searched;
}) {
  const { text } = useTexts();
  const { draft, changed, setDraft, search, setSearch } = useWorkbench();
  const [linked, setLinked] = useState(link);
  /** A change of the linked settings that would replace the person's own draft. */
  const [replacing, setReplacing] = useState<SettingsDraft>();
  const shown = linked.search ?? search;
  // The same object while nothing changes: what follows it waits for its end.
  const tried = useMemo(() => draftOn(settings, linked.draft ?? draft), [settings, linked.draft, draft]);
  const unlink = () => setLinked({ search: linked.search });
  const edit = (next: SettingsDraft) => {
    setDraft(next);
    unlink();
  };
  // The person's own draft outlives the settings of a link.
  const leave = () => (linked.draft ? unlink() : setDraft(undefined));
  return (
    <>
      <Card withBorder>
        <SearchForm
          first={shown}
          onSearch={(next) => {
            setSearch(next);
            setLinked({ draft: linked.draft });
          }}
        />
      </Card>
      {shown && (
        <Comparison
          search={shown}
          settings={settings}
          draft={tried}
          onChange={linked.draft && changed ? setReplacing : edit}
          onLeave={leave}
          index={index}
        />
      )}
      <Ask
        isOpen={replacing !== undefined}
        label={text('search.replaceDraft')}
        consequence={text('search.replaceDraftWhy')}
        run={() => Promise.resolve(replacing && edit(replacing))}
        close={() => setReplacing(undefined)}
      />
    </>
  );
}

/** A search of a judgment set, under the settings of a run if the link names one. */
function Linked({
  settings,
  set,
  search,
  run,
  index,
}: {
  readonly settings: SearchSettings;
  readonly set: string;
  readonly search: string | undefined;
  readonly run: string | undefined;
  readonly index: Searched;
}) {
  const api = useApi();
  const ofSet = useQuery(setQuery(api, set));
  const ofRun = useQuery(runSettingsQuery(api, set, run));
  return (
    <Loaded query={ofSet}>
      {({ searches }) => (
        <Loaded query={ofRun}>
          {(tried) => {
            const found = searches.find(({ id }) => id === search);
            const link = {
              search: found && {
                member: found.member,
                criteria: found.criteria,
                sortby: found.sortby,
                as_subscriber: true,
              },
              draft: tried ? draftOf(settings, tried) : undefined,
            };
            return <Comparisons settings={settings} link={link} index={index} />;
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

/** One search as a member under two settings: who moves, and why. A link may name a search of a judgment set, a run, and the index. */
export function ComparePage() {
  const { text } = useTexts();
  const { set, search, run, index = 'live' } = useSearch({ from: '/search/compare' });
  const query = useQuery(settingsQuery(useApi()));
  return (
    <Page title={text('search.compare')}>
      <Text>{text('search.compare.how')}</Text>
      <Loaded query={query}>
        {(settings) =>
          set === undefined ? (
            <Comparisons settings={settings} link={{}} index={index} />
          ) : (
            <Linked
              key={[set, search, run, index].join()}
              settings={settings}
              set={set}
              search={search}
              run={run}
              index={index}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
