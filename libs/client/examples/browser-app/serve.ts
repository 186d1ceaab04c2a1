import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Serves the page of this folder on a free port of 127.0.0.1, another origin than that of the API. Run it beside `npm start`,
 * whose public client it reads.
 */

interface Demo {
  readonly base_url: string;
  readonly auth_url: string;
  readonly siteid: number;
  readonly public_client: { readonly client_id: string };
}

const demoFile = process.argv[2] ?? new URL('../../../../.data/demo.json', import.meta.url);
const { base_url, auth_url, siteid, public_client } = JSON.parse(await readFile(demoFile, 'utf8')) as Demo;
const settings = { baseUrl: base_url, authUrl: auth_url, clientId: public_client.client_id, siteid };

const page = new URL('index.html', import.meta.url);
const built = new URL('../../dist/', import.meta.url);
const openapiFetch = new URL(import.meta.resolve('openapi-fetch'));

const server = createServer((request, response) => {
  const [pathname = ''] = (request.url ?? '').split('?');
  const send = (type: string, text: string | Buffer) =>
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(text);
  const sendFile = (type: string, file: URL) =>
    void readFile(file).then(
      (text) => send(type, text),
      () => response.writeHead(404).end(),
    );
  if (pathname === '/' || pathname === '/callback') sendFile('text/html', page);
  else if (pathname === '/settings.json') send('application/json', JSON.stringify(settings));
  else if (pathname === '/openapi-fetch.js') sendFile('text/javascript', openapiFetch);
  else if (/^\/client\/[\w-]+\.js$/.test(pathname))
    sendFile('text/javascript', new URL(pathname.slice('/client/'.length), built));
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
