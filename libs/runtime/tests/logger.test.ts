import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../src/logger.ts';
import { currentRequestId, withRequestContext } from '../src/request-context.ts';

const capture = (level = 'info') => {
  const lines: string[] = [];
  const logger = createLogger('test', level, { write: (line: string) => void lines.push(line) });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
};

const secrets = [
  'authorization',
  'password',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
  'secret',
  'cookie',
  'email',
];

describe('the log', () => {
  it.each(secrets)('hides %s down to the third level', (key) => {
    const { logger, lines, last } = capture();
    const value = 'very private';
    logger.info({ [key]: value, one: { [key]: value, two: { [key]: value } } }, 'hello');
    expect(lines.join('')).not.toContain(value);
    expect(last()).toMatchObject({ [key]: '[hidden]', one: { two: { [key]: '[hidden]' } }, msg: 'hello' });
  });

  it('hides the properties of an error', () => {
    const { logger, lines } = capture();
    const error = Object.assign(new Error('refused'), {
      password: 'very private',
      keyValue: { email: 'a@b.org' },
    });
    logger.error({ err: error }, 'failed');
    expect(lines.join('')).toContain('refused');
    expect(lines.join('')).not.toContain('very private');
    expect(lines.join('')).not.toContain('a@b.org');
  });

  it('logs an error without the properties of drivers', () => {
    const { logger, lines, last } = capture();
    const about = { meta: { request: { params: { body: '{"about_me":"very private"}' } } } };
    const cause = Object.assign(new Error('the reason'), { code: 11_000, writeErrors: [about] });
    const both = new AggregateError([Object.assign(cause, about)], 'all of them');
    logger.error({ err: Object.assign(new Error('failed', { cause }), about) }, 'one');
    const stack = expect.stringContaining('logger.test');
    expect(last()).toMatchObject({ err: { type: 'Error', message: 'failed: the reason', stack } });
    logger.error(Object.assign(cause, { command: { args: ['very private'] } }));
    expect(last()).toMatchObject({ err: { code: 11_000 }, msg: 'the reason' });
    logger.error({ err: both }, 'several');
    expect(last()).toMatchObject({ err: { aggregateErrors: [{ message: 'the reason', code: 11_000 }] } });
    logger.error({ err: 'no error at all' }, 'odd');
    expect(last()).toMatchObject({ err: 'no error at all' });
    expect(lines.join('')).not.toContain('very private');
  });

  it('logs JSON lines with service and time', () => {
    const { logger, last } = capture();
    logger.warn({ count: 3 }, 'careful');
    expect(last()).toMatchObject({ service: 'test', count: 3, msg: 'careful', level: 40 });
    expect(String(last()['time'])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('logs the id of the current request across awaits', async () => {
    const { logger, last } = capture();
    await withRequestContext({ requestId: 'r-1' }, async () => {
      await Promise.resolve();
      logger.info('inside');
    });
    expect(last()).toMatchObject({ request_id: 'r-1' });
    logger.info('outside');
    expect(last()).not.toHaveProperty('request_id');
    expect(currentRequestId()).toBeUndefined();
  });

  it('logs nothing below its level', () => {
    const { logger, lines } = capture('warn');
    logger.info('not said');
    expect(lines).toEqual([]);
  });
});
