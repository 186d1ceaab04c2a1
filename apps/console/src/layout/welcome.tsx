import { Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Page, Problem } from './page.tsx';
import { useTexts, type TextKey } from '../texts/texts.ts';

function Message({ title, why }: Readonly<Record<'title' | 'why', TextKey>>) {
  const { text } = useTexts();
  return (
    <Page title={text(title)}>
      <Text>{text(why)}</Text>
    </Page>
  );
}

/** The first page of a person whose roles open no page. */
export const Welcome = () => <Message title="layout.welcome" why="layout.noPages" />;

/** An address without a page. */
export const NotFound = () => <Message title="layout.notFound" why="layout.notFoundWhy" />;

/** A page that failed; a reload tries again, with the files of a new version. */
export function Broken({ error }: ErrorComponentProps) {
  const { text } = useTexts();
  return (
    <Page title={text('problem.failed')}>
      <Problem
        error={error instanceof Error ? error : new Error(String(error))}
        retry={() => location.reload()}
      />
    </Page>
  );
}
