import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listen } from '../src/lifecycle.ts';

/** Announced keep-alive of an idle connection in ms; announced in whole seconds. */
const told = 1_000;

describe('an idle connection', () => {
  it('stays open for longer than announced, so that a late request is answered', async () => {
    const server = createServer(
      { keepAliveTimeout: told },
      (_request, response) => void response.end('here'),
    );
    const socket = connect(await listen(server, 0, '127.0.0.1'), '127.0.0.1');
    const call = async () => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString();
    };
    expect(await call()).toContain('Keep-Alive: timeout=1');
    const ended = once(socket, 'end').then(() => 'ended');
    // Twice the announced time, and longer than the default of Node.js.
    const late = new Promise((resolve) => {
      setTimeout(resolve, 2.5 * told, 'still there');
    });
    try {
      expect(await Promise.race([ended, late])).toBe('still there');
      expect(await call()).toContain('here');
    } finally {
      socket.destroy();
      server.close();
    }
  });
});
