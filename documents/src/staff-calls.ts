import { code, tableOf, withGenerated } from './table.ts';
import type { Schema } from './openapi/schema.ts';

interface Operation {
  readonly summary?: string;
  readonly 'x-roles'?: readonly string[];
}

/** docs/moderation.md with every call of staff and the roles that may make it. */
export function withStaffCalls(page: string, { paths }: Schema): string {
  const rows = Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([method, { summary = '', 'x-roles': roles }]) =>
        roles ? [[code(`${method.toUpperCase()} ${path}`), roles.map(code).join(', '), summary]] : [],
      ),
  );
  return withGenerated(page, 'calls', tableOf(['call', 'roles', 'effect'], rows));
}
