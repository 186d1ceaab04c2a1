import { createHealth } from '@covalence/runtime/health';
import { leftInOldMemory } from '@covalence/testing/old-memory';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { expect, it } from '@jest/globals';
import { connectElasticsearch } from '../../src/index/elasticsearch-adapter.ts';

it('leaves nothing of a search in old memory', async () => {
  const url = testStores().ELASTICSEARCH_URL;
  const engine = connectElasticsearch({ url, health: createHealth() });
  const id = Array.from({ length: 5_000 }, (_, index) => 1_000_000 + index);
  const index = `${testNamespace('left')}-*`;
  const search = () => engine.client.search({ index, query: { terms: { id } } });
  expect(await leftInOldMemory(search)).toBeLessThan(4_000);
  await engine.close();
});
