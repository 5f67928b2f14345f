import { Amount } from '#money';
import type {
  ExchangeWithdrawal,
  HistoryKind,
  HistoryRecord,
  ListedWithdrawal,
  SoughtWithdrawal,
} from '../../port/exchange.port.js';
import type { SandboxMovement, SandboxWithdrawal } from './sandbox-responses.js';
import { networkIdOf } from './sandbox-networks.js';

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

export function toWithdrawal(record: SandboxWithdrawal, isCertain: boolean): ExchangeWithdrawal {
  return { ...toPlain(record), amountNoFee: record.amount, isCertain };
}

export function toListed(record: SandboxWithdrawal): ListedWithdrawal {
  const { reference, asset, address, amount } = record;
  return { ...toPlain(record), clientRef: reference, asset, address, amountNoFee: amount };
}

export function toHistory(record: SandboxMovement, kind: HistoryKind): HistoryRecord {
  const { asset, amount, address, tag } = record;
  const { status, ...plain } = toPlain(record);
  return {
    ...plain,
    kind,
    status: status === 'completed' ? 'ok' : status,
    asset,
    amount,
    feeAsset: asset,
    network: networkIdOf(record.network),
    exchangeNetwork: record.network,
    address,
    tag,
  };
}

function toPlain({
  id,
  status,
  txHash,
  fee,
  createdAt,
}: SandboxMovement): Omit<ExchangeWithdrawal, 'isCertain' | 'amountNoFee'> {
  return { exchangeId: id, status: statusOf(status), rawStatus: status, hash: txHash, fee, at: createdAt };
}

/** An unknown status is pending: a final status is never guessed. */
function statusOf(status: string): ExchangeWithdrawal['status'] {
  switch (status) {
    case 'confirmed':
      return 'completed';
    case 'failed':
    case 'canceled':
      return status;
    default:
      return 'pending';
  }
}
