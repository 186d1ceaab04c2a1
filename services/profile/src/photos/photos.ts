import type { Connection } from 'mongoose';
import type { Bans } from '../members/bans.ts';
import type { HeldPhoto, Member } from '../members/document/member.ts';
import type { PairsContext } from '../pairs/pairs.ts';
import { createImageFetcher, type ImageFetcher } from './image/fetch-image.ts';
import { createImagePool } from './image/image-pool.ts';
import { imageLimit } from './image/image-type.ts';
import { createPhotoBans } from './photo-bans.ts';
import { createPhotoStorage, type PhotoStorageOptions } from './photo-storage-store.ts';
import { createUploadStore } from './upload-store.ts';

/** Dependencies of the photo operations. */
export interface PhotosContext extends PairsContext {
  readonly photos: ReturnType<typeof createPhotos>;
}

interface PhotosOptions {
  readonly connection: Connection;
  readonly storage: PhotoStorageOptions;
  readonly threads: number;
  readonly bans: Bans;
  readonly fetcher?: ImageFetcher | undefined;
  /** The photo of this id if a rejection or a report refers to it: its files stay until retention ends. */
  readonly findHeld: (photo: number) => Promise<HeldPhoto | undefined>;
  /** Moves decisions that a crash left on the member to the history, where `findHeld` and retention find them. */
  readonly moveDecisions: (member: Member) => Promise<void>;
}

/** Images that may wait for a thread; further ones are refused with 503. */
const queuedImages = 32;

/** Images of one member that may wait: as many as a member may have photos. */
const queuedImagesPerMember = 20;

/** Creates the storage of photos and the threads that render them. */
export function createPhotos({ connection, storage, threads, fetcher, bans, ...held }: PhotosOptions) {
  return {
    storage: createPhotoStorage(storage),
    uploads: createUploadStore(connection),
    bans: createPhotoBans(bans),
    pool: createImagePool({ threads, queue: queuedImages, queuePerMember: queuedImagesPerMember }),
    fetcher: fetcher ?? createImageFetcher({ maxBytes: imageLimit }),
    ...held,
  };
}
