import { Card, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page, with its title. */
export function Part({
  title,
  aside,
  className,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Card withBorder component="section" aria-label={title} className={className}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}
