import { List, Text } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';

/** Changes that are listed. */
const mostChanges = 12;

/** Changes of settings, a line each. */
export function Changes({ title, changes }: { readonly title: string; readonly changes: readonly string[] }) {
  const { text } = useTexts();
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {changes.slice(0, mostChanges).map((one) => (
          <List.Item key={one}>{one}</List.Item>
        ))}
        {changes.length > mostChanges && (
          <List.Item>{text('search.changes.more', { count: changes.length - mostChanges })}</List.Item>
        )}
      </List>
    </section>
  );
}
