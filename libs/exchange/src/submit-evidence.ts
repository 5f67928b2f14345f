import type { SubmitOutcome } from './exchange.port.js';
import { meaningOf, parseBody, type ErrorDialect, type ErrorMeaning } from './error-dialect.js';
import type { HttpAnswer } from './transport.js';

/** Of an answer that is no JSON, this much is kept for whoever has to look at it. */
const TEXT_KEPT = 2_000;

/** How an exchange says yes to a submission. */
export interface Acceptance {
  readonly statuses: readonly number[];
  /** The exchange's id of what was accepted; null = there is none in the body. */
  readonly readId: (body: unknown) => string | null;
}

/**
 * What an answer to a submission proves. Accepted needs the exchange's id; rejected needs codes that are all on its list
 * of definite refusals; everything else is unknown.
 */
export function outcomeOf(dialect: ErrorDialect, acceptance: Acceptance, answer: HttpAnswer): SubmitOutcome {
  const body = parseBody(answer.body);
  const kept = { status: answer.status, body: body ?? answer.body.slice(0, TEXT_KEPT) };
  const codes = dialect.codesIn(body);
  const id = acceptance.readId(body);
  if (id !== null) {
    return codes.length === 0 && acceptance.statuses.includes(answer.status)
      ? { kind: 'accepted', exchangeId: id, answer: kept }
      : { kind: 'unknown', reason: 'an id together with an error', answer: kept };
  }
  if (!dialect.refusesWith(answer.status)) return { kind: 'unknown', reason: `HTTP ${answer.status}`, answer: kept };
  const [rawCode] = codes;
  if (rawCode === undefined) return { kind: 'unknown', reason: 'neither an id nor an error', answer: kept };
  const unlisted = codes.find((code) => meaningOf(dialect, code) === null);
  const meaning = meaningOf(dialect, rawCode);
  if (unlisted !== undefined || meaning === null) {
    return { kind: 'unknown', reason: `unlisted error ${unlisted ?? rawCode}`, answer: kept };
  }
  const meanings = codes.map((code) => meaningOf(dialect, code));
  if (meanings.every((each) => each?.again === true)) return { kind: 'not_sent', reason: rawCode };
  if (meanings.some((each) => each?.kind === 'unavailable')) return { kind: 'unknown', reason: rawCode, answer: kept };
  return refusal(meaning, rawCode, kept);
}

function refusal(meaning: ErrorMeaning, rawCode: string, answer: Record<string, unknown>): SubmitOutcome {
  const { kind, code, reason } = meaning;
  switch (kind) {
    case 'credentials_invalid':
      return { kind: 'rejected', code: 'WALLET_INVALID_CREDENTIALS', rawCode, answer };
    case 'rate_limited':
      return { kind: 'rejected', code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', rawCode, answer };
    case 'permission_missing':
    case 'ip_not_allowed':
      return { kind: 'rejected', code: 'WITHDRAWAL_PROVIDER_ERROR', rawCode, reason: kind, answer };
    case 'refused':
      return code?.startsWith('WITHDRAWAL_2FA_REQUIRED') === true
        ? { kind: 'verification_required', code, rawCode, answer }
        : { kind: 'rejected', code: code ?? 'WITHDRAWAL_PROVIDER_ERROR', rawCode, reason, answer };
    case 'unavailable':
      return { kind: 'unknown', reason: rawCode, answer };
  }
}
