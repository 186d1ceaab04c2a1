import { describe, expect, it } from '@jest/globals';
import { formats } from '../../src/operators/audit-file.ts';
import { auditFilterIn } from '../../src/operators/audit-filter.ts';

const entry = {
  id: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
  at: '2026-11-01T12:00:00.000Z',
  staff_id: '019a3f20-1111-7d41-9d0f-5b1f5c1e8a77',
  username: 'grace "g"',
  call: 'POST /staff/members/:id/suspend',
  about: ['=HYPERLINK("https://evil.example")', '7'],
  status: null,
  request_id: null,
};

describe('a file of the audit log', () => {
  it('has a line for each call, and nothing that a spreadsheet runs', () => {
    const [head, line, ...others] = formats.csv.of([entry]).split('\r\n');
    expect(head).toBe('at,username,staff_id,call,about,status,request_id,id');
    expect(line).toBe(
      `"${entry.at}","grace ""g""","${entry.staff_id}","${entry.call}","'=HYPERLINK(""https://evil.example"") 7","","","${entry.id}"`,
    );
    expect(others).toEqual(['']);
  });

  it('has the entries as the API answers them, a line each', () => {
    const lines = formats.jsonl
      .of([entry, { ...entry, status: 403 }])
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([entry, { ...entry, status: 403 }]);
  });
});

describe('the filter of an address', () => {
  it('takes texts and numbers by the names of filters only', () => {
    const given = { about: 1002, username: '', call: 'GET /staff', since: ['2026'], other: 'x' };
    expect(auditFilterIn(given)).toEqual({ about: '1002', call: 'GET /staff' });
  });
});
