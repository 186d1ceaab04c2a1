import { Select, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/api.tsx';
import { Loaded } from '../../layout/page.tsx';
import { useFormats } from '../../layout/formats.ts';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import { runQuery, type JudgmentSet, type Run, type SearchResult } from './judgment-queries.ts';

/** The weights that differ between two runs: those that are not of the settings in force. */
function triedWeights(run: Run, before: Run | undefined): Run['weights'] {
  const tried = run.changed ? run : (before ?? run);
  const other = run.changed ? before : run;
  return Object.fromEntries(
    Object.entries(tried.weights).filter(([name, weight]) => other?.weights[name] !== weight),
  );
}

/** Members of a search with a grade. */
const gradedIn = ({ searches }: JudgmentSet, search: string): Set<number> =>
  new Set(searches.find(({ id }) => id === search)?.results.map(({ member }) => member));

/** One run by search, beside another one. The metric leads to the search under both settings. */
export function RunChanges({
  set,
  run,
  runs,
  before,
}: {
  readonly set: JudgmentSet;
  readonly run: Run;
  readonly runs: readonly Run[];
  readonly before: Run | undefined;
}) {
  const { text } = useTexts();
  const { number, time } = useFormats();
  const [against, setAgainst] = useState(before?.id);
  const query = useQuery(runQuery(useApi(), set.id, run.id, against));
  /** Members whose rank changed: `1002: 3 → 1`, and which of them nobody has graded. */
  const movesText = (search: string, moves: SearchResult['moves']) => {
    const graded = gradedIn(set, search);
    const beyond = text('judgments.beyond');
    return moves
      .map(({ member, before: was, after }) => {
        const name = graded.has(member) ? member : text('judgments.ungraded', { member });
        return `${name}: ${was ?? beyond} → ${after ?? beyond}`;
      })
      .join('; ');
  };
  const inShadow = run.index === 'shadow' && { index: run.index };
  const figure = (value: number | undefined) => (value === undefined ? '–' : number(value, 3, 3));
  const weights = triedWeights(
    run,
    runs.find(({ id }) => id === against),
  );
  return (
    <section aria-label={text('judgments.changes')}>
      <Title order={3} size="h5" mb="xs">
        {text('judgments.changesOf', { when: time(run.at) })}
      </Title>
      {runs.length > 1 && (
        <Select
          label={text('judgments.against')}
          value={against ?? null}
          onChange={(id) => setAgainst(id ?? undefined)}
          data={runs
            .filter(({ id }) => id !== run.id)
            .map(({ id, at, note }) => ({ value: id, label: `${time(at)} ${note}` }))}
          maw={360}
          mb="xs"
        />
      )}
      <Loaded query={query}>
        {({ searches }) => (
          <WideTable minWidth={480} head={[text('judgments.search'), 'nDCG@10', text('judgments.moved')]}>
            {searches.map(({ search, name, problem, quality, before: then, moves }) => (
              <Table.Tr key={search}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  <Link to="/search/compare" search={{ set: set.id, search, weights, ...inShadow }}>
                    {against ? `${figure(then?.ndcg)} → ${figure(quality?.ndcg)}` : figure(quality?.ndcg)}
                  </Link>
                </Table.Td>
                <Table.Td>
                  {problem === null ? movesText(search, moves) : <Text c="red.9">{problem}</Text>}
                </Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Loaded>
    </section>
  );
}
