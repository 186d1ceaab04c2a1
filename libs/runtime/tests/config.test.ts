import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { newServiceSecret, publicTextOf } from '../src/service-keys.ts';
import { baseConfig, integer, readConfig, readToolConfig, serviceKeys, sitesFile } from '../src/config.ts';

const schema = z.object({ ...baseConfig, ...serviceKeys, SITES_FILE: sitesFile });
const secrets = [newServiceSecret(), newServiceSecret()];
const keys = secrets.map(publicTextOf);
const site = { siteid: 1, title: 'One', url: 'https://one.example', group: 'g' };

let folder: string;
let printed: string;
const exits = () =>
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`);
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  printed = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const environment = (sites: string) => {
  const file = join(folder, 'sites.json');
  writeFileSync(file, sites);
  return {
    PORT: '8081',
    MANAGEMENT_PORT: '0',
    SERVICE_SECRET: secrets.join(','),
    SERVICE_PUBLIC_KEYS: keys.map((key) => `search:${key}`).join(', '),
    SITES_FILE: file,
  };
};

describe('readConfig', () => {
  it('returns typed settings with defaults and sites', () => {
    const config = readConfig(schema, environment(JSON.stringify([site])));
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8081,
      MANAGEMENT_PORT: 0,
      LOG_LEVEL: 'info',
      NAMESPACE: 'covalence',
    });
    expect(config.SITES_FILE.get(1)?.title).toBe('One');
  });

  it('treats an empty variable as not set', () => {
    const sites = environment(JSON.stringify([site]));
    const empty = { HOST: '', MANAGEMENT_PORT: '', LOG_LEVEL: ' ', OTEL_TRACES_SAMPLER_ARG: '' };
    expect(readToolConfig(schema, { ...sites, ...empty })).toMatchObject({
      HOST: '127.0.0.1',
      MANAGEMENT_PORT: 0,
      LOG_LEVEL: 'warn',
      OTEL_TRACES_SAMPLER_ARG: 1,
    });
    exits();
    expect(() => readConfig(schema, { ...sites, ...empty })).toThrow('exit 78');
    expect(printed.trim().split('\n').slice(1)).toEqual([expect.stringContaining('MANAGEMENT_PORT: ')]);
  });

  it('takes integers within their limits', () => {
    const days = integer({ min: 1, max: 30, standard: 7 });
    const interval = integer({ min: 50, standard: 100 });
    const limited = z.object({ DAYS: days, EVERY_MS: interval });
    expect(limited.parse({})).toEqual({ DAYS: 7, EVERY_MS: 100 });
    expect(limited.parse({ DAYS: '30', EVERY_MS: '9000000' })).toEqual({ DAYS: 30, EVERY_MS: 9_000_000 });
    for (const DAYS of ['0', '31', '1.5', 'many']) expect(limited.safeParse({ DAYS }).success).toBe(false);
    expect(limited.safeParse({ EVERY_MS: '49' }).success).toBe(false);
  });

  it('prints every problem and exits with code 78', () => {
    exits();
    const bad = { PORT: '70000', SERVICE_SECRET: 'short', NAMESPACE: 'Not Sane', LOG_LEVEL: 'loud' };
    expect(() => readConfig(schema, bad)).toThrow('exit 78');
    const lines = printed.trim().split('\n');
    expect(lines[0]).toBe('The configuration is not valid:');
    expect(lines.slice(1).map((line) => line.trim().split(':')[0])).toEqual([
      'PORT',
      'MANAGEMENT_PORT',
      'LOG_LEVEL',
      'NAMESPACE',
      'SERVICE_SECRET.0',
      'SERVICE_PUBLIC_KEYS',
      'SITES_FILE',
    ]);
  });

  it('prints no secret', () => {
    exits();
    expect(() => readConfig(schema, { SERVICE_SECRET: 'hunter2' })).toThrow('exit 78');
    expect(printed).toContain('SERVICE_SECRET');
    expect(printed).not.toContain('hunter2');
  });

  it('reads the keys of a service as lists', () => {
    const config = readConfig(schema, environment(JSON.stringify([site])));
    expect(config.SERVICE_SECRET).toEqual(secrets);
    expect(config.SERVICE_PUBLIC_KEYS).toEqual(keys.map((key) => ({ caller: 'search', key })));
  });

  it.each([
    ['SERVICE_SECRET', { SERVICE_SECRET: `${secrets[0]},` }],
    ['SERVICE_SECRET', { SERVICE_SECRET: 'x'.repeat(44) }],
    ['SERVICE_PUBLIC_KEYS', { SERVICE_PUBLIC_KEYS: `nobody:${keys[0]}` }],
    ['SERVICE_PUBLIC_KEYS', { SERVICE_PUBLIC_KEYS: keys.join(',') }],
    ['SERVICE_PUBLIC_KEYS', { SERVICE_PUBLIC_KEYS: 'search:short' }],
  ])('takes no %s that is not keys: %j', (name, setting) => {
    exits();
    const wrong = { ...environment(JSON.stringify([site])), ...setting };
    expect(() => readConfig(schema, wrong)).toThrow('exit 78');
    expect(printed).toMatch(new RegExp(`^  ${name}`, 'm'));
  });

  it.each([
    ['that is not JSON', '[', 'SITES_FILE'],
    ['with a site twice', JSON.stringify([site, site]), 'siteid must be unique'],
    [
      'with a field that members must and may not give',
      JSON.stringify([{ ...site, required_fields: ['headline', 'smoking'], rejected_fields: ['Smoking'] }]),
      'a required field is rejected',
    ],
    ['with a site that is none', JSON.stringify([{ ...site, url: 'nowhere' }]), 'url'],
  ])('names what is wrong with a sites file %s', (_case, sites, problem) => {
    exits();
    expect(() => readConfig(schema, environment(sites))).toThrow('exit 78');
    expect(printed).toContain(problem);
  });

  it('names the missing file', () => {
    exits();
    const missing = { ...environment('[]'), SITES_FILE: join(folder, 'nowhere.json') };
    expect(() => readConfig(schema, missing)).toThrow('exit 78');
    expect(printed).toContain('nowhere.json');
  });
});
