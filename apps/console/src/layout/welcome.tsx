import { Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Page, Problem } from './page.tsx';
import { useTexts } from '../texts/texts.ts';

/** The first page of a person whose roles open no page. */
export function Welcome() {
  const { text } = useTexts();
  return (
    <Page title={text('layout.welcome')}>
      <Text>{text('layout.noPages')}</Text>
    </Page>
  );
}

/** An address without a page. */
export function NotFound() {
  const { text } = useTexts();
  return (
    <Page title={text('layout.notFound')}>
      <Text>{text('layout.notFoundWhy')}</Text>
    </Page>
  );
}

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
