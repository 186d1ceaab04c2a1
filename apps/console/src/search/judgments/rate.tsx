import { Card, Group, Radio, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { dataOf, useApi } from '../../api/api.tsx';
import { Loaded, Problem } from '../../layout/page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Parts } from '../compared.tsx';
import classes from '../compared.module.css';
import { comparisonQuery, type ComparedMember, type Comparison, type SettingsChange } from '../queries.ts';
import { setQuery, type JudgedSearch, type JudgmentSet } from './judgment-queries.ts';

const grades = ['0', '1', '2', '3'] as const;

type Ratings = JudgedSearch['results'][number]['ratings'];

/** The grade of one result; the grades of others are shown once the person has given their own. */
function Grade({
  member: { id, username },
  place,
  ratings,
  onGrade,
}: {
  readonly member: ComparedMember;
  readonly place: number;
  readonly ratings: Ratings;
  readonly onGrade: (grade: number) => void;
}) {
  const { text } = useTexts();
  const own = ratings.find(({ mine }) => mine);
  const others = ratings.filter(({ mine }) => !mine).map(({ grade }) => grade);
  return (
    <Radio.Group
      label={`${place}. ${username ?? '–'} (${id})`}
      value={own ? String(own.grade) : null}
      onChange={(value) => onGrade(Number(value))}
    >
      <Group gap="lg">
        {grades.map((grade) => (
          <Radio key={grade} value={grade} label={text(`judgments.grade.${grade}`)} />
        ))}
        {own && others.length > 0 && (
          <Text size="sm">{text('judgments.others', { grades: others.join(', ') })}</Text>
        )}
      </Group>
    </Radio.Group>
  );
}

/** The first results, then those that only the other settings show: what is not graded counts as no match. */
function pooled({ current, changed }: Comparison): ComparedMember[] {
  const shown = new Set(current.users.map(({ id }) => id));
  return [...current.users, ...(changed?.users.filter(({ id }) => !shown.has(id)) ?? [])];
}

/** The first results of a search, also under the tried settings, graded by a click, or by the keys 0 to 3, which go on to the next one. */
export function Rate({
  set,
  search,
  change,
}: {
  readonly set: JudgmentSet;
  readonly search: JudgedSearch;
  readonly change: SettingsChange | undefined;
}) {
  const { text } = useTexts();
  const api = useApi();
  const queries = useQueryClient();
  const list = useRef<HTMLOListElement>(null);
  const card = useRef<HTMLElement>(null);
  const { member, criteria, sortby } = search;
  const asked = { member, criteria, sortby, as_subscriber: true, pagesize: 20 };
  const query = useQuery(comparisonQuery(api, { ...asked, ...(change && { settings: change }) }));
  const isThere = Boolean(query.data);
  useEffect(() => {
    if (isThere) card.current?.scrollIntoView({ block: 'start' });
  }, [isThere]);
  const { mutate, error } = useMutation({
    mutationFn: ({ id, grade }: { readonly id: number; readonly grade: number | null }) =>
      dataOf(
        api.POST('/staff/search/judgment-sets/{id}/ratings', {
          params: { path: { id: set.id } },
          body: { ratings: [{ search: search.id, member: id, grade }] },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(setQuery(api, set.id)),
  });
  const ratingsOf = (id: number): Ratings =>
    search.results.find((result) => result.member === id)?.ratings ?? [];
  const onKeyDown = (event: KeyboardEvent, id: number, at: number) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isGrade = grades.some((grade) => grade === event.key);
    if (!isGrade && event.key !== 'Delete') return;
    event.preventDefault();
    mutate({ id, grade: isGrade ? Number(event.key) : null });
    const next = list.current?.children[isGrade ? at + 1 : at];
    const inputs = [...(next?.querySelectorAll('input') ?? [])];
    (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus();
  };
  return (
    <Card
      ref={card}
      className={classes.appearing}
      withBorder
      component="section"
      aria-label={text('judgments.rateWhat', { name: search.name })}
    >
      <Title order={2} size="h4">
        {search.name}
      </Title>
      <Text size="sm" mb="xs">
        {text('judgments.rateHow')}
      </Text>
      {error && <Problem error={error} />}
      <Loaded query={query}>
        {(data) => (
          <ol ref={list} className={classes.graded}>
            {(data ? pooled(data) : []).map((one, at) => (
              <li key={one.id} onKeyDown={(event) => onKeyDown(event, one.id, at)}>
                <Grade
                  member={one}
                  place={at + 1}
                  ratings={ratingsOf(one.id)}
                  onGrade={(grade) => mutate({ id: one.id, grade })}
                />
                <Parts member={one} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}
