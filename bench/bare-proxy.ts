import { createProxyMiddleware } from 'http-proxy-middleware';
import { Agent, createServer } from 'node:http';

/** The reference of the gateway: its proxy middleware on bare HTTP with a keep-alive agent. */
const [port, target] = process.argv.slice(2);
const proxy = createProxyMiddleware({ target, agent: new Agent({ keepAlive: true, maxFreeSockets: 256 }) });

createServer((request, response) => {
  proxy(request, response, () => response.writeHead(502).end()).catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1');
