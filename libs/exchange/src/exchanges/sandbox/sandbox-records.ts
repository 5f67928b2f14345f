import { Amount } from '#money';
import { transferStatus, type TransferStatuses } from '../../capabilities/status-tables.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import type { SoughtWithdrawal } from '../../port/exchange.port.js';
import type { SandboxMovement, SandboxWithdrawal } from './sandbox-responses.js';
import { networkIdOf } from './sandbox-networks.js';

/** docs/sandbox.md: the statuses of deposits and withdrawals. */
const statuses: TransferStatuses = {
  finals: { confirmed: 'completed', failed: 'failed', canceled: 'canceled' },
  underway: ['arriving', 'requested', 'sent'],
};

/**
 * Whether a record with our reference has the values of the request that was sent. A record that differs is not certain
 * (`isCertain`), so an operator decides about it.
 */
export function equalsRequest(record: SandboxWithdrawal, { request }: Pick<SoughtWithdrawal, 'request'>): boolean {
  const { asset, network, address, tag, amount } = record;
  return (
    asset === request['asset'] &&
    network === request['network'] &&
    address === request['address'] &&
    tag === (request['tag'] ?? null) &&
    amount.equals(Amount.of(request['amount'] ?? ''))
  );
}

export function toTransfer(record: SandboxMovement & Partial<SandboxWithdrawal>): TransferRecord {
  const { id, status, asset, amount, fee, network, address, tag, txHash, createdAt, reference } = record;
  return {
    exchangeId: id,
    ...transferStatus(statuses, status),
    asset,
    assetId: asset,
    amountNoFee: amount,
    fee,
    network: networkIdOf(network),
    exchangeNetwork: network,
    address,
    tag,
    hash: txHash,
    at: createdAt,
    clientRef: reference ?? null,
  };
}
