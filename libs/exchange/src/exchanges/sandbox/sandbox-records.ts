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
 * Whether a record under our reference says what was sent. The reference alone decides which record it is; one that
 * moved something else is for an operator.
 */
export function saysWhatWasSent(record: SandboxWithdrawal, { request }: Pick<SoughtWithdrawal, 'request'>): boolean {
  const { asset, network, address, tag, amount } = record;
  return (
    asset === request['asset'] &&
    network === request['network'] &&
    address === request['address'] &&
    tag === (request['tag'] ?? null) &&
    amount.equals(Amount.of(request['amount'] ?? ''))
  );
}

/** A record in our words. */
export function toWithdrawal(record: SandboxWithdrawal, isCertain: boolean): ExchangeWithdrawal {
  return { ...toPlain(record), amountNoFee: record.amount, isCertain };
}

/** A record with what it moved. */
export function toListed(record: SandboxWithdrawal): ListedWithdrawal {
  const { reference, asset, address, amount } = record;
  return { ...toPlain(record), clientRef: reference, asset, address, amountNoFee: amount };
}

/** A deposit or a withdrawal as history. */
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

/** A status that is not known is on its way: final words are never guessed. */
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
