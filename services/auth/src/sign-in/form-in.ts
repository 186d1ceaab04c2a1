import type { Request } from 'express';
import type { z } from 'zod';

/** The fields of a form; undefined when they are malformed, or `isOwn` does not accept the token against forged forms. */
export function formIn<Fields>(
  schema: z.ZodType<Fields>,
  { body }: Request,
  isOwn: (csrf: string) => boolean,
): Fields | undefined {
  const { csrf, ...fields } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return typeof csrf === 'string' && isOwn(csrf) ? schema.safeParse(fields).data : undefined;
}
