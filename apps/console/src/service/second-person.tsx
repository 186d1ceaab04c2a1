import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Refused } from '../api/api.tsx';
import { useTexts } from '../texts/texts.ts';

/** Whether an answer says that the call waits for a second person. */
export const isWaiting = (answer: object): boolean => 'approval_id' in answer;

/** Whether a call was refused because a colleague asked for the same, which waits for a second person. */
export const isAskedBefore = (error: Error | null): boolean =>
  error instanceof Refused && error.status === 409;

/** Says that a call waits for a second person, and where. */
export function WaitsNote() {
  const { text } = useTexts();
  return (
    <Alert role="status" color="blue">
      {text('service.approvals.waits')} <Link to="/service/approvals">{text('service.approvals')}</Link>
    </Alert>
  );
}
