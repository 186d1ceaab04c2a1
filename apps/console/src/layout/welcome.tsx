import { Text } from '@mantine/core';
import { Page } from './page.tsx';
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
