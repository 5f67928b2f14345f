/** The faults of the exchange and of the network that affect a submission. */
export const submissionFaults = [
  'request_lost',
  'answer_lost',
  'accepted_late',
  'server_error_before',
  'server_error_after',
  'slow_beyond_lease',
  'hang',
  'refused_connection',
  'too_many_requests',
  'malformed_success',
  'definite_refusal',
  'duplicate_answer',
  'delivered_twice',
  'second_copy_refused',
  'executed_refusal',
  'disproved_refusal',
] as const;
export type SubmissionFault = (typeof submissionFaults)[number];

export const historyFaults = ['history_lags', 'history_errors', 'history_other_fee'] as const;
export type HistoryFault = (typeof historyFaults)[number];

export const faultKinds = [...submissionFaults, ...historyFaults, 'clock_jump'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The faults that belong to a feature. Any run may have the other faults. */
const ofFeatures: readonly FaultKind[] = [
  'delivered_twice',
  'second_copy_refused',
  'executed_refusal',
  'disproved_refusal',
];
export const commonFaults = faultKinds.filter((fault) => !ofFeatures.includes(fault));
