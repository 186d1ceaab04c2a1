import { describe, expect, it } from '@jest/globals';
import asyncApiSchema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' };
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { readdir } from 'node:fs/promises';
import { updateSchema } from '@covalence/contract/live-updates';
import { readRelevance } from '@covalence/search/relevance/relevance-settings';
import { readResult } from '@covalence/bench/capacity/measured';
import { buildAsyncApi } from '../src/async-api.ts';
import { buildOpenApi } from '../src/openapi/build.ts';
import { pageParts, withParts, writtenFiles } from '../src/pages.ts';
import { shippedSettings } from '../src/relevance-settings.ts';
import { outdated, read } from '../src/write.ts';

const parts = await pageParts();

/** A generated part of a page, by its name. */
const partOf = (page: string, name: string): string =>
  page.split(`<!-- generated: ${name} -->`)[1]?.split('<!-- end of generated -->')[0] ?? '';

/** The cells of each row below the header of a table. */
const rowsOf = (table: string): string[][] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );

describe('the generated documents', () => {
  it('are up to date: pnpm contracts writes them', async () => {
    expect(await outdated(await writtenFiles(buildOpenApi()))).toEqual([]);
  });

  it('list every relevance setting with a meaning, and the defaults of the shipped file', async () => {
    const page = await read('docs/search.md');
    const rows = rowsOf(partOf(page, 'settings'));
    const { location, text, among_equals, ...others } = readRelevance(shippedSettings);
    const grouped = Object.entries({ location, text, among_equals }).flatMap(([group, settings]) =>
      Object.keys(settings).map((name) => `${group}.${name}`),
    );
    const named = rows.map(([name]) => name?.replaceAll('`', ''));
    expect(new Set(['version', ...named])).toEqual(new Set([...Object.keys(others), ...grouped]));
    expect(rows.filter(([, meaning]) => !meaning)).toEqual([]);
    expect(rows).toContainEqual(['`location.zero_miles`', expect.any(String), '0.1–25000', '`500`']);
    expect(
      withParts(
        page.replace('`500`', '`400`').replace('4 for `age`', '5 for `age`'),
        parts['docs/search.md'],
      ),
    ).toBe(page);
    for (const marker of ['<!-- generated: settings -->', '<!-- end of generated -->'])
      expect(() => withParts(page.replace(marker, ''), parts['docs/search.md'])).toThrow(
        'must have the line',
      );
  });

  it('list every environment variable with a meaning and a default that no machine has of its own', async () => {
    const page = await read('docs/settings.md');
    const written = partOf(page, 'settings');
    const rows = [...written.matchAll(/^\| `(\w+)` +\| (.*?) *\| (.*?) *\|$/gm)];
    expect(rows.length).toBeGreaterThan(90);
    expect(rows.filter(([, , standard, meaning]) => !standard || !meaning)).toEqual([]);
    const defaults = Object.fromEntries(rows.map(([, name, standard]) => [name, standard]));
    expect(defaults).toMatchObject({
      SERVICE_SECRET: 'required',
      MAIL_URL: 'none',
      HISTORY_LENGTH: '`500`',
      HASHES_AT_ONCE: 'cores, up to 4',
      RELEVANCE_FILE: 'shipped',
    });
    expect(written).not.toContain(process.cwd());
    expect(withParts(page.replace('| `500` ', '| `400` '), parts['docs/settings.md'])).toBe(page);
  });

  it('list every command with its arguments, every series, and every frame with its data', async () => {
    const page = await read('docs/commands.md');
    const commands = rowsOf(partOf(page, 'commands'));
    expect(commands.filter(([, effect]) => !effect)).toEqual([]);
    expect(commands.map(([usage]) => usage)).toEqual(
      expect.arrayContaining([
        '`clients create <name> <redirect-address...>`',
        '`staff queue <profile\\|text\\|photo\\|report>`',
        '`index rebuild`',
        '`migrate up`',
        '`packages check [folder]`',
      ]),
    );
    const changed = page.replace('| `keys list` ', '| `keys lists` ');
    expect(withParts(changed, parts['docs/commands.md'])).toBe(page);

    const series = rowsOf(partOf(await read('docs/operations.md'), 'series'));
    expect(series.filter(([, , meaning]) => !meaning)).toEqual([]);
    expect(series).toContainEqual(['`queue_messages`', '`queue`, `state`', expect.any(String)]);
    expect(series).toContainEqual(['`health_check_up`', '`check`', expect.any(String)]);

    const clients = await read('docs/clients.md');
    const frames = rowsOf(partOf(clients, 'frames'));
    expect(frames.map(([type]) => type)).toEqual(
      updateSchema.options.map(({ shape }) => `\`${shape.type.value}\``),
    );
    expect(frames).toContainEqual(['`message`', '`profileid`, `messageid`', expect.any(String)]);
    expect(withParts(clients.replace('| `like` ', '| `likes` '), parts['docs/clients.md'])).toBe(clients);
  });

  it('list the figures that benchmarks saved, with what limits each', async () => {
    const page = await read('docs/figures.md');
    const rows = [...partOf(page, 'figures').matchAll(/^\| (\w+: .+?) *\| (.+?) *\| (.*?) *\| (.+?) *\|$/gm)];
    const measured = rows.filter(([, , value]) => value !== 'not measured');
    expect(measured.length).toBeGreaterThan(25);
    expect(rows.filter(([, , , , limitedBy]) => !limitedBy?.trim())).toEqual([]);
    const { measured: ofGateway } = readResult('gateway');
    const rate = new Intl.NumberFormat('en-US').format(ofGateway[0]?.value ?? 0);
    expect(measured[0]?.slice(1, 3)).toEqual(['gateway: requests with a token', `${rate}/s`]);
    expect(withParts(page.replaceAll(` ${rate}/s `, ' 1/s '), parts['docs/figures.md'])).toBe(page);
  });

  it('show each job of the console with its figures, and pictures of it: light, dark and on a tablet', async () => {
    const page = await read('docs/console.md');
    const recorded = JSON.parse(await read('docs/console/jobs.json')) as Record<string, { pictures: object }>;
    const rows = [...partOf(page, 'jobs').matchAll(/^\| \[(.+?)\]\(#\S+\) +\| \d+ +\| [\d.]+ +\|/gm)];
    expect(rows.map(([, job]) => job)).toEqual([
      'Work through the queue',
      'Refund a payment',
      'Ban for fraud',
      'Decide on an appeal',
      'Replay dead letters',
      'Answer a complaint',
      'Publish a synonym',
    ]);
    const names = Object.values(recorded).flatMap(({ pictures }) => Object.keys(pictures));
    const shown = [...page.matchAll(/^!\[.+\]\(console\/(.+)\.webp\)$/gm)].map(([, name]) => name);
    expect(shown).toEqual(names);
    const files = await readdir(new URL('../../docs/console/', import.meta.url));
    expect(new Set(files)).toEqual(new Set(['jobs.json', ...names.map((name) => `${name}.webp`)]));
    const looks = new Set(names.map((name) => name.split('-').at(-1)));
    expect(looks).toEqual(new Set(['light', 'dark', 'tablet']));
    expect(withParts(page.replace('| inputs ', '| input '), parts['docs/console.md'])).toBe(page);
  });

  it('include an AsyncAPI document that is valid, with valid examples', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const document = buildAsyncApi();
    const isValid = ajv.validate(asyncApiSchema, document);
    expect(isValid ? [] : ajv.errors?.slice(0, 5)).toEqual([]);
    const { channels } = document as { channels: Record<string, { messages: Record<string, Message> }> };
    for (const { messages } of Object.values(channels)) {
      for (const [name, { payload, examples = [] }] of Object.entries(messages)) {
        const refused = examples.filter((example) => !ajv.validate(payload, example.payload));
        expect({ name, refused }).toEqual({ name, refused: [] });
      }
    }
  });

  it('allow additional fields in live updates, as in answers', () => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const { channels } = buildAsyncApi() as {
      channels: { liveUpdates: { messages: Record<string, Message> } };
    };
    const grown = Object.entries(channels.liveUpdates.messages).flatMap(
      ([name, { payload, examples = [] }]) =>
        examples.flatMap(({ payload: frame }) => {
          if (typeof frame !== 'object' || frame === null || !('data' in frame)) return [];
          const data = { ...(frame.data as object), more: 1 };
          return ajv.validate(payload, { ...frame, data, more: 1 }) ? [] : [name];
        }),
    );
    expect(grown).toEqual([]);
  });
});

interface Message {
  readonly payload: object;
  readonly examples?: readonly { readonly payload: unknown }[];
}
