import { errorText } from '@covalence/runtime/error-text';
import type { ImageType } from './image-type.ts';
import { renderPhoto, type RenderedPhoto } from './render-photo.ts';

/** An upload as a worker thread receives it. */
export interface ImageTask {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  /** One byte of shared memory, 1 as soon as a thread works on the upload. */
  readonly begun: Uint8Array;
}

/** The result of a worker. A broken image is a result, so that errors are defects. */
export type ImageResult = { readonly rendered: RenderedPhoto } | { readonly refused: string };

/** Renders an upload; piscina calls it by name in a worker thread. */
export async function renderImage({ bytes, type, begun }: ImageTask): Promise<ImageResult> {
  begun[0] = 1;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { rendered: await renderPhoto(buffer, type) };
  } catch (error) {
    return { refused: errorText(error) };
  }
}
