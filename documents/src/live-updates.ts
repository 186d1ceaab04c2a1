import { updateSchema } from '@covalence/contract/live-updates';
import { z } from 'zod';
import { code, tableOf, withGenerated } from './table.ts';

/** The names of `data` in a frame: those that are not in all of its forms are optional. */
function namesOf(data: z.ZodType): string[] {
  const forms = data instanceof z.ZodUnion ? data.options : [data];
  const names = forms.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []));
  return [...new Set(names)];
}

/** docs/clients.md with every frame of the live updates. */
export function withFrames(page: string): string {
  const rows = updateSchema.options.map((frame) => [
    code(frame.shape.type.value),
    namesOf(frame.shape.data).map(code).join(', '),
    frame.description ?? '',
  ]);
  return withGenerated(page, 'frames', tableOf(['type', 'data', 'meaning'], rows));
}
