import type { Event } from '@covalence/contract/events';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { newEvent } from '@covalence/events/new-event';
import { serviceAuthorization } from '@covalence/testing/service-tokens';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { relevanceSchema } from '../../src/relevance/relevance-settings.ts';
import type { RecordedAction, RecordedSearch } from '../../src/usage/usage-store.ts';
import { startService } from '../harness.ts';
import { testNow } from '../population.ts';

/** The service, with what it records. */
export type UsageUnderTest = Awaited<ReturnType<typeof startUsage>>;

type Did = 'pair.viewed' | 'pair.liked' | 'pair.mutual' | 'message.sent';

const collect = async <One>(all: AsyncIterable<One>) => {
  const found: One[] = [];
  for await (const one of all) found.push(one);
  return found;
};

/** Starts the service with these members; it records every search unless a test sets another sample. */
export async function startUsage(suite: string, members: readonly SearchProjection[], secret: string) {
  const service = await startService(suite, { members, environment: { USAGE_SECRET: secret } });
  const { context } = service;
  const { store, recorder, attribute } = context.usage;

  const sample = (usage_sample: number, sites: object = {}) => {
    const relevance = relevanceSchema.parse({ ...context.settings.active.ofFile, usage_sample, sites });
    return service.publish({ relevance });
  };
  await sample(1);

  return {
    service,
    sample,
    /** Everything that is recorded. */
    async recorded(): Promise<{ searches: RecordedSearch[]; actions: RecordedAction[] }> {
      await recorder.flush();
      const since = new Date(0);
      return {
        searches: await collect(store.searchesSince(since)),
        actions: await collect(store.actionsSince(since)),
      };
    },
    /** The documents of collections. */
    async stored(...names: readonly string[]) {
      const models = Object.values(context.connection.models).filter((model) =>
        names.includes(model.collection.name),
      );
      return (
        await Promise.all(models.map((model) => model.find({}).lean<Record<string, unknown>[]>()))
      ).flat();
    },
    /** An event of what a member did to another. */
    event: (type: Did, member: number, other: number, at = testNow): Event => {
      const data = {
        other,
        ...(type === 'message.sent' && { message: '0192d0c5-0000-7000-8000-000000000001' }),
      };
      return newEvent({ type, member, version: 1, at, data });
    },
    async attribute(...events: readonly Event[]) {
      await recorder.flush();
      await attribute(events);
    },
    /** Another process that records, with other settings. */
    another: (environment: Readonly<Record<string, string>>) => service.another(environment),
    privacy: async (action: 'export' | 'erase', id: number, process = context) =>
      request(createApp(process))
        .post(`/internal/members/${action}`)
        .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
        .send({ id, member_id: '00000000-0000-4000-8000-000000000003' }),
    async clear() {
      await recorder.flush();
      for (const model of Object.values(context.connection.models)) {
        if (model.collection.name.startsWith('usage_')) await model.deleteMany({});
      }
      service.setNow(testNow);
      await sample(1);
    },
  };
}
