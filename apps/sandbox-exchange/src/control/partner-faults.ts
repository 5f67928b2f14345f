import { knowsFault } from '../faults/dialect.js';
import type { FaultName } from '../faults/faults.js';
import { partnerDialect } from '../partner/fault-dialect.js';
import { isPartnerErrorCode } from '../partner/partner-error.js';
import { partnerEndpointNames } from '../partner/routes.js';
import { ControlError } from './control-error.js';

/**
 * A fault of a `partner.*` endpoint has to be one that means something there.
 * @throws ControlError
 */
export function checkPartnerFault({ endpoint, fault, error }: PartnerFault): void {
  if (!endpoint.startsWith('partner.')) return;
  if (!partnerEndpointNames.includes(endpoint)) throw new ControlError(422, `there is no endpoint ${endpoint}`);
  if (!knowsFault(partnerDialect, fault)) throw new ControlError(422, `${fault} means nothing in the partner API`);
  if (fault.startsWith('history_') && endpoint !== 'partner.withdrawals') {
    throw new ControlError(422, `${endpoint} is no history`);
  }
  if (error !== undefined && !isPartnerErrorCode(error)) throw new ControlError(422, `there is no error ${error}`);
}

interface PartnerFault {
  endpoint: string;
  fault: FaultName;
  error?: string | undefined;
}
