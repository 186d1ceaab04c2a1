import { presenceRecipients } from '@covalence/contract/peers/profile-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { refusalOf } from '../eligibility.ts';
import type { PairsContext } from '../pairs.ts';
import { isActive } from '../../members/document/member-values.ts';
import type { Member } from '../../members/document/member.ts';
import { relationOf } from '../pair.ts';
import { isPresenceShown } from '../../members/document/presence.ts';

/** The member as if visible, so that recipients who saw a member online are notified when the member hides. */
function asShown(hidden: Member): Member {
  const { erase_at: _, suspected: _withheld, ...member } = hidden;
  return {
    ...member,
    deleted: false,
    suspended: false,
    deactivated: false,
    userstatus: 'approved',
    fields: { ...member.fields, searchable: true },
  };
}

async function recipientsOf(context: PairsContext, member: Member, connections: readonly Member[]) {
  const ids = connections.map(({ _id }) => _id);
  // Reads the pairs again, because a block since then ends the connection.
  const pairs = await context.pairs.store.readMany(member._id, ids);
  const other = asShown(member);
  return connections
    .filter((viewer) => {
      const sides = pairs.get(viewer._id);
      const relation = relationOf(sides && { mine: sides.theirs, theirs: sides.mine });
      if (relation.covalence !== 'mutual' || !isActive(viewer)) return false;
      return refusalOf(context, { viewer, other, relation, purpose: 'profile' }) === undefined;
    })
    .map(({ _id }) => _id);
}

/** POST /internal/presence/recipients: whose presence is shown, and which connected members receive its changes. */
export const recipientsOfPresence = serviceEndpoint(
  presenceRecipients,
  async ({ ids }, context: PairsContext) => {
    const { members, pairs, clock } = context;
    const [found, connected] = await Promise.all([members.store.byIds(ids), pairs.store.connectedTo(ids)]);
    const others = [...new Set([...connected.values()].flat())];
    const sightings = await members.presence.read(others, clock());
    const present = others.filter((id) => sightings.get(id)?.present);
    const byId = new Map((await members.store.byIds(present)).map((member) => [member._id, member]));
    const listening = (id: number) => (connected.get(id) ?? []).flatMap((other) => byId.get(other) ?? []);
    const known = found.filter(({ deleted }) => !deleted);
    const answers = known.map(async (member) => ({
      id: member._id,
      shown: isPresenceShown(member),
      recipients: await recipientsOf(context, member, listening(member._id)),
    }));
    return { members: await Promise.all(answers) };
  },
);
