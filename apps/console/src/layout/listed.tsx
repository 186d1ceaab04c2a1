import { Button, Group, Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './page.tsx';
import { useTexts } from '../texts/texts.ts';

interface ListPage<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** A list that is read page by page. */
export function Listed<Entry>({
  query,
  children,
}: {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<Entry>>>;
  readonly children: (entries: readonly Entry[]) => ReactNode;
}) {
  const { text } = useTexts();
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.entries);
        return (
          <Stack gap="xs">
            {entries.length ? children(entries) : <Text c="dimmed">{text('service.nothing')}</Text>}
            {query.hasNextPage && (
              <Group>
                <Button
                  variant="default"
                  size="compact-sm"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {text('service.more')}
                </Button>
              </Group>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
