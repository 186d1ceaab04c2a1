import { Alert } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';

/** Says that a publication ended an experiment. */
export function EndedExperiment({ name }: { readonly name: string }) {
  const { text } = useTexts();
  return (
    <Alert mt="sm" color="yellow" role="status">
      {text('search.ended', { name })}
    </Alert>
  );
}
