import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.ts';

/** Whether an answer says that the call waits for a second person. */
export const isWaiting = (answer: object): boolean => 'approval_id' in answer;

/** Says that a call waits for a second person, and where. */
export function WaitsNote() {
  const { text } = useTexts();
  return (
    <Alert role="status" color="blue">
      {text('service.approvals.waits')} <Link to="/service/approvals">{text('service.approvals')}</Link>
    </Alert>
  );
}
