import { now } from './machine-clock.ts';
import { openRaw, type RawSocket } from './raw-sockets.ts';

/** What to open, from the process that forked this one: socket number n says `hello[n]` and is given its frames; the servers in turn. */
export interface OpenSockets {
  readonly do: 'open';
  readonly urls: readonly string[];
  readonly hello: readonly string[];
}

/** Questions to the clients; each is answered with a message of its own. */
export type Order =
  OpenSockets | { readonly do: 'expect'; readonly frames: number } | { readonly do: 'close' };

/** When frames came, on the machine's own clock in ms: the number that a frame carries, and the time. */
export type Arrivals = readonly (readonly [number: number, at: number])[];

const perAddress = 2_000;
const atOnce = 100;

let sockets: RawSocket[] = [];
let arrivals: [number, number][] = [];
let expected = 0;

const answer = () => {
  if (!expected || arrivals.length < expected) return;
  const all = arrivals;
  expected = 0;
  arrivals = [];
  process.send?.(all);
};

function take(text: string, opened: () => void): void {
  const at = now();
  if (text.includes('"type":"ready"')) return opened();
  const number = /"profileid":(\d+)/.exec(text)?.[1];
  if (number === undefined) return;
  arrivals.push([Number(number), at]);
  answer();
}

async function connect(url: string, hello: string, number: number): Promise<RawSocket> {
  // Each address of loopback has its own ports.
  const localAddress = `127.0.0.${2 + Math.floor(number / perAddress)}`;
  const ready = Promise.withResolvers<void>();
  const socket = await openRaw({ url, hello, localAddress }, (text) => take(text, ready.resolve));
  await ready.promise;
  return socket;
}

async function open({ urls, hello }: OpenSockets): Promise<void> {
  const urlOf = (number: number) => urls[number % urls.length] ?? '';
  for (let from = 0; from < hello.length; from += atOnce) {
    const some = hello.slice(from, from + atOnce);
    const connecting = some.map((text, index) => connect(urlOf(from + index), text, from + index));
    sockets.push(...(await Promise.all(connecting)));
  }
  process.send?.('open');
}

async function close(): Promise<void> {
  await Promise.all(sockets.map((socket) => socket.close()));
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
