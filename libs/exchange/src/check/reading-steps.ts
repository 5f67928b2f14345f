import { Amount } from '#money';
import { DAY_MS } from '#platform/clock';
import type { DepositMethod } from '../port/deposit.port.js';
import { ExchangeError } from '../port/exchange-error.js';
import type {
  AssetBalance,
  ExchangeSession,
  HistoryKind,
  HistoryRecord,
  KeyInfo,
  WithdrawalCapability,
  WithdrawalNetwork,
} from '../port/exchange.port.js';
import type { ObservedCall, RecordingTransport } from './recording-transport.js';

/** The number of days before now whose records are read. */
export const HISTORY_DAYS = 90;
/** Maximum number of pages of one history that are read to find records. */
const PAGES_MAX = 6;
/** Maximum number of lines that describe one list. */
const LINES_MAX = 20;

/** What one reading method of the connector returned, and the calls that it made. */
export interface ReadingStep {
  readonly name: string;
  /** What the connector made of the responses, for people. Empty = it failed. */
  readonly made: readonly string[];
  readonly error: ExchangeError | null;
  readonly calls: readonly ObservedCall[];
}

/** A fact that an owner should know. It is no difference from the documentation. */
export type Remark = (text: string) => void;

export interface Reading {
  readonly session: ExchangeSession;
  readonly transport: RecordingTransport;
  readonly now: Date;
  /** The asset whose deposit addresses are read. */
  readonly asset: string;
  /** The exchange's symbol of a pair, for the search of an order; null = no order is sought. */
  readonly pair: string | null;
  readonly remark: Remark;
}

interface Found {
  keyInfo?: KeyInfo;
  balances?: readonly AssetBalance[];
  networks?: readonly WithdrawalNetwork[];
  withdrawal?: HistoryRecord;
}

type Step = (reading: Reading, found: Found) => Promise<string[]>;

/**
 * Calls every reading method of a session once, one after the other. A method that fails does not stop the others.
 * @param goesOn decides after the facts about the key whether the other methods are called.
 */
export async function readEverything(
  reading: Reading,
  goesOn: (keyInfo: KeyInfo | null, step: ReadingStep) => boolean = () => true,
): Promise<ReadingStep[]> {
  const found: Found = {};
  const { history, deposits, trading, identity, withdrawals } = reading.session;
  const steps: [string, Step][] = [
    ['balances', readBalances],
    ...(identity === undefined ? [] : [['the owner', readIdentity] satisfies [string, Step]]),
    ...(withdrawals === undefined ? [] : [['withdrawal networks', readNetworks] satisfies [string, Step]]),
    ...(history?.kinds ?? []).map((kind): [string, Step] => [`${kind} history`, historyStep(kind)]),
    ...(withdrawals === undefined ? [] : withdrawalSteps(withdrawals)),
    ...(deposits === undefined ? [] : [['deposit addresses', readDeposits] satisfies [string, Step]]),
    ...(trading === undefined || reading.pair === null
      ? []
      : [['a search for an order', findOrder] satisfies [string, Step]]),
  ];
  const key = await run('the key', readKey, reading, found);
  const done = [key];
  if (!goesOn(found.keyInfo ?? null, key)) return done;
  for (const [name, step] of steps) done.push(await run(name, step, reading, found));
  return done;
}

function withdrawalSteps(withdrawals: WithdrawalCapability): [string, Step][] {
  return [
    ['withdrawals as a search lists them', listWithdrawals],
    ['a search for the last withdrawal', findWithdrawal],
    ...(withdrawals.movements === undefined ? [] : [['movements', readMovements] satisfies [string, Step]]),
    ...(withdrawals.payingAccount === undefined
      ? []
      : [['the paying account', readPayingAccount] satisfies [string, Step]]),
  ];
}

async function run(name: string, step: Step, reading: Reading, found: Found): Promise<ReadingStep> {
  const before = reading.transport.calls.length;
  let made: string[] = [];
  let error: ExchangeError | null = null;
  try {
    made = await step(reading, found);
  } catch (thrown) {
    if (!(thrown instanceof ExchangeError)) throw thrown;
    error = thrown;
  }
  return { name, made, error, calls: reading.transport.calls.slice(before) };
}

const readKey: Step = async ({ session }, found) => {
  const info = await session.keyInfo();
  found.keyInfo = info;
  const day = (seconds: number | null): string =>
    seconds === null ? 'not reported' : new Date(seconds * 1000).toISOString();
  return [
    `permissions: ${info.permissions.join(', ') || 'not reported'}`,
    `addresses that may use the key: ${info.ipAllowlist.join(', ') || 'all, or not reported'}`,
    `valid until: ${day(info.validUntil)}; created: ${day(info.createdTime)}; last used: ${day(info.lastUsed)}`,
  ];
};

const readBalances: Step = async ({ session }, found) => {
  const balances = await session.balances();
  found.balances = balances;
  return lines(balances, 'assets', ({ asset, free, used, total, withdrawable, elsewhere = [], isPartial }) =>
    [
      `${asset}: free ${free.toString()}, used ${used.toString()}, total ${total.toString()}`,
      `, withdrawable ${(withdrawable ?? free).toString()}`,
      ...elsewhere.map(({ account, kind, amount }) => `, ${kind} in ${account} ${amount.toString()}`),
      isPartial === true ? ', AN AMOUNT COULD NOT BE READ' : '',
    ].join(''),
  );
};

const readIdentity: Step = async ({ session }) => {
  const { fullName, email, iban, country } = (await session.identity?.read()) ?? {};
  const shown = { name: fullName, 'e-mail': email, account: iban, country };
  return Object.entries(shown).map(([name, value]) => `${name}: ${value ?? 'not reported'}`);
};

const readNetworks: Step = async ({ session, remark }, found) => {
  const { networks } = (await session.withdrawals?.datedNetworks()) ?? { networks: [] };
  found.networks = networks;
  const byAsset = new Map<string, WithdrawalNetwork[]>();
  for (const network of networks) byAsset.set(network.asset, [...(byAsset.get(network.asset) ?? []), network]);
  const held = found.balances?.filter(({ total }) => total.isPositive()).map(({ asset }) => asset) ?? [];
  const without = held.filter((asset) => !byAsset.has(asset));
  if (without.length > 0)
    remark(`held assets that cannot be withdrawn on a network that we know: ${without.join(', ')}`);
  const first = [...byAsset].sort(([one], [other]) => Number(held.includes(other)) - Number(held.includes(one)));
  return [
    `${networks.length} networks of ${byAsset.size} assets; held assets come first`,
    ...lines(first, 'assets', ([asset, of]) => `${asset}: ${of.map(feeOf).join(', ')}`),
  ];
};

const feeOf = ({ id, exchangeNetworkId, fee }: WithdrawalNetwork): string =>
  `${id} (${exchangeNetworkId}${fee === null ? '' : `, fee ${fee.toString()}`})`;

function historyStep(kind: HistoryKind): Step {
  return async ({ session: { history }, now, remark }, found) => {
    const since = new Date(now.getTime() - HISTORY_DAYS * DAY_MS);
    const records: HistoryRecord[] = [];
    let [unreadable, cursor, pages] = [0, null as string | null, 0];
    do {
      const page = await history?.page(kind, { since, until: now }, cursor);
      records.push(...(page?.records ?? []));
      unreadable += page?.unreadable ?? 0;
      cursor = page?.nextCursor ?? null;
      pages++;
    } while (cursor !== null && pages < PAGES_MAX);
    if (cursor !== null) remark(`the ${kind} history has more than ${PAGES_MAX} pages; the newest were read`);
    if (kind === 'withdrawal')
      found.withdrawal = records.find(({ address, network }) => address !== null && network !== null);
    return [
      `${records.length} records of the last ${HISTORY_DAYS} days, ${unreadable} unreadable`,
      ...lines(records, 'records', describeRecord),
    ];
  };
}

function describeRecord(record: HistoryRecord): string {
  const { asset, amount, fee, feeAsset, network, exchangeNetwork, rawStatus, status, at, address, hash } = record;
  const where = `${network ?? 'NO NETWORK THAT WE KNOW'} (${exchangeNetwork ?? 'not named'})`;
  const cost = fee === null ? 'fee not reported' : `fee ${fee.toString()} ${feeAsset ?? ''}`;
  const chain = `to ${address ?? 'no address'}, transaction ${hash ?? 'not reported'}`;
  return `${at.toISOString()} ${amount.toString()} ${asset} on ${where}, ${cost}, ${status} (${rawStatus}), ${chain}`;
}

const listWithdrawals: Step = async ({ session, now }) => {
  const found = await session.withdrawals?.list(new Date(now.getTime() - HISTORY_DAYS * DAY_MS));
  const list = found?.records ?? [];
  return [
    `${list.length} withdrawals of the last ${HISTORY_DAYS} days${found?.isComplete === false ? ', and more' : ''}`,
    ...lines(
      list,
      'withdrawals',
      ({ at, amountNoFee, asset, status, rawStatus }) =>
        `${at.toISOString()} ${amountNoFee.toString()} ${asset}, ${status} (${rawStatus})`,
    ),
  ];
};

/** Reads the cost of the last withdrawal again, and searches for it, as after an unknown outcome. */
const findWithdrawal: Step = async ({ session: { withdrawals } }, { withdrawal, networks = [] }) => {
  if (withdrawals === undefined || withdrawal === undefined) return ['there is no withdrawal to search for'];
  const { asset, network: networkId, address, tag, amount, exchangeId, at } = withdrawal;
  const network = networks.find((one) => one.asset === asset && one.id === networkId);
  if (network === undefined || address === null) return ['the network of the last withdrawal is not offered any more'];
  try {
    const estimate = await withdrawals.estimate({ asset, network, address, tag, amount, includeFee: false });
    const clientRef = withdrawal.clientRef ?? 'causewaycheck';
    const prepared = await withdrawals.prepare({ ...estimate, asset, network: network.id, address, tag, clientRef });
    const notBefore = new Date(at.getTime() - 60_000);
    const sought = { asset, network: network.id, request: prepared.request, clientRef, notBefore };
    const byId = await withdrawals.find({ ...sought, exchangeId });
    const byValues = await withdrawals.find({ ...sought, exchangeId: null });
    return [
      `a withdrawal of ${amount.toString()} ${asset} would cost ${estimate.fee.toString()} now`,
      `the search by id finds ${byId.length}, the search by its values ${byValues.length}`,
    ];
  } catch (error) {
    // A refusal is about the withdrawal, such as an address that is not saved any more, and not about a response.
    if (error instanceof ExchangeError && error.kind === 'refused') return [`not possible again: ${error.message}`];
    throw error;
  }
};

const readMovements: Step = async ({ session, now, asset }) => {
  const movements = (await session.withdrawals?.movements?.(asset, new Date(now.getTime() - DAY_MS))) ?? [];
  return [
    `${movements.length} movements of ${asset} in the last day`,
    ...lines(movements, 'movements', ({ at, kind, change }) => `${at.toISOString()} ${kind} ${change.toString()}`),
  ];
};

const readPayingAccount: Step = async ({ session, now, asset }) => {
  const account = await session.withdrawals?.payingAccount?.(asset, new Date(now.getTime() - DAY_MS));
  if (account === undefined) return [];
  const { total, held, changes } = account;
  return [
    `${asset}: total ${total.toString()}, reserved ${held.toString()}, ${changes.length} changes`,
    ...lines(changes, 'changes', ({ at, kind, change, after }) =>
      [at.toISOString(), kind, change.toString(), 'to', after.toString()].join(' '),
    ),
  ];
};

/** Reads addresses, and never creates one. */
const readDeposits: Step = async ({ session: { deposits }, asset }) => {
  const methods = (await deposits?.methods(asset)) ?? [];
  const known = methods.find(({ network }) => network !== null);
  const described = lines(methods, 'methods', describeMethod);
  if (deposits === undefined || known === undefined)
    return [`${asset} has no deposit method that we know`, ...described];
  const addresses = await deposits.addresses(known);
  return [
    ...described,
    `addresses by ${known.exchangeMethodId}: ${addresses.length}`,
    ...lines(addresses, 'addresses', ({ address, tag }) => (tag === null ? address : `${address} with the tag ${tag}`)),
  ];
};

function describeMethod({ asset, exchangeMethodId, network, minimum }: DepositMethod): string {
  const least = minimum === null ? '' : `, at least ${minimum.toString()}`;
  return `${asset} by ${exchangeMethodId}: ${network ?? 'NO NETWORK THAT WE KNOW'}${least}`;
}

/** Searches for an order that does not exist, as after an unknown outcome. */
const findOrder: Step = async ({ session: { trading }, pair, now }) => {
  if (trading === undefined || pair === null) return [];
  const clientOrderId = trading.newClientOrderId();
  const [volume, price] = [Amount.of('1'), Amount.of('1')];
  const instruction = { exchangeSymbol: pair, side: 'buy', type: 'limit', volume, price, clientOrderId } as const;
  const { request } = trading.prepare({ ...instruction, submissionDeadline: now });
  const notBefore = new Date(now.getTime() - 60_000);
  const order = await trading.find({ clientOrderId, request, notBefore, isProofNeeded: false });
  return [
    order === null ? `no order of ${pair} has our new id, as expected` : `AN ORDER HAS OUR NEW ID: ${order.exchangeId}`,
  ];
};

function lines<T>(entries: readonly T[], name: string, describe: (entry: T) => string): string[] {
  const shown = entries.slice(0, LINES_MAX).map(describe);
  const left = entries.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more ${name}`];
}
