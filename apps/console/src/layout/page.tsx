import { Alert, Button, Group, List, Skeleton, Stack, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { Refused, type PartProblem } from '../api/api.tsx';
import { Drafts } from './drafts.tsx';
import classes from './layout.module.css';
import { useTexts, type TextKey } from '../texts/texts.ts';

/** A page: its title, which gets the focus so that screen readers say where one is, and its content. */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { text } = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <Stack>
      <title>{`${title} · ${text('console')}`}</title>
      <Title ref={heading} order={1} size="h2" tabIndex={-1} className={classes.heading}>
        {title}
      </Title>
      <Drafts>{children}</Drafts>
    </Stack>
  );
}

/** Text of a problem, by the status of the response. */
const problems: Readonly<Record<number, TextKey>> = {
  403: 'problem.invalid',
  404: 'problem.gone',
  409: 'problem.changed',
  429: 'problem.tooMany',
};

function problemOf(error: Error): TextKey {
  if (!(error instanceof Refused)) return 'problem.failed';
  if (error.isForbidden) return 'problem.forbidden';
  if (error.status >= 500) return 'problem.unavailable';
  return problems[error.status] ?? 'problem.failed';
}

/** Whether a call got no answer: browsers say so in English. */
const isUnanswered = (error: Error): boolean => error instanceof TypeError;

/** Says why a call failed, and which parts of its input were refused; `describe` says where a part is. */
export function Problem({
  error,
  retry,
  describe = ({ path, problem }) => `${path} ${problem}`,
}: {
  readonly error: Error;
  readonly retry?: () => void;
  readonly describe?: (part: PartProblem) => string;
}) {
  const { text } = useTexts();
  const parts = (error instanceof Refused && error.failure.problems) || [];
  return (
    <Alert color="red" role="alert" title={text(isUnanswered(error) ? 'problem.offline' : problemOf(error))}>
      <Group justify="space-between">
        {!isUnanswered(error) && error.message}
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {text('problem.retry')}
          </Button>
        )}
      </Group>
      {parts.length > 0 && (
        <List size="sm">
          {parts.map((part) => (
            <List.Item key={part.path + part.problem}>{describe(part)}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** Shows the data of a query; before, a placeholder. Says why there is none, or none that is newer. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error } = query;
  if (data === undefined && !error) return <Skeleton h={160} />;
  return (
    <>
      {error && <Problem error={error} retry={() => void query.refetch()} />}
      {data !== undefined && children(data)}
    </>
  );
}
