import { badRequest, payloadTooLarge, unavailable } from '@covalence/contract/failure';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Request, RequestHandler } from 'express';
import type { Parameters } from './names.ts';

/** One file as a part of a multipart form. */
export interface Upload {
  /** The name of the file's part, lower case. */
  readonly file: string;
  /** Maximum size; a larger file arrives empty with `tooLarge`. */
  readonly maxBytes: number;
}

/** An uploaded file. It is a class so that a JSON body cannot imitate one. */
export class UploadedFile {
  /** Empty if the file was too large. */
  readonly bytes: Buffer;
  /** The file exceeds the maximum size of the endpoint. */
  readonly tooLarge: boolean;

  constructor(bytes: Buffer, tooLarge: boolean) {
    this.bytes = bytes;
    this.tooLarge = tooLarge;
  }
}

/** Memory limit for the files of all requests to one endpoint; beyond it the answer is 503. */
const heldLimit = 256 * 1024 * 1024;

const limits = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 50,
  files: 2,
  parts: 52,
  headerPairs: 20,
};

/** Collects repeated fields into lists, as forms do. */
function addValue(values: Map<string, unknown>, name: string, value: unknown): void {
  const before = values.get(name);
  if (before === undefined) values.set(name, value);
  else values.set(name, Array.isArray(before) ? [...(before as unknown[]), value] : [before, value]);
}

function openForm(request: Request, { file }: Upload): BusboyInstance {
  try {
    return Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits,
      // A part without a file name may still be the file.
      isPartAFile: (name, type, fileName) =>
        name?.toLowerCase() === file || fileName !== undefined || type === 'application/octet-stream',
    });
  } catch {
    throw badRequest();
  }
}

/** Collects a file of up to `maxBytes`. `done` receives undefined for an empty part, as browsers send for an unset input. */
function collect(
  stream: BusboyFileStream,
  maxBytes: number,
  take: (bytes: number) => void,
  done: (file: UploadedFile | undefined) => void,
): void {
  let chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) chunks = [];
    else {
      take(chunk.length);
      chunks.push(chunk);
    }
  });
  stream.on('end', () => {
    if (length) done(new UploadedFile(Buffer.concat(chunks), length > maxBytes));
    else done(undefined);
  });
}

function readForm(
  request: Request,
  upload: Upload,
  bodyLimit: number,
  take: (bytes: number) => void,
): Promise<Parameters> {
  const form = openForm(request, upload);
  const values = new Map<string, unknown>();
  return new Promise((resolve, reject) => {
    let length = 0;
    const refuse = (error: unknown) => {
      request.unpipe(form);
      // Drain the rest so that the client receives the answer.
      request.resume();
      reject(error);
    };
    const guarded = (bytes: number) => {
      try {
        take(bytes);
      } catch (error) {
        refuse(error);
      }
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bodyLimit) refuse(payloadTooLarge());
    });
    request.once('close', () => reject(badRequest()));
    form.on('error', () => refuse(badRequest()));
    form.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) refuse(payloadTooLarge());
      else addValue(values, name, value);
    });
    form.on('file', (name, stream) => {
      stream.on('error', () => refuse(badRequest()));
      if (name.toLowerCase() !== upload.file || values.has(upload.file)) {
        stream.resume();
        return;
      }
      collect(stream, upload.maxBytes, guarded, (file) => file && values.set(upload.file, file));
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      form.on(event, () => refuse(payloadTooLarge()));
    }
    form.once('finish', () => resolve(Object.fromEntries(values)));
    request.pipe(form);
  });
}

/**
 * Reads multipart forms into `request.body`: fields as strings, the file as an `UploadedFile`. Memory is bounded per file
 * and over all requests (503 beyond); forms that do not parse are 400, oversized bodies and fields 413.
 */
export function multipart(upload: Upload, bodyLimit: number): RequestHandler {
  let left = heldLimit;
  return async (request, response, next) => {
    if (!request.is('multipart/form-data')) return next();
    let held = 0;
    let closed = false;
    response.once('close', () => {
      closed = true;
      left += held;
      held = 0;
    });
    const take = (bytes: number) => {
      if (closed) return;
      if (bytes > left) throw unavailable(new Error('too many uploads at once'));
      left -= bytes;
      held += bytes;
    };
    request.body = await readForm(request, upload, bodyLimit, take);
    next();
  };
}
