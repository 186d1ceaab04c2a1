import { JsonInput, type JsonInputProps } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';

/** Takes the criteria of a search, as JSON. */
export function CriteriaInput(props: Pick<JsonInputProps, 'value' | 'onChange' | 'description' | 'minRows'>) {
  const { text } = useTexts();
  return (
    <JsonInput
      {...props}
      label={text('search.criteria')}
      validationError={text('search.notJson')}
      autosize
      maxRows={16}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
