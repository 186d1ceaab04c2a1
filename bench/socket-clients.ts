import { WebSocket } from 'ws';

/** What to open, from the process that forked this one: socket number n says `hello[n]` and is given its frames. */
export interface OpenSockets {
  readonly do: 'open';
  readonly url: string;
  readonly hello: readonly string[];
}

/** Questions to the clients; each is answered with a message of its own. */
export type Order =
  OpenSockets | { readonly do: 'expect'; readonly frames: number } | { readonly do: 'close' };

/** When frames came, on the machine's own clock in ms: the number that a frame carries, and the time. */
export type Arrivals = readonly (readonly [number: number, at: number])[];

const now = () => Number(process.hrtime.bigint()) / 1e6;
const perAddress = 2_000;
const atOnce = 100;

let sockets: WebSocket[] = [];
let arrivals: [number, number][] = [];
let expected = 0;

const answer = () => {
  if (!expected || arrivals.length < expected) return;
  const all = arrivals;
  expected = 0;
  arrivals = [];
  process.send?.(all);
};

function take(data: Buffer, opened: () => void): void {
  const at = now();
  const text = data.toString('utf8');
  if (text.includes('"type":"ready"')) return opened();
  const number = /"profileid":(\d+)/.exec(text)?.[1];
  if (number === undefined) return;
  arrivals.push([Number(number), at]);
  answer();
}

const connect = (url: string, hello: string, number: number): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    // Each address of loopback has its own ports.
    const localAddress = `127.0.0.${2 + Math.floor(number / perAddress)}`;
    const socket = new WebSocket(url, { localAddress, perMessageDeflate: false });
    socket.once('error', reject);
    socket.once('open', () => socket.send(hello));
    socket.on('message', (data: Buffer) => take(data, () => resolve(socket)));
  });

async function open({ url, hello }: OpenSockets): Promise<void> {
  for (let from = 0; from < hello.length; from += atOnce) {
    const some = hello.slice(from, from + atOnce);
    sockets.push(...(await Promise.all(some.map((text, index) => connect(url, text, from + index)))));
  }
  process.send?.('open');
}

async function close(): Promise<void> {
  const ended = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of sockets) socket.terminate();
  await Promise.all(ended);
  sockets = [];
  process.send?.('closed');
}

function fail(error: unknown): never {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}

process.on('message', (order: Order) => {
  if (order.do === 'open') open(order).catch(fail);
  else if (order.do === 'close') close().catch(fail);
  else {
    expected = order.frames;
    answer();
  }
});
process.once('disconnect', () => process.exit(0));
