import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsIn, NotChecked } from '../advisories.ts';
import { createBillCheck, onBaseImage, repeatable } from '../bills.ts';
import { scriptProblems, withInstallScripts } from '../install-scripts.ts';
import { directDependencies, documentationProblems } from '../documented.ts';
import { licenseProblems } from '../licenses.ts';
import { lockProblems } from '../lock-file.ts';
import { releaseIn } from '../releases.ts';

const hash = `sha512-${'A'.repeat(86)}==`;

describe('licenses', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-only)', '(MIT AND Zlib)', 'Apache-2.0 AND MIT'])('takes %s', (license) => {
    expect(licenseProblems({ [license]: [{ name: 'one' }] })).toEqual([]);
  });

  it.each(['GPL-3.0-only', 'AGPL-3.0', 'Unknown', 'SEE LICENSE IN x', '(MIT AND GPL-2.0)', 'BSD'])(
    'stops at %s',
    (license) => {
      const problem = `one has the license '${license}', which is not on the list`;
      expect(licenseProblems({ [license]: [{ name: 'one' }], MIT: [{ name: 'two' }] })).toEqual([problem]);
    },
  );

  it('refuses a reviewed package after its license changed', () => {
    expect(licenseProblems({ 'MPL-2.0': [{ name: 'web-push' }] })).toEqual([]);
    expect(licenseProblems({ 'GPL-3.0': [{ name: 'web-push' }] })).toHaveLength(1);
    expect(licenseProblems({ 'LGPL-3.0-or-later': [{ name: '@img/sharp-libvips-linux-arm64' }] })).toEqual(
      [],
    );
  });
});

const lock = (key: string, resolution: string, specifier = '1.0.0') => `
importers:
  .:
    dependencies:
      one: { specifier: '${specifier}', version: 1.0.0 }
packages:
  '${key}': { resolution: ${resolution} }
`;

describe('the lock file', () => {
  it('accepts versions with a SHA-512 hash', () => {
    expect(lockProblems(lock('@scope/one@1.0.0-rc.1', `{integrity: ${hash}}`, 'catalog:'))).toEqual([]);
  });

  it.each([
    ['a range', 'one@1.0.0', `{integrity: ${hash}}`, '^1.0.0', 'not one version'],
    ['an address', 'one@https://x.example/one.tgz', `{integrity: ${hash}}`, '1.0.0', 'registry'],
    [
      'a tarball',
      'one@1.0.0',
      `{integrity: ${hash}, tarball: 'https://x.example/one.tgz'}`,
      '1.0.0',
      'x.example',
    ],
    ['a repository', 'one@1.0.0', '{type: git, repo: x, commit: y}', '1.0.0', 'git'],
    ['a weak hash', 'one@1.0.0', '{integrity: sha1-AAAA}', '1.0.0', 'SHA-512'],
    ['no hash', 'one@1.0.0', '{}', '1.0.0', 'SHA-512'],
  ])('stops at %s', (_case, key, resolution, specifier, problem) => {
    expect(lockProblems(lock(key, resolution, specifier))).toEqual([expect.stringContaining(problem)]);
  });
});

describe('install scripts', () => {
  it('are found in installed packages, including implicit builds', () => {
    const store = mkdtempSync(join(tmpdir(), 'store-'));
    const put = (path: string, manifest: object) => {
      mkdirSync(join(store, path), { recursive: true });
      writeFileSync(join(store, path, 'package.json'), JSON.stringify(manifest));
    };
    put('a@1/node_modules/a', { name: 'a', scripts: { postinstall: 'node x' } });
    put('b@1/node_modules/@b/b', { name: '@b/b', scripts: { test: 'node x' } });
    put('c@1/node_modules/c', { name: 'c' });
    writeFileSync(join(store, 'c@1/node_modules/c/binding.gyp'), '{}');
    symlinkSync(join(store, 'a@1/node_modules/a'), join(store, 'c@1/node_modules/a'));
    expect(withInstallScripts(store)).toEqual(['a', 'c']);
    rmSync(store, { recursive: true });
  });

  it('each need a decision', () => {
    const workspace = 'allowBuilds: { a: true, b: false, gone: true }';
    expect(scriptProblems(workspace, ['a', 'b', 'c'])).toEqual([
      expect.stringContaining('c has an install script'),
      expect.stringContaining('gone'),
    ]);
    expect(() => scriptProblems('dangerouslyAllowAllBuilds: true', [])).toThrow('dangerouslyAllowAllBuilds');
  });
});

const advisory = (severity: string) => ({
  findings: [{ version: '5.3.0', paths: ['gateway>express'], dev: false }],
  id: 1,
  title: 'A fault',
  module_name: 'express',
  severity,
  github_advisory_id: 'GHSA-aaaa-bbbb-cccc',
  url: 'https://advisories.example/1',
});

const said = (...severities: string[]) => ({
  out: JSON.stringify({ advisories: Object.fromEntries(severities.map((one, at) => [at, advisory(one)])) }),
  problem: '',
});

describe('known vulnerabilities', () => {
  it('of severity high and critical are reported', () => {
    expect(faultsIn(said('high', 'moderate', 'critical'))).toEqual([
      'express: high: A fault (https://advisories.example/1)',
      'express: critical: A fault (https://advisories.example/1)',
    ]);
    expect(faultsIn(said())).toEqual([]);
  });

  // The output of pnpm 12.
  const refused = `Error: ERR_PNPM_AUDIT_BAD_RESPONSE

  × The audit endpoint (at https://registry.example/-/npm/v1/security/
  │ advisories/bulk) responded with 405:
`;

  it.each([
    ['an error', '', refused, 'responded with 405'],
    ['nothing', '', '', 'returned no advisories'],
    ['another shape', '{"vulnerabilities":{}}', '', 'returned no advisories'],
  ])('are not checked, which the report says, where %s comes', (_case, out, problem, reason) => {
    expect(() => faultsIn({ out, problem })).toThrow(NotChecked);
    expect(() => faultsIn({ out, problem })).toThrow(reason);
  });
});

describe('direct dependencies', () => {
  const manifests = [
    { dependencies: { '@covalence/http': 'workspace:*', zod: 'catalog:' } },
    { devDependencies: { '@types/node': '24.0.0', '@scope/one': '1.0.0' } },
  ];

  it('come from all manifests, without types and workspace packages', () => {
    expect([...directDependencies(manifests)]).toEqual(['zod', '@scope/one']);
  });

  it('are each listed in the first cell of a row', () => {
    const direct = directDependencies(manifests);
    const page = '| package | for what |\n| --- | --- |\n| `zod`, `@scope/one` | schemas, as `joi` is |\n';
    expect(documentationProblems(page, direct)).toEqual([]);
    expect(documentationProblems(page.replace('`zod`', '`joi`'), direct)).toEqual([
      'zod is missing from docs/dependencies.md',
      'docs/dependencies.md names joi, which nothing asks for',
    ]);
  });

  it('have the date of the latest release', () => {
    const entry = { 'dist-tags': { latest: '2.0.0' }, time: { '2.0.0': '2026-10-12T08:00:00.000Z' } };
    expect(releaseIn('zod', entry)).toEqual({ name: 'zod', version: '2.0.0', day: '2026-10-12' });
  });
});

const bill = (
  components: readonly object[],
  serialNumber = 'urn:uuid:7227bf18-4a2e-4a6e-afc8-3224400f0cfd',
) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.7',
  serialNumber,
  metadata: { timestamp: '2026-11-26T22:42:07.412Z' },
  components: components as { 'bom-ref': string }[],
  dependencies: [{ ref: 'one', dependsOn: ['three', 'two'] }],
});
const component = (name: string) => ({ type: 'library', name, version: '1.0.0', 'bom-ref': name });

describe('bills of materials', () => {
  const day = '2026-11-26T00:00:00Z';
  const problemsOf = createBillCheck();

  it('match the schema of CycloneDX, or say where they do not', () => {
    expect(problemsOf(bill([component('one')]))).toEqual([]);
    expect(problemsOf(bill([{ ...component('one'), type: 'thing' }])).join()).toContain('/components/0/type');
    expect(problemsOf(bill([component('one')], 'none')).join()).toContain('/serialNumber');
  });

  it('are the same for the same content in another order, and others for another commit', () => {
    const first = repeatable(bill([component('one'), component('two')]), day);
    const again = bill([component('two'), component('one')], 'urn:uuid:00000000-0000-4000-8000-000000000000');
    again.dependencies[0]?.dependsOn.reverse();
    expect(JSON.stringify(repeatable(again, day))).toBe(JSON.stringify(first));
    expect(problemsOf(first)).toEqual([]);
    expect(repeatable(again, '2026-11-27T00:00:00Z')['serialNumber']).not.toBe(first['serialNumber']);
  });

  it('name the base image by its digest', () => {
    const digest = 'a'.repeat(64);
    const based = onBaseImage(bill([]), `FROM node:24.0.0-slim@sha256:${digest} AS image\n`);
    expect(based.components).toMatchObject([{ version: '24.0.0-slim', hashes: [{ content: digest }] }]);
    expect(based['compositions']).toMatchObject([{ aggregate: 'incomplete' }]);
    expect(problemsOf(based)).toEqual([]);
    expect(() => onBaseImage(bill([]), 'FROM node:24 AS image')).toThrow('digest');
  });
});
