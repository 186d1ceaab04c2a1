import { heapOptions } from '@covalence/stack/services/service-process';
import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultCommand, entryArguments } from '../deployed-services.ts';
import { stageOf } from '../images.ts';
import { read, root } from '../files.ts';
import { services } from '../speaks-to.ts';

describe('the images', () => {
  it('run a service with the options of the benchmarks, and check its health', () => {
    expect(entryArguments()).toEqual(expect.arrayContaining([...heapOptions]));
    expect(defaultCommand('service')).toEqual(['dist/main.js']);
    expect(stageOf('service')).toContain('/health/ready');
    const ofConsole = '\nCOPY --from=console /source/apps/console/dist ./console';
    for (const service of services)
      expect(stageOf(service).trim()).toBe(
        `FROM service AS ${service}${service === 'gateway' ? ofConsole : ''}`,
      );
  });

  it('print the help of the commands in cli, which has no health', () => {
    const [program = '', ...options] = defaultCommand('cli');
    expect(existsSync(join(root, 'cli', program))).toBe(true);
    expect(options).toEqual(['--help']);
    expect(stageOf('cli')).toContain('HEALTHCHECK NONE');
  });

  it('have a base that is pinned by its digest', () => {
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)]
      .map(([, image = '']) => image)
      .filter((image) => image !== '${SERVICE}' && !stageOf(image));
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { node: string } };
    expect(bases[0]).toContain(`node:${devDependencies.node}-`);
  });
});
