import { appealCases } from './journeys/appeals.ts';
import { auditCases } from './journeys/audit.ts';
import { findCases } from './journeys/find.ts';
import { judgmentCases } from './journeys/judgments.ts';
import { fraudCases } from './journeys/fraud.ts';
import { operationsCases } from './journeys/operations.ts';
import { queueCases } from './journeys/queue.ts';
import { reportCases } from './journeys/reports.ts';
import { transparencyCases } from './journeys/transparency.ts';
import { workbenchCases } from './journeys/workbench.ts';
import { runCases } from './support/run-cases.ts';

runCases(
  findCases,
  queueCases,
  reportCases,
  fraudCases,
  appealCases,
  auditCases,
  judgmentCases,
  operationsCases,
  transparencyCases,
  workbenchCases,
);
