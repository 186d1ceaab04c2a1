import { Select, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../api/api.tsx';
import { Loaded } from '../../layout/page.tsx';
import { useFormats } from '../../layout/formats.ts';
import { WideTable } from '../../layout/wide-table.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../compared.module.css';
import { runQuery, type JudgmentSet, type Run, type SearchResult } from './judgment-queries.ts';

/** Members of a search with a grade. */
const gradedIn = ({ searches }: JudgmentSet, search: string): Set<number> =>
  new Set(searches.find(({ id }) => id === search)?.results.map(({ member }) => member));

/** Brings into view what a person has asked for. */
const appear = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'start' });

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
  // One of the two is compared with the settings in force.
  const tried = run.changed ? run.id : (against ?? run.id);
  return (
    <section ref={appear} className={classes.appearing} aria-label={text('judgments.changes')}>
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
                  <Link to="/search/compare" search={{ set: set.id, search, run: tried, ...inShadow }}>
                    {against ? `${figure(then?.ndcg)} → ${figure(quality?.ndcg)}` : figure(quality?.ndcg)}
                  </Link>
                </Table.Td>
                <Table.Td>
                  {problem === null ? (
                    movesText(search, moves)
                  ) : (
                    <span className={classes.problem}>{problem}</span>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Loaded>
    </section>
  );
}
