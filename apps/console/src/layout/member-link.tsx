import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The name of a member, with the number that no other member has. */
export const memberName = ({
  id,
  username,
}: {
  readonly id: number | string;
  readonly username?: string | null | undefined;
}) => (username ? `${username} (${id})` : String(id));

/** A link to the page of a member, by default with the name. */
export const MemberLink = ({
  id,
  username,
  target,
  children = memberName({ id, username }),
}: {
  readonly id: number | string;
  readonly username?: string | null;
  readonly target?: '_blank';
  readonly children?: ReactNode;
}) => (
  <Link to="/service/members/$id" params={{ id: String(id) }} target={target}>
    {children}
  </Link>
);
