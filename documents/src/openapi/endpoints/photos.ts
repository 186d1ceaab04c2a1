import type { EndpointDocument, EndpointDocuments } from '../endpoint-document.ts';
import { photoid, profileid } from '../parameters.ts';
import { ref } from '../schema.ts';
import { ownPhoto, ownRecord } from '../samples.ts';

const withPhotos = { ...ownRecord, photos: [ownPhoto] };

const deletion: EndpointDocument = {
  tag: 'Photos',
  description: 'The files are gone with the answer.',
  parameters: { photoid: { ...photoid, required: false } },
  example: { request: { photoid: 4711 }, answer: {} },
};

/** The own photos. */
export const photos: EndpointDocuments = {
  'GET /photo': {
    tag: 'Photos',
    description:
      'The own ones, approved and pending, the primary one first. With `profileid` those of another member that the caller may see, who is told of no view. A site may limit the members whose profile or photos are opened in a day (429).',
    parameters: { profileid: { ...profileid, required: false } },
    example: { answer: [ownPhoto] },
  },
  'POST /photo': {
    tag: 'Photos',
    description:
      'One image: as the file part `image` of a multipart form, or the address of one as `imageurl`. JSON and other forms are taken with an `imageurl`. BMP, GIF, ICO, JPG and PNG up to 5 MiB; metadata is removed.',
    parameters: {
      image: {
        schema: { type: 'string', format: 'binary' },
        description: 'The file, in multipart forms only.',
      },
      imageurl: {
        schema: { type: 'string', format: 'uri' },
        description: 'Where the image is to be fetched.',
      },
      caption: { description: 'Shown below the photo.' },
      private: {
        schema: { type: 'boolean', default: false },
        description: 'Whether only members it is shared with see it. This cannot be changed later.',
      },
    },
    example: {
      request: { imageurl: 'https://pictures.example/lake.jpg', caption: 'At the lake' },
      answer: ownPhoto,
    },
  },
  'POST /members/self/photosharing': {
    tag: 'Photos',
    description:
      'Private photos are seen where both agree: the owner sends, the other receives. At least one of the two is needed; taking back is always possible. Answers the flags of photo sharing.',
    parameters: {
      profileid,
      send: {
        schema: { type: 'boolean' },
        description: 'Whether the other may see the caller’s private photos.',
      },
      receive: { schema: { type: 'boolean' }, description: 'Whether the caller wants to see the other’s.' },
    },
    answer: ref('SharedPhotos'),
    example: {
      request: { profileid: 1002, send: true },
      answer: { can_share: true, can_send_to: true, can_receive_from: false, receiving_me: false },
    },
  },
  'DELETE /photo': deletion,
  'DELETE /photo/:photoid': deletion,
  'POST /photo/primary': {
    tag: 'Photos',
    description: 'An approved photo becomes the primary one; a pending one is 403 without code.',
    parameters: { photoid },
    example: { request: { photoid: 4711 }, answer: withPhotos },
  },
  'POST /updatephotoorder': {
    tag: 'Photos',
    description:
      'The photos named come first, in that order, behind the primary one. Missing ids, or one that is not the member’s, are 403 without code.',
    parameters: {
      photoids: {
        schema: { type: 'array', items: ref('PhotoId'), minItems: 1 },
        description: 'A list of ids, or their text with commas between them.',
        required: true,
      },
    },
    example: { request: { photoids: [4711] }, answer: withPhotos },
  },
};
