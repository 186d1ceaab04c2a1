import type { LiveUpdate } from '@covalence/contract/live-updates';
import { until } from '@covalence/testing/until';
import { WebSocket } from 'ws';

/** A live update of any type. */
interface Frame extends Pick<LiveUpdate, 'id' | 'type' | 'at'> {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A live-updates socket that stores its frames. */
export type LiveSocket = Awaited<ReturnType<typeof openSocket>>;

/** Opens /ws/updates, sends the token, or the message with its proof, and waits for `ready`. With `resume`, a frame id, it requests later frames. */
export async function openSocket(base: string, accessToken: string, { resume }: { resume?: string } = {}) {
  const socket = new WebSocket(new URL('/ws/updates', base.replace(/^http/, 'ws')));
  const frames: Frame[] = [];
  let problem: Error | undefined;
  socket.on('open', () => {
    socket.send(accessToken);
    if (resume) socket.send(JSON.stringify({ type: 'resume', after: resume }));
  });
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString('utf8')) as Frame));
  socket.on('error', (error) => (problem = error));
  /** The close code. */
  const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
  socket.on('close', (code) => (problem ??= new Error(`socket closed with ${code}`)));
  /** The first frame of a type that satisfies `matches`; waits up to `limitMs`. */
  const next = async (
    type: LiveUpdate['type'],
    matches: (frame: Frame) => boolean = () => true,
    limitMs = 10_000,
  ): Promise<Frame> => {
    const arrived = () => frames.find((one) => one.type === type && matches(one));
    await until(`a ${type} frame`, () => arrived() !== undefined || problem !== undefined, limitMs);
    const frame = arrived();
    if (!frame) throw new Error(`no ${type} frame will come`, { cause: problem });
    return frame;
  };
  await next('ready');
  return { frames, next, closed, close: () => socket.close() };
}
