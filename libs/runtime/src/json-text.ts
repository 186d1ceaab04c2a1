import { z } from 'zod';

/** A value as JSON text. Its problem does not quote the text, which may be secret. */
export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});
