import { unavailable } from '@covalence/contract/failure';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { createImageTurns } from './image-turns.ts';
import type { ImageResult, ImageTask } from './image-worker.ts';

/** Limits of the pool. Memory is bounded by the number of threads times the largest image. */
interface ImagePoolOptions {
  readonly threads: number;
  /** Uploads that may wait for a thread, in all and for one member. */
  readonly queue: number;
  readonly queuePerMember: number;
  /** Milliseconds after which rendering is aborted together with its thread; default 30,000. */
  readonly limitMs?: number;
}

// Beside this file, in the sources and in the build.
const worker = fileURLToPath(new URL(`./image-worker${extname(import.meta.url)}`, import.meta.url));

/** Creates the pool. Threads start with the first upload and stop when idle. */
export function createImagePool({ threads, queue, queuePerMember, limitMs = 30_000 }: ImagePoolOptions) {
  const turns = createImageTurns({ atOnce: threads, waiting: queue, waitingPerMember: queuePerMember });
  const pool = new Piscina<ImageTask, ImageResult>({
    filename: worker,
    name: 'renderImage',
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: 60_000,
    // Heap of a thread; images are outside of it.
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  return {
    /**
     * Renders an upload of a member, in turns with uploads of other members. Throws 429 while too many of the member
     * wait, and 503 while too many wait in all or where no thread began in time.
     */
    async render(member: number, upload: Omit<ImageTask, 'begun'>): Promise<ImageResult> {
      const limit = AbortSignal.timeout(limitMs);
      const begun = new Uint8Array(new SharedArrayBuffer(1));
      try {
        return await turns.run(member, () => pool.run({ ...upload, begun }, { signal: limit }), limit);
      } catch (error) {
        if (!limit.aborted) throw error;
        if (!begun[0]) throw unavailable(error);
        return { refused: 'took too long' };
      }
    },
    close: (): Promise<void> => pool.destroy(),
  };
}
