import { createHash } from 'node:crypto';
import { Amount } from '#money';
import { assetById, methodsOf, type FundingMethod, type SandboxAsset } from '../catalogue.js';
import type { BulkHistory, Deposit, LedgerEntry, Withdrawal } from './records.js';

interface BulkRecords {
  deposits: Deposit[];
  withdrawals: Withdrawal[];
  entries: LedgerEntry[];
}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Amounts are 2 to this many times the least that can be withdrawn. */
const AMOUNT_STEPS = 40;
const TAG = '1000001';

interface Way {
  asset: SandboxAsset;
  /** Of its withdrawals. */
  key: string;
  method: FundingMethod;
  /** To draw one from. */
  amounts: readonly string[];
}

/** What its number decides of a record. */
interface Drawn {
  way: Way;
  amount: string;
  time: number;
  refid: string;
  entryId: string;
  txid: string;
}

type Movement = Omit<LedgerEntry, 'balance' | 'accountId'>;

/**
 * The same order gives the same records. Together they change no balance: what is withdrawn was transferred in at the
 * beginning, and what was deposited is transferred out at the end. So no balance is ever less than it was before.
 */
export function bulkRecordsOf(order: BulkHistory, totalOf: (asset: string) => Amount): BulkRecords {
  const ways = order.assets.flatMap((id) => waysOf(assetById(id)));
  const draw = (kind: 'deposits' | 'withdrawals'): Drawn[] =>
    Array.from({ length: order[kind] }, (_, index) => drawn(order, { kind, index, ways }));
  const deposits = draw('deposits');
  const withdrawals = draw('withdrawals');
  const movements = [...deposits.map(incoming), ...withdrawals.map(outgoing)].sort((a, b) => a.time - b.time);
  const paid = sums(withdrawals.map(({ way, amount }) => [way.asset.id, [amount, way.method.fee]]));
  const received = sums(deposits.map(({ way, amount }) => [way.asset.id, [amount]]));
  return {
    deposits: deposits.map((one) => depositOf(order, one)),
    withdrawals: withdrawals.map((one) => withdrawalOf(order, one)),
    entries: booked(order.accountId, totalOf, [
      ...paid.map(([asset, sum]) => transfer(order, { asset, amount: sum, time: order.from })),
      ...movements,
      ...received.map(([asset, sum]) => transfer(order, { asset, amount: Amount.zero.minus(sum), time: order.to })),
    ]),
  };
}

/** Every way in and out; half of all movements take the asset's own. */
function waysOf(asset: SandboxAsset): Way[] {
  const methods = methodsOf(asset);
  return [...methods.flatMap(() => methods.slice(0, 1)), ...methods].map((method) => ({
    asset,
    key: `${asset.code} ${method.method}`,
    method,
    amounts: Array.from({ length: AMOUNT_STEPS - 1 }, (_, step) =>
      Amount.of(method.minimum)
        .times(Amount.of(String(step + 2)))
        .toString(),
    ),
  }));
}

function drawn(
  { seed, from, to, ...order }: BulkHistory,
  { kind, index, ways }: { kind: 'deposits' | 'withdrawals'; index: number; ways: readonly Way[] },
): Drawn {
  const digest = createHash('sha256').update(`${seed} ${kind} ${index}`).digest();
  const way = ways[digest.readUInt16BE(0) % ways.length];
  const amount = way?.amounts[digest.readUInt16BE(2) % way.amounts.length];
  if (way === undefined || amount === undefined) throw new Error('a history of assets that nothing moves');
  const prefix = kind === 'deposits' ? 'Q' : order.isPartner ? 'W' : 'A';
  return {
    way,
    amount,
    // Evenly, the last at the very end.
    time: from + Math.round(((to - from) * (index + 1)) / order[kind]),
    refid: idOf(prefix, digest.subarray(0, 16)),
    entryId: idOf('L', digest.subarray(16)),
    txid: digest.toString('hex'),
  };
}

/** In Kraken's form, as `Exchange.newId` makes them. */
function idOf(prefix: string, bytes: Buffer): string {
  let letters = '';
  for (const byte of bytes) letters += ID_ALPHABET.charAt(byte % ID_ALPHABET.length);
  return `${prefix}${letters.slice(0, 5)}-${letters.slice(5, 10)}-${letters.slice(10, 16)}`;
}

// Written out field by field: spread, a hundred thousand of them take several times as long.
function depositOf({ accountId }: BulkHistory, { way, amount, time, refid, txid }: Drawn): Deposit {
  return {
    refid,
    accountId,
    asset: way.asset.id,
    method: way.method.depositMethod,
    network: way.method.network,
    address: way.method.sampleAddresses[0] ?? '',
    amount,
    txid,
    status: 'Success',
    receivedAt: time,
  };
}

function withdrawalOf({ accountId, isPartner }: BulkHistory, { way, amount, time, refid, txid }: Drawn): Withdrawal {
  const { method } = way;
  const withdrawal: Withdrawal = {
    refid,
    accountId,
    asset: way.asset.id,
    method: method.method,
    network: method.network,
    key: way.key,
    address: method.sampleAddresses.at(-1) ?? '',
    memo: method.memo === null ? null : TAG,
    amount,
    fee: method.fee,
    status: 'Success',
    canceled: false,
    txid,
    requestedAt: time,
  };
  if (isPartner) {
    const reference = `history-${refid}`;
    withdrawal.partner = { reference, payload: '', end: 'confirmed', delayMs: 0, hiddenUntil: null };
  }
  return withdrawal;
}

function incoming({ way, amount, time, refid, entryId }: Drawn): Movement {
  return { id: entryId, refid, asset: way.asset.id, type: 'deposit', amount, fee: '0', time };
}

function outgoing({ way, amount, time, refid, entryId }: Drawn): Movement {
  const { asset, method } = way;
  return { id: entryId, refid, asset: asset.id, type: 'withdrawal', amount: `-${amount}`, fee: method.fee, time };
}

function transfer({ seed }: BulkHistory, movement: { asset: string; amount: Amount; time: number }): Movement {
  const { asset, amount, time } = movement;
  const digest = createHash('sha256').update(`${seed} transfer ${asset} ${amount}`).digest();
  return {
    id: idOf('L', digest),
    refid: 'history',
    asset,
    type: 'transfer',
    amount: amount.toString(),
    fee: '0',
    time,
  };
}

function sums(parts: [asset: string, amounts: string[]][]): [asset: string, sum: Amount][] {
  const totals = new Map<string, Amount>();
  for (const [asset, amounts] of parts) {
    const before = totals.get(asset) ?? Amount.zero;
    totals.set(
      asset,
      amounts.reduce((sum, amount) => sum.plus(Amount.of(amount)), before),
    );
  }
  return [...totals];
}

/** With the balance after each, in the order in which they are booked. */
function booked(accountId: string, totalOf: (asset: string) => Amount, movements: Movement[]): LedgerEntry[] {
  const balances = new Map<string, Amount>();
  return movements.map((movement) => {
    const { asset, amount, fee } = movement;
    const before = balances.get(asset) ?? totalOf(asset);
    const balance = before.plus(Amount.of(amount)).minus(Amount.of(fee));
    balances.set(asset, balance);
    const { id, refid, type, time } = movement;
    return { id, refid, accountId, asset, type, amount, fee, balance: balance.toString(), time };
  });
}
