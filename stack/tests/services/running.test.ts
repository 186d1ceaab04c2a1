import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf } from '../../src/engines/engine-record.ts';
import { readRunning } from '../../src/services/running.ts';

const folder = mkdtempSync(join(tmpdir(), 'covalence-running-'));
const file = join(folder, 'running.json');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keep = (starter: object) =>
  writeFileSync(
    file,
    JSON.stringify({
      starter,
      publicUrl: 'http://localhost:8080',
      engines: Object.fromEntries(
        ['mongodb', 'elasticsearch', 'rabbitmq', 'redis'].map((name) => [name, 'redis://127.0.0.1']),
      ),
      ports: Object.fromEntries(
        ['auth', 'profile', 'search', 'billing', 'updates', 'gateway'].map((name) => [
          name,
          { port: 1, managementPort: 2 },
        ]),
      ),
    }),
  );

describe('the addresses of the running stack', () => {
  it('are read while its starter is alive', () => {
    keep(identityOf(process.pid));
    expect(readRunning(file).publicUrl).toBe('http://localhost:8080');
  });

  it('are ignored after its starter was killed', () => {
    keep({ ...identityOf(process.pid), startTime: '1' });
    expect(() => readRunning(file)).toThrow(/^No stack runs here. Start one with npm start/);
  });
});
