import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the page of a member. */
export const MemberLink = ({
  id,
  target,
  children,
}: {
  readonly id: number | string;
  readonly target?: '_blank';
  readonly children: ReactNode;
}) => (
  <Link to="/service/members/$id" params={{ id: String(id) }} target={target}>
    {children}
  </Link>
);
