import { machineMs, openRaw, type RawSocket } from './raw-sockets.ts';

/** Opens a socket for each text of `hello`, at the servers in turn, and sends it the text. */
interface OpenSockets {
  readonly do: 'open';
  readonly urls: readonly string[];
  readonly hello: readonly string[];
}

/** An order of the parent process; each is answered by one message. */
export type Order =
  | OpenSockets
  | { readonly do: 'expect'; readonly frames: number }
  | { readonly do: 'close' };

/** The numbers in frames, and when they arrived (`machineMs`). */
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
  const at = machineMs();
  if (text.includes('"type":"ready"')) return opened();
  const number = /"profileid":(\d+)/.exec(text)?.[1];
  if (number === undefined) return;
  arrivals.push([Number(number), at]);
  answer();
}

async function connect(url: string, hello: string, number: number): Promise<RawSocket> {
  // Each loopback address has its own ports.
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
