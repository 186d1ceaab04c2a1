import { Card, Code, List, Stack, Text, Title } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Page } from '../layout/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { sectionsOf, type Block, type Span } from './runbook-text.ts';

const sections = sectionsOf(RUNBOOKS);

function Spans({ spans }: { readonly spans: readonly Span[] }) {
  return spans.map(({ kind, text, section }, at) => {
    const key = `${at} ${text}`;
    if (kind === 'code') return <Code key={key}>{text}</Code>;
    if (kind === 'strong') return <strong key={key}>{text}</strong>;
    if (kind === 'link')
      return (
        <Link key={key} to="/operators/runbooks" {...(section !== undefined && { hash: section })}>
          {text}
        </Link>
      );
    return <span key={key}>{text}</span>;
  });
}

function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === 'paragraph')
    return (
      <Text>
        <Spans spans={block.spans} />
      </Text>
    );
  return (
    <List type="ordered" spacing={4}>
      {block.items.map((spans) => (
        <List.Item key={spans.map(({ text }) => text).join('')}>
          <Spans spans={spans} />
        </List.Item>
      ))}
    </List>
  );
}

/** The runbooks of this version, in English as they are written. A link to one shows it. */
export function RunbooksPage() {
  const { text } = useTexts();
  const wanted = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    document.getElementById(wanted)?.scrollIntoView();
  }, [wanted]);
  return (
    <Page title={text('operations.runbooks')}>
      <Stack lang="en">
        {sections.map(({ name, title, blocks }) => (
          <Card key={name} withBorder component="section" aria-labelledby={name}>
            <Title id={name} order={2} size="h4" mb="xs" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            <Stack gap="xs" style={{ overflowWrap: 'anywhere' }}>
              {blocks.map((block, at) => (
                <BlockView key={`${name} ${at}`} block={block} />
              ))}
            </Stack>
          </Card>
        ))}
      </Stack>
    </Page>
  );
}
