import { unavailable } from '@covalence/contract/failure';
import { photoSuffix } from '@covalence/contract/photo-files';
import { settle } from '@covalence/runtime/settle';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';
import type { Readable } from 'node:stream';
import { resolve } from 'node:path';
import type { Photo } from '../members/document/member.ts';

interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Absent for Amazon S3. */
  readonly endpoint?: string | undefined;
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** Milliseconds without data after which a request fails; default 10,000. */
  readonly silenceMs?: number;
}

/** The photo storage: a folder, or an S3-compatible store. */
export type PhotoStorageOptions = { readonly folder: string } | { readonly s3: S3Options };

/** The files of photos. No name is ever reused. */
export type PhotoStorage = ReturnType<typeof createPhotoStorage>;

type Named = Pick<Photo, 'stem' | 'extension'>;

/** A file of a photo in one size. */
export interface PhotoFile {
  readonly size: number;
  readonly bytes: Uint8Array;
}

const nameOf = ({ stem, extension }: Named, size: number) => `${stem}${photoSuffix(size)}${extension}`;

/** Only this service reads the store, and it sends its own cache headers. */
const writing = { contentType: 'image/jpeg', cacheControl: 'private, no-store' };

const connectionTimeoutMs = 5_000;

const driverOf = (options: PhotoStorageOptions) => {
  // Clients fetch files from this service, so the bucket stays private.
  const visibility = 'private';
  if ('folder' in options) return new FSDriver({ location: resolve(options.folder), visibility });
  const { bucket, region, endpoint, accessKeyId, secretAccessKey, silenceMs = 10_000 } = options.s3;
  return new S3Driver({
    bucket,
    region,
    visibility,
    supportsACL: false,
    // Other stores than Amazon S3 support neither bucket host names nor the newer checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without these limits the client would wait forever.
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: silenceMs },
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  });
};

const isMissing = ({ cause }: Error): boolean =>
  cause instanceof Error && (cause.name === 'NoSuchKey' || ('code' in cause && cause.code === 'ENOENT'));

/** The result of a read, or undefined for a missing file. Throws 503 if the storage is unavailable. */
async function found<Content>(read: Promise<Content>): Promise<Content | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Error && isMissing(error)) return undefined;
    throw unavailable(error);
  }
}

/** The files of a storage by name, for backups. */
export const createDisk = (options: PhotoStorageOptions): Disk => new Disk(driverOf(options));

/** Creates the storage on flydrive. */
export function createPhotoStorage(options: PhotoStorageOptions) {
  const disk = createDisk(options);

  const removeAll = (names: readonly string[]): Promise<void> =>
    settle(names.map((name) => disk.delete(name))).catch((error: unknown) => {
      throw unavailable(error);
    });

  return {
    folder: 'folder' in options ? resolve(options.folder) : undefined,
    /** Writes all files of a photo, or none: removes written files after a failure. Throws 503 where the storage is down. */
    async put(photo: Named, files: readonly PhotoFile[]) {
      const named = files.map(({ size, bytes }) => ({ name: nameOf(photo, size), bytes }));
      try {
        await settle(named.map(({ name, bytes }) => disk.put(name, bytes, writing)));
      } catch (error) {
        await removeAll(named.map(({ name }) => name)).catch(() => undefined);
        throw unavailable(error);
      }
    },
    /** Removes all files of a photo. Missing files are no error. */
    remove: (photo: Named & Pick<Photo, 'sizes'>): Promise<void> =>
      removeAll(photo.sizes.map((size) => nameOf(photo, size))),
    read: (name: string): Promise<Readable | undefined> => found(disk.getStream(name)),
    bytesOf: (photo: Named, size: number): Promise<Uint8Array | undefined> =>
      found(disk.getBytes(nameOf(photo, size))),
  };
}
