import { errorText } from '@covalence/runtime/error-text';
import type { ImageType } from './image-type.ts';
import { renderPhoto, type RenderedPhoto } from './render-photo.ts';

/** One upload, as it is handed to a worker thread. */
export interface ImageTask {
  readonly bytes: Uint8Array;
  readonly type: ImageType;
  /** One byte of shared memory, 1 as soon as a thread works on the upload. */
  readonly begun: Uint8Array;
}

/** What a worker answers; a broken image is an answer, so that a defect remains an error. */
export type ImageResult = { readonly rendered: RenderedPhoto } | { readonly refused: string };

/** Renders one upload in a worker thread; `piscina` calls it by its name. */
export async function renderImage({ bytes, type, begun }: ImageTask): Promise<ImageResult> {
  begun[0] = 1;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { rendered: await renderPhoto(buffer, type) };
  } catch (error) {
    return { refused: errorText(error) };
  }
}
