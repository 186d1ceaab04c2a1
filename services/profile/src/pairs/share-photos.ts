import { invalidArgument } from '@covalence/contract/failure';
import { booleanParameter, optional, profileid } from '@covalence/contract/parameters';
import { z } from 'zod';
import { refusalCodes, checkEncounter } from './eligibility.ts';
import { checkOther } from './other-member.ts';
import type { PairsContext } from './pairs.ts';
import type { Member } from '../members/document/member.ts';
import { twoMembersEndpoint } from '../members/member-endpoint.ts';
import { type Sides, relationOf } from './pair.ts';
import type { PairAction } from './pair-machine.ts';
import { sharedPhotos, sharedPhotosSchema } from '../record/fields/relation.ts';

const flag = optional(booleanParameter);

/** Starting to share or receive photos needs what a like needs; ending it is always allowed. */
const refuseUnlessAllowed = (context: PairsContext, viewer: Member, other: Member) => (sides: Sides) => {
  if (!context.records.photoSharing) throw invalidArgument();
  checkEncounter(context, { viewer, other, relation: relationOf(sides), purpose: 'like' });
};

/** POST /members/self/photosharing */
export const sharePhotos = twoMembersEndpoint({
  tag: 'Photos',
  operationId: 'sharePhotos',
  summary: 'Share private photos with a member',
  description:
    'Private photos are visible where both agree: the owner sends, the other receives. At least one of `send` and `receive` is required; withdrawing is always possible.',
  answer: 'What the two members share.',
  example: {
    request: { profileid: 1002, send: true },
    answer: { can_share: true, can_send_to: true, can_receive_from: false, receiving_me: false },
  },
  input: z.object({
    profileid,
    send: flag.meta({
      type: 'boolean',
      description: 'Whether the other may see the caller’s private photos.',
    }),
    receive: flag.meta({ type: 'boolean', description: 'Whether the caller wants to see the other’s.' }),
  }),
  output: sharedPhotosSchema,
  codes: refusalCodes('like'),
  handler: async ({ input, member: viewer, other: named }, context: PairsContext) => {
    const { profileid, send, receive } = input;
    if (send === undefined && receive === undefined) throw invalidArgument();
    const other = checkOther(viewer, named, profileid);
    const check = send || receive ? refuseUnlessAllowed(context, viewer, other) : undefined;
    const actions: PairAction[] = [
      ...(send === undefined ? [] : [send ? ('share-photos' as const) : ('unshare-photos' as const)]),
      ...(receive === undefined ? [] : [receive ? ('accept-photos' as const) : ('refuse-photos' as const)]),
    ];
    const { sides } = await context.pairs.store.act(viewer._id, other._id, actions, { check });
    return sharedPhotos(relationOf(sides), context.records.photoSharing);
  },
});
