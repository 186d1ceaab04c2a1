import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '../src/logger.ts';
import { createMetrics } from '../src/metrics.ts';
import { withRequestContext } from '../src/request-context.ts';
import { createSecurityLog, securityEvents } from '../src/security-events.ts';

const capture = (level: string) => {
  const lines: string[] = [];
  const logger = createLogger('test', level, { write: (line: string) => void lines.push(line) });
  const metrics = createMetrics('test');
  return { security: createSecurityLog(logger, metrics), metrics, lines };
};

const facts = { member: 'a-member', client: 'a-client', address: '192.0.2.1', reason: 'wrong' };

describe('the log of security events', () => {
  it('writes one line with identifiers and the request id, and counts the event by reason', async () => {
    const { security, metrics, lines } = capture('info');
    withRequestContext({ requestId: 'a-request' }, () => security.record('sign_in_failed', facts));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      ...facts,
      level: 40,
      service: 'test',
      request_id: 'a-request',
      security_event: 'sign_in_failed',
    });
    const { values } = await metrics.securityEvents.get();
    const counted = values.filter(({ value }) => value > 0);
    expect(counted).toMatchObject([{ labels: { event: 'sign_in_failed', reason: 'wrong' }, value: 1 }]);
  });

  it.each(['warn', 'error'])('writes its lines at LOG_LEVEL=%s too', (level) => {
    const { security, lines } = capture(level);
    security.record('sign_in', facts);
    expect(lines).toHaveLength(1);
  });

  it('records each event in some service', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const services = readdirSync(join(root, 'services')).map((name) => `services/${name}/src`);
    const sources = ['gateway/src', 'libs/http/src', ...services].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(root, folder, name), 'utf8')),
    );
    const unused = Object.keys(securityEvents).filter(
      (name) => !sources.some((text) => text.includes(`'${name}'`)),
    );
    expect(unused).toEqual([]);
  });
});
