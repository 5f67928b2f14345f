import { isCoinbaseErrorId } from '../coinbase/coinbase-error.js';
import { coinbaseEndpoints } from '../coinbase/routes.js';
import { knowsFault, type Protocol } from '../faults/protocol.js';
import type { FaultName } from '../faults/faults.js';
import { krakenProtocol } from '../kraken/fault-protocol.js';
import { isOAuthErrorCode } from '../oauth/oauth-error.js';
import { oauthEndpoints } from '../oauth/routes.js';
import { partnerProtocol } from '../partner/fault-protocol.js';
import { isPartnerErrorCode } from '../partner/partner-error.js';
import { partnerEndpointNames } from '../partner/routes.js';
import { restFaults } from '../rest/faults.js';
import { restProtocols } from '../rest/protocols.js';
import { tickerExchanges } from '../tickers/routes.js';
import { ControlError } from './control-error.js';

const restEndpoints: ReadonlyMap<string, Protocol> = new Map(restProtocols.flatMap((rest) => [...restFaults(rest)]));

/** Endpoints of the partner API that list history. */
const HISTORIES = ['partner.withdrawals', 'partner.deposits', 'partner.movements'];

interface OrderedFault {
  endpoint: string;
  fault: FaultName;
  error?: string | undefined;
}

/**
 * Checks that a fault applies to its endpoint. A fault for `*` skips the endpoints that it does not apply to.
 * @throws ControlError
 */
export function checkFault(order: OrderedFault): void {
  const { endpoint, fault } = order;
  if (endpoint === '*') return;
  const authorization = oauthEndpoints.get(endpoint) ?? coinbaseEndpoints.get(endpoint);
  if (authorization !== undefined) return checkAuthorizationFault(order, authorization);
  const rest = restEndpoints.get(endpoint);
  if (rest !== undefined && knowsFault(rest, fault, endpoint)) return;
  if (endpoint.startsWith('partner.')) return checkPartnerFault(order);
  const exchange = tickerExchanges.find((one) => one.endpoint === endpoint);
  if (exchange === undefined && rest === undefined && endpoint.includes('.'))
    throw new ControlError(422, `unknown endpoint ${endpoint}`);
  // A name without a dot belongs to Kraken's protocol. The check accepts it even if Kraken has no such endpoint.
  const isKnown = rest === undefined && knowsFault(exchange?.protocol ?? krakenProtocol, fault, endpoint);
  if (!isKnown) throw new ControlError(422, `${fault} does not apply to ${endpoint}`);
}

function checkAuthorizationFault({ endpoint, fault, error }: OrderedFault, protocol: Protocol): void {
  if (!knowsFault(protocol, fault, endpoint)) throw new ControlError(422, `${fault} does not apply to ${endpoint}`);
  if (error === undefined || (fault !== 'definite_refusal' && fault !== 'executed_refusal')) return;
  const isKnown = [isOAuthErrorCode, isCoinbaseErrorId, isPartnerErrorCode].some((knows) => knows(error));
  if (!isKnown) throw new ControlError(422, `unknown error ${error}`);
}

function checkPartnerFault({ endpoint, fault, error }: OrderedFault): void {
  if (!partnerEndpointNames.includes(endpoint)) throw new ControlError(422, `unknown endpoint ${endpoint}`);
  if (!knowsFault(partnerProtocol, fault, endpoint)) {
    throw new ControlError(422, `${fault} does not apply to the partner API`);
  }
  if (fault.startsWith('history_') && !HISTORIES.includes(endpoint)) {
    throw new ControlError(422, `${fault} does not apply to ${endpoint}, which lists no history`);
  }
  if (error !== undefined && !isPartnerErrorCode(error)) throw new ControlError(422, `unknown error ${error}`);
}
