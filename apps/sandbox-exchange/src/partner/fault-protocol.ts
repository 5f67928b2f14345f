import { withListsChanged, type AddressRecord, type Protocol } from '../faults/protocol.js';
import { isPartnerErrorCode, PartnerError, type PartnerErrorCode } from './partner-error.js';

const RETRY_AFTER_SECONDS = 1;

const refusal = (code: PartnerErrorCode) => () => new PartnerError(code, 'an armed fault causes this error').toReply();
const refusalOr = (otherwise: PartnerErrorCode) => (error: string | undefined) =>
  new PartnerError(
    isPartnerErrorCode(error ?? '') ? (error as PartnerErrorCode) : otherwise,
    'an armed fault causes this error',
  ).toReply();

/** The partner API has no nonces, so it has no fault for them. */
export const partnerProtocol: Protocol = {
  refusals: {
    rate_limit: () =>
      new PartnerError('rate_limited', 'an armed fault causes this error', {}, RETRY_AFTER_SECONDS).toReply(),
    definite_refusal: refusalOr('insufficient_funds'),
    history_errors: refusalOr('internal_error'),
    revoked_key: refusal('token_revoked'),
    ip_refused: refusal('ip_not_allowed'),
    service_unavailable: refusal('unavailable'),
  },
  emptied: (body) => Object.fromEntries(Object.keys(body ?? {}).map((name) => [name, null])),
  history: {
    mapped: (body, change) => (typeof body === 'object' && body !== null ? withListsChanged(body, change) : body),
    timeOf: (record) => (record as typeof record & { createdAt: number }).createdAt,
  },
  ledger: {
    endpoint: 'partner.movements',
    bookedUpTo: (body, time) => {
      const page = body as { movements?: { createdAt: number }[] } | null;
      if (page?.movements === undefined) return body;
      return { ...page, movements: page.movements.filter(({ createdAt }) => createdAt <= time) };
    },
  },
  addresses: {
    endpoint: 'partner.deposit.addresses',
    withoutTag: (record) => ({ ...record, tag: null }),
    mapped: (body, change) => {
      const { addresses } = body as { addresses?: AddressRecord[] };
      return addresses === undefined ? body : { addresses: addresses.map(change) };
    },
  },
  errorIn: (body) => (body as { error?: { code: string } }).error?.code ?? null,
};
