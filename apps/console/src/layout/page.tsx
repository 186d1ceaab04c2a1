import { Alert, Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { Refused } from '../api/api.tsx';
import classes from './layout.module.css';
import { useTexts } from '../texts/texts.ts';

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
      {children}
    </Stack>
  );
}

/** Says why a call failed. */
export function Problem({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const { text } = useTexts();
  const isForbidden = error instanceof Refused && error.isForbidden;
  return (
    <Alert color="red" role="alert" title={text(isForbidden ? 'problem.forbidden' : 'problem.failed')}>
      <Group justify="space-between">
        {error.message}
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {text('problem.retry')}
          </Button>
        )}
      </Group>
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
