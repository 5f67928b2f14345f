import { accountRules } from './account-rules.js';
import { connectionRules } from './connection-rules.js';
import { factRules } from './fact-rules.js';
import { failureRules } from './failure-rules.js';
import { otherAccountRules } from './other-account-rules.js';
import { fieldRules } from './field-rules.js';
import { furtherEntryRules } from './further-entry-rules.js';
import { historyRequestRules } from './history-request-rules.js';
import { historyRules } from './history-rules.js';
import { limitRules } from './limit-rules.js';
import { longHistoryRules } from './long-history-rules.js';
import { missingOrderRules } from './missing-order-rules.js';
import { nameRules } from './name-rules.js';
import { networkFormRules } from './network-form-rules.js';
import { networkRules } from './network-rules.js';
import { orderRefusalRules } from './order-refusal-rules.js';
import { orderRules } from './order-rules.js';
import { outcomeRules } from './outcome-rules.js';
import { pageRules } from './page-rules.js';
import { publicListRules } from './public-list-rules.js';
import { recordingRules } from './recording-rules.js';
import { recordRules } from './record-rules.js';
import { refusalRules } from './refusal-rules.js';
import { requestRules } from './request-rules.js';
import type { Rule } from './rule.js';
import { subAccountRules } from './sub-account-rules.js';
import { wireRules } from './wire-rules.js';

/** All rules of the contract suite, in the order of their ids. */
export const rules: readonly Rule[] = [
  ...outcomeRules,
  ...refusalRules,
  ...wireRules,
  ...accountRules,
  ...otherAccountRules,
  ...historyRules,
  ...historyRequestRules,
  ...longHistoryRules,
  ...recordRules,
  ...limitRules,
  ...orderRules,
  ...networkRules,
  ...orderRefusalRules,
  ...requestRules,
  ...fieldRules,
  ...connectionRules,
  ...failureRules,
  ...recordingRules,
  ...nameRules,
  ...publicListRules,
  ...factRules,
  ...networkFormRules,
  ...missingOrderRules,
  ...pageRules,
  ...subAccountRules,
  ...furtherEntryRules,
].sort((one, other) => one.id.localeCompare(other.id));
