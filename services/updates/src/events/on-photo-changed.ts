import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';

/** Tells the owner of a photo, on every device, what became of it (D41); the client then fetches GET /photo. */
export async function onPhotoChanged(event: Event, { history }: Pick<Context, 'history'>): Promise<void> {
  if (event.type !== 'photo.changed') return;
  const { photo: photoid, status, primary } = event.data;
  await history.append({
    member: event.member,
    eventId: event.id,
    update: { type: 'photo', at: event.at, data: { photoid, status, primary } },
  });
}
