import { unavailable } from '@covalence/contract/failure';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ImageResult, ImageTask } from './image-worker.ts';

/** Worker threads in which uploads become photos. */
export interface ImagePool {
  /** Renders one upload; 503 while too many wait already. */
  render(task: ImageTask): Promise<ImageResult>;
  close(): Promise<void>;
}

/** How much is done at once: memory is bounded by threads times the largest image. */
export interface ImagePoolOptions {
  readonly threads: number;
  /** Uploads that may wait for a thread. */
  readonly queue: number;
}

/** An image on which a thread has worked that long is given up with its thread. */
const taskLimitMs = 30_000;

// Beside this file, as a source or as a build.
const worker = fileURLToPath(new URL(`./image-worker${extname(import.meta.url)}`, import.meta.url));

/** Starts the pool; threads come with the first upload and go when idle. */
export function createImagePool({ threads, queue }: ImagePoolOptions): ImagePool {
  const pool = new Piscina<ImageTask, ImageResult>({
    filename: worker,
    name: 'renderImage',
    minThreads: 0,
    maxThreads: threads,
    maxQueue: queue,
    concurrentTasksPerWorker: 1,
    idleTimeout: 60_000,
    // What a thread needs beside its images.
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  return {
    async render(task) {
      if (pool.queueSize >= queue) throw unavailable(new Error('too many uploads at once'));
      const limit = AbortSignal.timeout(taskLimitMs);
      try {
        return await pool.run(task, { signal: limit });
      } catch (error) {
        if (limit.aborted) return { refused: 'took too long' };
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}
