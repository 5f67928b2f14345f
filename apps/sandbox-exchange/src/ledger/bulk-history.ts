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
/** Amounts are 2 to this many times the smallest withdrawal amount. */
const AMOUNT_STEPS = 40;
const TAG = '1000001';

interface Choice {
  asset: SandboxAsset;
  /** Key of the saved withdrawal address. */
  key: string;
  method: FundingMethod;
  /** Amounts to choose from. */
  amounts: readonly string[];
}

/** The fields of a record that are derived from its index. */
interface Drawn {
  choice: Choice;
  amount: string;
  time: number;
  refid: string;
  entryId: string;
  txid: string;
}

type Movement = Omit<LedgerEntry, 'balance' | 'accountId'>;

/**
 * Makes the records of a history; the same `order` always gives the same records. Together they change no balance: an
 * opening transfer pays for all withdrawals, and a closing transfer removes all deposits. So no balance falls below its
 * previous value.
 */
export function bulkRecordsOf(order: BulkHistory, totalOf: (asset: string) => Amount): BulkRecords {
  const choices = order.assets.flatMap((id) => choicesOf(assetById(id)));
  const draw = (kind: 'deposits' | 'withdrawals'): Drawn[] =>
    Array.from({ length: order[kind] }, (_, index) => drawn(order, { kind, index, choices }));
  const deposits = draw('deposits');
  const withdrawals = draw('withdrawals');
  const movements = [...deposits.map(incoming), ...withdrawals.map(outgoing)].sort((a, b) => a.time - b.time);
  const paid = sums(withdrawals.map(({ choice, amount }) => [choice.asset.id, [amount, choice.method.fee]]));
  const received = sums(deposits.map(({ choice, amount }) => [choice.asset.id, [amount]]));
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

/**
 * Returns the networks among which records are drawn. More than half of the entries are the asset's default network, so
 * most records are on it.
 */
function choicesOf(asset: SandboxAsset): Choice[] {
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
  { kind, index, choices }: { kind: 'deposits' | 'withdrawals'; index: number; choices: readonly Choice[] },
): Drawn {
  const digest = createHash('sha256').update(`${seed} ${kind} ${index}`).digest();
  const choice = choices[digest.readUInt16BE(0) % choices.length];
  const amount = choice?.amounts[digest.readUInt16BE(2) % choice.amounts.length];
  if (choice === undefined || amount === undefined)
    throw new Error('the assets of this history have no network for withdrawals');
  const prefix = kind === 'deposits' ? 'Q' : order.isPartner ? 'W' : 'A';
  return {
    choice,
    amount,
    // Records are spread evenly; the last one is at `to`.
    time: from + Math.round(((to - from) * (index + 1)) / order[kind]),
    refid: idOf(prefix, digest.subarray(0, 16)),
    entryId: idOf('L', digest.subarray(16)),
    txid: digest.toString('hex'),
  };
}

/** An id in Kraken's format, as in `Exchange.newId`. */
function idOf(prefix: string, bytes: Buffer): string {
  let letters = '';
  for (const byte of bytes) letters += ID_ALPHABET.charAt(byte % ID_ALPHABET.length);
  return `${prefix}${letters.slice(0, 5)}-${letters.slice(5, 10)}-${letters.slice(10, 16)}`;
}

// Each field is written out: with a spread, a hundred thousand records take several times as long.
function depositOf({ accountId }: BulkHistory, { choice, amount, time, refid, txid }: Drawn): Deposit {
  return {
    refid,
    accountId,
    asset: choice.asset.id,
    method: choice.method.depositMethod,
    network: choice.method.network,
    address: choice.method.sampleAddresses[0] ?? '',
    amount,
    txid,
    status: 'Success',
    receivedAt: time,
  };
}

function withdrawalOf({ accountId, isPartner }: BulkHistory, { choice, amount, time, refid, txid }: Drawn): Withdrawal {
  const { method } = choice;
  const withdrawal: Withdrawal = {
    refid,
    accountId,
    asset: choice.asset.id,
    method: method.method,
    network: method.network,
    key: choice.key,
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

function incoming({ choice, amount, time, refid, entryId }: Drawn): Movement {
  return { id: entryId, refid, asset: choice.asset.id, type: 'deposit', amount, fee: '0', time };
}

function outgoing({ choice, amount, time, refid, entryId }: Drawn): Movement {
  const { asset, method } = choice;
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

/** Adds the balance after each movement, in booking order. */
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
