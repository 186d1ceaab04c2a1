import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.tsx';
import { useTexts } from '../texts/texts.ts';
import { indexQuery, type Searched } from './queries.ts';

/** Chooses the index to try, and says which shadow there is. Hidden from whom may not read the state of the index. */
export function SearchedIndex({
  searched,
  onChange,
}: {
  readonly searched: Searched;
  readonly onChange: (searched: Searched) => void;
}) {
  const { text } = useTexts();
  const { data } = useQuery({ ...indexQuery(useApi()), retry: false });
  if (!data) return null;
  const shadow = data.shadow?.complete ? data.shadow : null;
  return (
    <Stack gap={4}>
      <SegmentedControl
        size="xs"
        aria-label={text('search.searched')}
        data={(['live', 'shadow'] as const).map((value) => ({
          value,
          label: text(`search.searched.${value}`),
          disabled: value === 'shadow' && !shadow,
        }))}
        value={searched}
        onChange={onChange}
        maw={320}
      />
      <Text size="sm">
        {shadow
          ? text('search.searched.about', { index: shadow.index, mapping: shadow.mapping_version })
          : text('search.searched.none')}
      </Text>
    </Stack>
  );
}
