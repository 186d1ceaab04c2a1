import { describe, expect, it } from '@jest/globals';
import { openSync, closeSync } from 'node:fs';
import { createMetrics } from '../src/metrics.ts';
import { measureProcess } from '../src/process-metrics.ts';

const measured = () => {
  const metrics = createMetrics('test');
  measureProcess(metrics.registry);
  return metrics;
};

const valueOf = async ({ registry }: ReturnType<typeof createMetrics>, name: string) => {
  const [, value] = new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(await registry.metrics()) ?? [];
  return Number(value);
};

describe('the metrics of a process', () => {
  it('count open descriptors', async () => {
    const metrics = measured();
    const before = await valueOf(metrics, 'process_open_fds');
    const opened = Array.from({ length: 50 }, () => openSync('/dev/null', 'r'));
    const meanwhile = await valueOf(metrics, 'process_open_fds');
    for (const descriptor of opened) closeSync(descriptor);
    expect(before).toBeGreaterThan(3);
    expect(meanwhile - before).toBeGreaterThanOrEqual(45);
  });

  it('count active resources, without lists by type', async () => {
    const metrics = measured();
    expect(await valueOf(metrics, 'nodejs_active_resources_total')).toBeGreaterThan(0);
    expect(await metrics.registry.metrics()).not.toMatch(/^nodejs_active_(handles|requests|resources)[ {]/m);
  });
});
