import { findTraces } from '@covalence/testing/find-traces';
import { serviceAuthorization } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { memberDocument } from '../../src/index/member-document.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { person } from '../person.ts';

const nora = person(1, 'Female');
const mary = person(7_000_001, 'Female');
const age = { from: 25, to: 45 };

describe('a member', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await startService('privacy', { members: [nora, mary] });
  });
  afterAll(() => service?.close());

  it('is exported and erased with saved searches, criteria, centers and the document of the index', async () => {
    const traces = () => findTraces({ namespace: service.namespace, of: [mary.id] });
    const save = (viewer: number) => service.call(viewer, 'post', '/searches/saved', { name: 'Mine', age });
    await Promise.all([save(mary.id), save(nora.id)]);
    await service.call(mary.id, 'post', '/members/self/criteria', { smoking: { value: 10 } });
    await service.search(mary.id, { age, location: { of: '40.8,-96.7' } });
    const ask = (path: string) =>
      request(createApp(service.context))
        .post(path)
        .set('Authorization', serviceAuthorization({ from: 'profile', to: 'search' }))
        .send({ id: mary.id, member_id: '0190a000-0000-7000-8000-000000000001' });
    const { body } = await ask('/internal/members/export').expect(200);
    expect(body).toMatchObject({
      saved_searches: [{ name: 'Mine' }],
      match_criteria: { criteria: { smoking: { value: 10 } } },
      index: { id: mary.id, visible: true },
    });
    expect(body.origins).toHaveLength(1);
    for (let time = 0; time < 2; time += 1) await ask('/internal/members/erase').expect(200, {});
    expect(await traces()).toEqual([]);
    // A late write of an earlier read, newer than the document in the index.
    for (const ahead of [0, 5]) {
      const late = { ...mary, version: mary.version + ahead };
      await service.context.index.members.writeAll([memberDocument(late)]);
    }
    expect(await traces()).toEqual([]);
    const others = await service.call(nora.id, 'get', '/searches/saved');
    expect(others.body.searches).toMatchObject([{ name: 'Mine' }]);
  });
});
