import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../src/engines/engine.ts';
import { elasticsearchEngine, findEmbeddedElasticsearch } from '../../src/engines/elasticsearch-engine.ts';
import { isOpenToOthers, removeFolder, startEmbedded, testOptions } from './test-folder.ts';

interface Hits {
  hits: { hits: { _id: string; _score: number | null; sort?: number[] }[] };
}

const options = testOptions();
let engine: Engine;

async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${engine.url}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function search(request: object): Promise<Hits['hits']['hits']> {
  const { body } = await ask('POST', 'people/_search', request);
  return (body as Hits).hits.hits;
}

const analysis = {
  filter: {
    german: { type: 'snowball', language: 'German2' },
    both: { type: 'asciifolding', preserve_original: true },
    greek: { type: 'lowercase', language: 'greek' },
    marked: { type: 'keyword_marker', keywords: ['gaming'] },
  },
  analyzer: {
    english: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding', 'snowball'] },
    german: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'both', 'german'] },
    marked: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'marked', 'snowball'] },
  },
  normalizer: {
    folded: { type: 'custom', filter: ['lowercase', 'asciifolding'] },
    greek: { type: 'custom', filter: ['greek', 'asciifolding'] },
  },
};

async function tokens(request: object): Promise<string[]> {
  const { body } = await ask('POST', 'people/_analyze', request);
  return (body as { tokens: { token: string }[] }).tokens.map((each) => each.token);
}

beforeAll(async () => {
  engine = await startEmbedded(elasticsearchEngine, findEmbeddedElasticsearch, options);
  const properties = {
    about: { type: 'text', analyzer: 'english' },
    city: { type: 'keyword', normalizer: 'folded' },
    place: { type: 'geo_point' },
    height: { type: 'integer' },
    id: { type: 'integer' },
  };
  const settings = { number_of_shards: 1, number_of_replicas: 0, analysis };
  await ask('PUT', 'people', { settings, mappings: { properties } });
  const people = {
    near: { about: 'Loves running', city: 'Orléans', place: { lat: 47.9, lon: 1.9 }, height: 170, id: 7 },
    far: { about: 'Ran once', city: 'Paris', place: { lat: 48.85, lon: 2.35 }, height: 180 },
  };
  for (const [id, person] of Object.entries(people)) {
    await ask('PUT', `people/_doc/${id}?version=10&version_type=external&refresh=true`, person);
  }
});

afterAll(async () => {
  await engine.stop();
  removeFolder(options);
});

describe('the embedded Elasticsearch', () => {
  it('listens on the loopback address only', async () => {
    expect(await isOpenToOthers(engine.url)).toBe(false);
  });

  it('reports its version', () => {
    expect(engine).toMatchObject({ origin: 'embedded', version: '9.5.3' });
  });

  it('does not count garbage as memory in use', async () => {
    const { body } = await ask('GET', '_cluster/settings?include_defaults&flat_settings');
    const { defaults } = body as { defaults: Record<string, string> };
    expect(defaults['indices.breaker.total.use_real_memory']).toBe('false');
  });

  it('has keyword_marker, which protects words from stems', async () => {
    expect(await tokens({ analyzer: 'marked', text: 'Gaming running' })).toEqual(['gaming', 'run']);
    const unset = { filter: [{ type: 'keyword_marker' }], tokenizer: 'standard', text: 'A' };
    expect((await ask('POST', '_analyze', unset)).status).toBe(400);
  });

  it('has lowercase, asciifolding and snowball, with and without settings', async () => {
    expect(await tokens({ analyzer: 'english', text: 'Crème running' })).toEqual(['creme', 'run']);
    expect(await tokens({ analyzer: 'german', text: 'Café' })).toEqual(['caf', 'café']);
    expect(await tokens({ normalizer: 'folded', text: 'ORLÉANS' })).toEqual(['orleans']);
    expect(await tokens({ normalizer: 'greek', text: 'ΦΏΣ É' })).toEqual(['φωσ e']);
    const unknown = {
      filter: [{ type: 'lowercase', language: 'klingon' }],
      tokenizer: 'standard',
      text: 'A',
    };
    expect((await ask('POST', '_analyze', unknown)).status).toBe(400);
    const found = await search({
      query: { bool: { must: { match: { about: 'run' } }, filter: { term: { city: 'orleans' } } } },
    });
    expect(found.map((hit) => hit._id)).toEqual(['near']);
  });

  it('rejects an older external version and accepts a newer one', async () => {
    const put = async (version: number): Promise<number> =>
      (
        await ask('PUT', `people/_doc/versioned?version=${version}&version_type=external`, {
          height: version,
        })
      ).status;
    expect([await put(7), await put(7), await put(6), await put(8)]).toEqual([201, 409, 409, 200]);
    expect((await ask('GET', 'people/_doc/versioned')).body).toMatchObject({
      _version: 8,
      _source: { height: 8 },
    });
  });

  it('filters and sorts by geo_distance', async () => {
    const place = { lat: 47.9, lon: 1.9 };
    const within = async (distance: string): Promise<Hits['hits']['hits']> =>
      search({
        query: { bool: { filter: { geo_distance: { distance, place } } } },
        sort: [{ _geo_distance: { place, order: 'desc', unit: 'mi' } }],
      });
    expect((await within('10mi')).map((hit) => hit._id)).toEqual(['near']);
    const both = await within('100mi');
    expect(both.map((hit) => hit._id)).toEqual(['far', 'near']);
    expect(both[0]?.sort?.[0]).toBeCloseTo(69, -1);
  });

  it('scores with function_score, decay and named queries', async () => {
    const hits = await search({
      query: {
        function_score: {
          query: {
            bool: {
              should: [{ match: { about: { query: 'running', _name: 'about' } } }],
              filter: { exists: { field: 'place' } },
            },
          },
          functions: [
            { filter: { term: { city: 'paris' } }, weight: 3 },
            { gauss: { height: { origin: 180, scale: 10, decay: 0.5 } } },
          ],
          score_mode: 'sum',
          boost_mode: 'replace',
        },
      },
    });
    const scores = Object.fromEntries(hits.map((hit) => [hit._id, hit._score]));
    expect(scores).toEqual({ far: 4, near: 0.5 });
    expect(hits.find((hit) => hit._id === 'near')).toMatchObject({ matched_queries: ['about'] });
  });

  it('keeps its data across SIGKILL and a restart on the same port', async () => {
    const before = engine.url;
    engine.kill('SIGKILL');
    await expect(engine.exited).resolves.toContain('SIGKILL');
    await engine.restart();
    expect(engine.url).toBe(before);
    expect((await ask('GET', 'people/_doc/near')).body).toMatchObject({ _version: 10, found: true });
  });
});
