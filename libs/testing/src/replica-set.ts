import { mongo } from 'mongoose';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listenLocally } from './listen-locally.ts';
import { answerTo, createMessages, documentIn, withoutFields } from './mongo-messages.ts';

type Document = Readonly<Record<string, unknown>>;

/** Codes of a member that is not, or no longer, the primary. */
const codes = {
  CursorNotFound: 43,
  ShutdownInProgress: 91,
  NotWritablePrimary: 10_107,
  InterruptedDueToReplStateChange: 11_602,
  NotPrimaryNoSecondaryOk: 13_435,
} as const;
type CodeName = keyof typeof codes;

/** The fate of a write that a primary has received when it loses its role. */
export type Fate =
  /** Not executed, and refused. */
  | 'refused'
  /** Executed, but the answer says that no majority has it. */
  | 'unconfirmed'
  /** The same answer; the next primary does not have the write. */
  | 'rolled back'
  /** Not executed, and the connection closes. */
  | 'lost'
  /** Executed, and the connection closes before the answer. */
  | 'unheard';

const fatesOf: Readonly<Record<'step down' | 'kill', readonly Fate[]>> = {
  'step down': ['refused', 'unconfirmed', 'rolled back'],
  kill: ['lost', 'unheard'],
};

/** An election. */
export interface Election {
  /** The primary steps down and serves on, or its process is killed. */
  readonly how: 'step down' | 'kill';
  /** Time without a primary, ms. */
  readonly ms: number;
  /** Time for which the old primary holds the last writes it receives, ms; with hold() before, none. */
  readonly gatherMs?: number;
  /** The fates of these writes, in turn. */
  readonly fates?: readonly Fate[];
}

const writes = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);
const reads = new Set(['find', 'aggregate', 'count', 'distinct']);
/** Commands that every member serves. */
const anywhere = new Set(['ping', 'buildInfo', 'killCursors']);

/** Fields that the server behind, a single one, does not know. */
const ofReplicaSets = new Set([
  'lsid',
  'txnNumber',
  'writeConcern',
  'readConcern',
  '$readPreference',
  '$clusterTime',
]);

/** A write that a driver may repeat. */
interface Repeatable {
  readonly session: string;
  readonly number: string;
}

interface Member {
  readonly address: string;
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** Cursors that this process has opened. */
  readonly cursors: Set<string>;
  processId: mongo.ObjectId;
  isDown: boolean;
}

const memberCount = 3;

/** An answer that no majority has confirmed. */
const unconfirmed = (answer: Document, isRepeatable: boolean): Document => ({
  ...answer,
  writeConcernError: {
    code: codes.InterruptedDueToReplStateChange,
    codeName: 'InterruptedDueToReplStateChange',
    errmsg: 'the primary has changed',
  },
  ...(isRepeatable && { errorLabels: ['RetryableWriteError'] }),
});

/** A pretended replica set: addresses of members that all pass what they serve to one server. */
export type ReplicaSet = Awaited<ReturnType<typeof createReplicaSet>>;

/**
 * Opens a pretended replica set before a MongoDB server, e.g. mongodb://127.0.0.1:27017. Like one it has a primary, which an
 * election moves, sessions, and writes that are executed once however often a driver repeats them. A write that is
 * rolled back has never been executed, so that nobody reads it before.
 */
export async function createReplicaSet(target: string) {
  const { hostname, port } = new URL(target);
  /** The last repeatable write of each session, and its answer as soon as there is one. */
  const lastWrites = new Map<string, { readonly number: string; readonly answer?: Buffer }>();
  const unsafe = new Set<string>();
  let held: ((fate: Fate) => Promise<void>)[] = [];
  let isHolding = false;
  let primary: number | undefined = 0;
  let term = 1;
  let counter = 1;
  let changed = Promise.withResolvers<void>();
  const members: Member[] = [];

  const change = (next: number | undefined): void => {
    primary = next;
    counter += 1;
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const isPrimary = (member: Member) => primary !== undefined && members[primary] === member;
  const versionOf = ({ processId }: Member) => ({ processId, counter: mongo.Long.fromNumber(counter) });

  const hello = (member: Member): Document => ({
    helloOk: true,
    ismaster: isPrimary(member),
    isWritablePrimary: isPrimary(member),
    secondary: !isPrimary(member),
    setName: 'pretended',
    setVersion: 1,
    hosts: members.map(({ address }) => address),
    me: member.address,
    ...(primary !== undefined && { primary: members[primary]?.address }),
    ...(isPrimary(member) && { electionId: new mongo.ObjectId(term.toString(16).padStart(24, '0')) }),
    topologyVersion: versionOf(member),
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 13,
    readOnly: false,
    ok: 1,
  });

  /** An error, which says that a numbered write can be repeated. */
  const refusal = (member: Member, codeName: CodeName, isRepeatable = false): Document => ({
    ok: 0,
    errmsg: codeName,
    code: codes[codeName],
    codeName,
    topologyVersion: versionOf(member),
    ...(isRepeatable && { errorLabels: ['RetryableWriteError'] }),
  });

  /** Why a member does not serve a command. */
  const objection = (member: Member, name: string, command: Document): CodeName | undefined => {
    if (name === 'getMore')
      return member.cursors.has(String(command['getMore'])) ? undefined : 'CursorNotFound';
    if (isPrimary(member) || anywhere.has(name)) return undefined;
    if (!reads.has(name)) return 'NotWritablePrimary';
    const { mode = 'primary' } = (command['$readPreference'] ?? {}) as { mode?: string };
    return mode === 'primary' ? 'NotPrimaryNoSecondaryOk' : undefined;
  };

  /** Notes a write, or a read, that another primary may not have. */
  const examine = (name: string, command: Document): void => {
    const { w, j, wtimeout } = (command['writeConcern'] ?? {}) as Readonly<Record<string, unknown>>;
    const { level } = (command['readConcern'] ?? {}) as { level?: unknown };
    const isSafeWrite = w === 'majority' && j === true && Number(wtimeout) > 0;
    const isUnsafe = writes.has(name) ? !isSafeWrite : reads.has(name) && level !== 'majority';
    if (isUnsafe) unsafe.add(`${name} without majority`);
  };

  const serve = (member: Member, client: Socket): void => {
    if (member.isDown) {
      client.destroy();
      return;
    }
    member.sockets.add(client);
    let behind: Socket | undefined;
    let asked: { isHeard: boolean; resolve: (answer: Buffer) => void } | undefined;
    const take = createMessages((answer) => asked?.resolve(answer));
    const server = (): Socket => {
      if (behind) return behind;
      behind = connect(Number(port), hostname);
      behind.on('data', (chunk: Buffer) => {
        // As it comes, so that a torn answer stays torn.
        if (asked?.isHeard) client.write(chunk);
        take(chunk);
      });
      behind.on('error', () => undefined);
      behind.on('close', () => client.destroySoon());
      return behind;
    };
    client.on('error', () => undefined);
    client.on('close', () => {
      member.sockets.delete(client);
      behind?.destroy();
    });

    /** Resolves with the answer of the server, which the client hears meanwhile, or not. */
    const ask = async (message: Buffer, isHeard: boolean): Promise<Buffer> => {
      const { promise, resolve } = Promise.withResolvers<Buffer>();
      asked = { isHeard, resolve };
      server().write(withoutFields(message, ofReplicaSets));
      return promise;
    };
    const execute = async (message: Buffer, write: Repeatable | undefined, isHeard: boolean) => {
      if (write) lastWrites.set(write.session, write);
      const answer = await ask(message, isHeard);
      if (write) lastWrites.set(write.session, { ...write, answer });
      return answer;
    };

    const meet = async (message: Buffer, write: Repeatable | undefined, fate: Fate): Promise<void> => {
      const isRepeatable = write !== undefined;
      if (fate === 'refused')
        client.write(answerTo(message, refusal(member, 'InterruptedDueToReplStateChange', isRepeatable)));
      else if (fate === 'rolled back')
        client.write(answerTo(message, unconfirmed({ ok: 1, n: 0 }, isRepeatable)));
      else if (fate === 'unconfirmed') {
        const answer = documentIn(await execute(message, write, false));
        client.write(answerTo(message, unconfirmed(answer, isRepeatable)));
      } else {
        if (fate === 'unheard') await execute(message, write, false);
        client.destroy();
      }
    };

    const stream = async (message: Buffer, { maxAwaitTimeMS }: Document): Promise<void> => {
      while (!client.destroyed) {
        await Promise.race([changed.promise, wait(Number(maxAwaitTimeMS), undefined, { ref: false })]);
        client.write(answerTo(message, hello(member), true));
      }
    };

    const handle = async (message: Buffer): Promise<void> => {
      const command = documentIn(message);
      const [name = ''] = Object.keys(command);
      if (/^(hello|ismaster)$/i.test(name)) {
        client.write(answerTo(message, hello(member), Boolean(command['topologyVersion'])));
        return command['topologyVersion'] ? stream(message, command) : undefined;
      }
      if (name === 'endSessions') return void client.write(answerTo(message, { ok: 1 }));
      examine(name, command);
      const number = command['txnNumber'] as bigint | undefined;
      const session = (command['lsid'] as { id?: { toString(encoding: string): string } } | undefined)?.id;
      const write =
        number === undefined
          ? undefined
          : { session: session?.toString('hex') ?? '', number: String(number) };
      const why = objection(member, name, command);
      if (why) return void client.write(answerTo(message, refusal(member, why, write !== undefined)));
      const last = write && lastWrites.get(write.session);
      if (last && last.number === write.number) {
        // Whether the server has executed it is unknown here.
        const known = last.answer ? documentIn(last.answer) : refusal(member, 'ShutdownInProgress');
        return void client.write(answerTo(message, known));
      }
      if (isHolding && writes.has(name)) return void held.push((fate) => meet(message, write, fate));
      const { cursor } = documentIn(await execute(message, write, true)) as { cursor?: { id?: bigint } };
      if (cursor?.id) member.cursors.add(String(cursor.id));
    };
    client.on(
      'data',
      createMessages((message) => void handle(message).catch(() => client.destroy())),
    );
  };

  for (let number = 0; number < memberCount; number += 1) {
    const server = createServer((client) => {
      const member = members[number];
      if (member) serve(member, client);
    });
    members.push({
      address: `127.0.0.1:${await listenLocally(server)}`,
      server,
      sockets: new Set(),
      cursors: new Set(),
      processId: new mongo.ObjectId(),
      isDown: false,
    });
  }
  const close = (member: Member): void => {
    for (const socket of member.sockets) socket.destroy();
  };

  return {
    /** The connection string with every member. */
    url: `mongodb://${members.map(({ address }) => address).join(',')}/?replicaSet=pretended`,
    /** From now on the primary holds the writes that it receives. */
    hold: () => void (isHolding = true),
    /** The number of writes that it holds. */
    held: () => held.length,
    /** Replaces the primary; resolves when there is the next one, with the number of writes that it held. */
    async elect({ how, ms, gatherMs = 300, fates = fatesOf[how] }: Election): Promise<number> {
      const last = primary;
      const old = last === undefined ? undefined : members[last];
      if (last === undefined || !old) throw new Error('an election is under way');
      if (!isHolding) {
        isHolding = true;
        await wait(gatherMs);
      }
      isHolding = false;
      const waiting = held;
      held = [];
      change(undefined);
      await Promise.all(waiting.map((meet, at) => meet(fates[at % fates.length] ?? 'refused')));
      if (how === 'kill') {
        old.isDown = true;
        close(old);
        old.processId = new mongo.ObjectId();
        old.cursors.clear();
      }
      await wait(ms);
      old.isDown = false;
      term += 1;
      change((last + 1) % memberCount);
      return waiting.length;
    },
    /** Commands so far that another primary may not know or may know better. */
    unsafe: (): readonly string[] => [...unsafe],
    async close(): Promise<void> {
      for (const member of members) {
        member.isDown = true;
        close(member);
        const { promise, resolve } = Promise.withResolvers<void>();
        member.server.close(() => resolve());
        await promise;
      }
    },
  };
}
