import type { Random } from '../processes/random.js';

/** The behavior of the connection before the request is written. */
export const connects = [
  ...(['at_once', 'slowly', 'refused', 'never', 'ends_before', 'resets_before', 'responds_first'] as const),
] as const;
export type ConnectKind = (typeof connects)[number];

/** Whether the exchange ends the connection, or sends something on it, before the request is signed. */
export const isUnsound = (kind: ConnectKind): boolean =>
  kind === 'ends_before' || kind === 'resets_before' || kind === 'responds_first';

/** The copies of the request that reach the exchange: their number, their times, and whether they are complete. */
export const deliveries = ['once', 'twice', 'twice_late', 'late', 'never', 'in_part'] as const;
export type Delivery = (typeof deliveries)[number];

/** Refusals that the exchange gives before it compares the nonce. */
export const earlyRefusals = {
  rate_limit: 'EAPI:Rate limit exceeded',
  lockout: 'EGeneral:Temporary lockout',
  invalid_key: 'EAPI:Invalid key',
  busy: 'EService:Busy',
} as const;
/** Wrong responses to a request that the exchange has executed. */
export const wrongResponses = {
  internal_error: '{"error":["EGeneral:Internal error"]}',
  unlisted_error: '{"error":["EFunding:Something new"]}',
  two_errors: '{"error":["EFunding:Insufficient funds","EAPI:Invalid nonce"]}',
  no_result: '{"error":[],"result":null}',
  no_id: '{"error":[],"result":{}}',
  id_and_error: '{"error":["EFunding:Insufficient funds"],"result":{"refid":"X","txid":["X"]}}',
  malformed: '{"error":[],"result":{"refid":"X',
  empty: '',
  html: '<html>maintenance</html>',
} as const;
/**
 * Definite refusals of a withdrawal that the exchange has executed. The exchange shows the withdrawal and the balance
 * late.
 */
export const executedRefusals = {
  executed_refusal: '{"error":["EFunding:Invalid amount"]}',
} as const;
/** Responses of a gateway between us and the exchange, in place of the exchange's response. */
export const gatewayAnswers = {
  bad_gateway: [502, '<html>502</html>'],
  gateway_timeout: [504, ''],
  refusal_in_5xx: [503, '{"error":["EFunding:Insufficient funds"]}'],
  redirect: [302, ''],
  bad_request: [400, 'bad request'],
  forbidden: [403, 'forbidden'],
  proxy_auth: [407, ''],
  conflict: [409, ''],
  bare_429: [429, 'slow down'],
} as const;
/**
 * The cases in which the client gets no complete response. `reoffered`: the connection ends with an error after which
 * the HTTP library offers the same request to a new connection.
 */
export const lostAnswers = ['lost', 'reset', 'half', 'silence', 'reoffered'] as const;

type Keys<T extends object> = Extract<keyof T, string>;
export type Answer =
  | 'honest'
  | 'slow'
  | 'in_pieces'
  | Keys<typeof earlyRefusals>
  | Keys<typeof wrongResponses>
  | Keys<typeof executedRefusals>
  | Keys<typeof gatewayAnswers>
  | (typeof lostAnswers)[number];

export const answers: readonly Answer[] = [
  ...(['honest', 'slow', 'in_pieces'] as const),
  ...(Object.keys(earlyRefusals) as Keys<typeof earlyRefusals>[]),
  ...(Object.keys(wrongResponses) as Keys<typeof wrongResponses>[]),
  ...(Object.keys(executedRefusals) as Keys<typeof executedRefusals>[]),
  ...(Object.keys(gatewayAnswers) as Keys<typeof gatewayAnswers>[]),
  ...lostAnswers,
];

/** The behavior of the network and the exchange towards one request. */
export interface WirePlan {
  connect: ConnectKind;
  delivery: Delivery;
  answer: Answer;
}

export const HONEST: WirePlan = { connect: 'at_once', delivery: 'once', answer: 'honest' };

/**
 * Whether a request with this delivery can get this answer. An exchange that has not executed the request gives only
 * early refusals. All other answers come from the network.
 */
export function canMeet(delivery: Delivery, answer: Answer): boolean {
  const isOfNetwork = answer in gatewayAnswers || (lostAnswers as readonly string[]).includes(answer);
  if (delivery === 'in_part') return ['lost', 'reset', 'silence', 'reoffered', 'bad_request'].includes(answer);
  if (delivery === 'late') return answer !== 'half' && (answer in earlyRefusals || isOfNetwork);
  if (delivery === 'never') return answer !== 'half' && (answer in earlyRefusals || isOfNetwork);
  return true;
}

export const cells: readonly string[] = deliveries.flatMap((delivery) =>
  answers.filter((answer) => canMeet(delivery, answer)).map((answer) => cellOf({ delivery, answer })),
);

export function cellOf({ delivery, answer }: Pick<WirePlan, 'delivery' | 'answer'>): string {
  return `${delivery} × ${answer}`;
}

/** A plan in which nothing is wrong, except that the network and the exchange are slow at times. */
export function honestPlan(random: Random): WirePlan {
  return {
    connect: random.chance(0.3) ? 'slowly' : 'at_once',
    delivery: 'once',
    answer: random.pick(['honest', 'honest', 'slow', 'in_pieces']),
  };
}

/** @param isWithdrawal only withdrawals are confirmed at the account here, so only they get an executed refusal */
export function faultyPlan(random: Random, isWithdrawal: boolean): WirePlan {
  const connect = random.chance(0.3) ? random.pick(connects) : 'at_once';
  const delivery = random.pick(deliveries);
  const possible = answers.filter(
    (answer) => canMeet(delivery, answer) && (isWithdrawal || !(answer in executedRefusals)),
  );
  return { connect, delivery, answer: possible[random.between(0, possible.length - 1)] ?? 'silence' };
}
