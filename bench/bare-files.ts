import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** What fetches of photos are compared with: bare HTTP over the files of a folder, and nothing else. */
const [port, folder = ''] = process.argv.slice(2);
createServer((request, response) => {
  response.setHeader('Content-Type', 'image/jpeg');
  pipeline(createReadStream(join(folder, basename(request.url ?? ''))), response).catch(() =>
    response.destroy(),
  );
}).listen(Number(port), '127.0.0.1');
