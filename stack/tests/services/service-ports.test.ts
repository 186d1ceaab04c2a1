import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choosePorts } from '../../src/engines/free-ports.ts';
import { servicePorts } from '../../src/services/service-ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'covalence-ports-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the port of the gateway is never chosen for another service or an engine', async () => {
  const { port } = await choosePorts(['port'], {});
  const file = join(folder, 'ports.json');
  writeFileSync(file, JSON.stringify({ profile: port }));
  const ports = await servicePorts(file, port);
  expect(ports.gateway.port).toBe(port);
  expect(ports.profile.port).not.toBe(port);
  expect((await choosePorts(['redis'], { redis: port })).redis).not.toBe(port);
});
