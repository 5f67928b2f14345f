import { isCoinbaseErrorId } from '../coinbase/coinbase-error.js';
import { coinbaseEndpoints } from '../coinbase/routes.js';
import { knowsFault, type Dialect } from '../faults/dialect.js';
import type { FaultName } from '../faults/faults.js';
import { krakenDialect } from '../kraken/fault-dialect.js';
import { isOAuthErrorCode } from '../oauth/oauth-error.js';
import { oauthEndpoints } from '../oauth/routes.js';
import { partnerDialect } from '../partner/fault-dialect.js';
import { isPartnerErrorCode } from '../partner/partner-error.js';
import { partnerEndpointNames } from '../partner/routes.js';
import { tickerExchanges } from '../tickers/routes.js';
import { ControlError } from './control-error.js';

/** What the partner API lists of the past. */
const HISTORIES = ['partner.withdrawals', 'partner.deposits', 'partner.movements'];

interface OrderedFault {
  endpoint: string;
  fault: FaultName;
  error?: string | undefined;
}

/**
 * A fault has to mean something at the endpoint that it is armed for; armed for `*` it finds its endpoints by itself.
 * @throws ControlError
 */
export function checkFault(order: OrderedFault): void {
  const { endpoint, fault } = order;
  if (endpoint === '*') return;
  const authorization = oauthEndpoints.get(endpoint) ?? coinbaseEndpoints.get(endpoint);
  if (authorization !== undefined) return checkAuthorizationFault(order, authorization);
  if (endpoint.startsWith('partner.')) return checkPartnerFault(order);
  const exchange = tickerExchanges.find((one) => one.endpoint === endpoint);
  if (exchange === undefined && endpoint.includes('.')) throw new ControlError(422, `there is no endpoint ${endpoint}`);
  // Kraken's endpoints are any name that somebody may call.
  const isKnown = knowsFault(exchange?.dialect ?? krakenDialect, fault, endpoint);
  if (!isKnown) throw new ControlError(422, `${fault} means nothing at ${endpoint}`);
}

function checkAuthorizationFault({ endpoint, fault, error }: OrderedFault, dialect: Dialect): void {
  if (!knowsFault(dialect, fault, endpoint)) throw new ControlError(422, `${fault} means nothing at ${endpoint}`);
  if (fault.startsWith('history_')) throw new ControlError(422, `${endpoint} is no history`);
  if (error === undefined || fault !== 'definite_refusal') return;
  const isKnown = [isOAuthErrorCode, isCoinbaseErrorId, isPartnerErrorCode].some((knows) => knows(error));
  if (!isKnown) throw new ControlError(422, `there is no error ${error}`);
}

function checkPartnerFault({ endpoint, fault, error }: OrderedFault): void {
  if (!partnerEndpointNames.includes(endpoint)) throw new ControlError(422, `there is no endpoint ${endpoint}`);
  if (!knowsFault(partnerDialect, fault, endpoint)) {
    throw new ControlError(422, `${fault} means nothing in the partner API`);
  }
  if (fault.startsWith('history_') && !HISTORIES.includes(endpoint)) {
    throw new ControlError(422, `${endpoint} is no history`);
  }
  if (error !== undefined && !isPartnerErrorCode(error)) throw new ControlError(422, `there is no error ${error}`);
}
