import { criteria } from '@covalence/contract/catalogue/criteria';
import { limits } from '@covalence/search/limits';
import { equalsParts } from '@covalence/search/relevance/among-equals';
import { relevanceSchema } from '@covalence/search/relevance/relevance-settings';
import { readFileSync } from 'node:fs';
import { schemaOf } from './openapi/zod-schema.ts';
import type { Schema } from './openapi/schema.ts';
import { blocks, code, table, wrapped } from './markdown.ts';

/** The settings that the service uses where RELEVANCE_FILE names no file. */
export const shippedSettings = new URL('../../services/search/settings/relevance.json', import.meta.url);

/** A setting, several of them, or entries of one kind, as JSON schema. */
interface Setting {
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Setting>>;
  readonly additionalProperties?: Setting | false;
}

/** The values that a setting takes, or that each entry of it takes. */
function rangeOf({ minimum, exclusiveMinimum, maximum, additionalProperties }: Setting): string {
  if (additionalProperties) return rangeOf(additionalProperties);
  if (exclusiveMinimum !== undefined)
    return `above ${exclusiveMinimum}${maximum === undefined ? '' : `, up to ${maximum}`}`;
  if (minimum === undefined) return '';
  return maximum === undefined ? `${minimum} or more` : `${minimum}–${maximum}`;
}

function defaultOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return code(value);
  const entries = Object.entries(value);
  return entries.length ? entries.map(([name, one]) => `${code(name)} ${String(one)}`).join(', ') : 'none';
}

/** Name, meaning, range and default of each setting. */
function rowsOf({ properties = {} }: Setting, shippedValues: unknown, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, setting]) => {
    const value = (shippedValues as Schema | undefined)?.[name] ?? setting.default;
    if (setting.properties) return rowsOf(setting, value, `${prefix}${name}.`);
    return [[code(prefix + name), setting.description ?? '', rangeOf(setting), defaultOf(value)]];
  });
}

/** The weights of the criteria, the highest first. */
function defaultWeights(): string {
  const byWeight = [...Map.groupBy(criteria, ({ weight }) => weight)].toSorted(
    ([one], [other]) => other - one,
  );
  const [lowest] = byWeight.at(-1) ?? [];
  const listed = byWeight
    .slice(0, -1)
    .map(([weight, of]) => `${weight} for ${of.map(({ name }) => code(name)).join(', ')}`);
  return `Default weights: ${listed.join('; ')}; ${lowest} for all others.`;
}

/** The relevance settings and the default weights. */
export function relevanceSettings(): string {
  const shipped = JSON.parse(readFileSync(shippedSettings, 'utf8')) as unknown;
  const rows = rowsOf(schemaOf(relevanceSchema, 'input', new Map()), shipped);
  return blocks(table(['setting', 'meaning', 'range', 'default'], rows), wrapped(defaultWeights()));
}

/** The limits on the work of the search team. */
export const searchLimits = (): string =>
  blocks(
    '## Limits',
    table(
      ['of one', 'at most'],
      Object.entries(limits).map(([of, most]) => [
        of,
        Object.entries(most)
          .map(([what, count]) => `${count.toLocaleString('en-US')} ${what}`)
          .join(', '),
      ]),
    ),
  );

/** The parts of the order among equals. */
export const partsAmongEquals = (): string =>
  table(
    ['part', 'credit'],
    Object.entries(equalsParts).map(([name, { credit }]) => [code(name), credit]),
  );
