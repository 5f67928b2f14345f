import { fittingRecords } from '../../capabilities/record-fit.js';
import { toListed } from '../../capabilities/transfer-record.js';
import type { Asset, AssetCatalogue } from '../../client/asset-catalogue.js';
import type { ExchangeClient } from '../../client/exchange-client.js';
import { METADATA_TTL_MS } from '../../declaration/exchange-declaration.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type {
  AccountMovement,
  DatedNetworks,
  ExchangeWithdrawal,
  PreparedWithdrawal,
  QuotedWithdrawal,
  SoughtWithdrawal,
  SubmitOptions,
  SubmitOutcome,
  WithdrawalCapability,
  WithdrawalEstimate,
  WithdrawalInstruction,
  WithdrawalList,
  WithdrawalNetwork,
} from '../../port/exchange.port.js';
import { asWithdrawal } from '../../submission/withdrawal-outcome.js';
import { Cached } from '../../transport/cached.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { errorsWithCode } from './kraken-errors.js';
import { privateCall, requireNoNonceWindow } from './kraken-key.js';
import { KrakenLedger } from './kraken-ledger.js';
import { fetchListing, matcherOf, toTransfer, toWithdrawal, WITHDRAW_STATUS } from './kraken-records.js';
import {
  readAddress,
  readEntries,
  readMethod,
  readRecord,
  readRefId,
  type KrakenAddress,
  type KrakenMethod,
  type KrakenRecord,
} from './kraken-responses.js';
import {
  fetchFigures,
  findDestination,
  priceListFigures,
  requirementsOf,
  toNetwork,
  withOwnFee,
  type Destination,
} from './kraken-withdrawal-methods.js';

const WITHDRAW_METHODS = privateCall('WithdrawMethods');
const WITHDRAW_ADDRESSES = privateCall('WithdrawAddresses');
const WITHDRAW = privateCall('Withdraw');

const WITHDRAWAL = asWithdrawal({ statuses: [200], readId: readRefId });

/** Maximum number of pages of WithdrawStatus that one search reads, unless its caller states another number. */
const PAGES_MAX = 20;

interface NetworkEntry {
  readonly network: WithdrawalNetwork;
  readonly method: KrakenMethod;
}

/** Withdrawals of one Kraken account. */
export class KrakenWithdrawals implements WithdrawalCapability {
  readonly class = 'by_match';
  readonly methods = ['GOOGLE'] as const;
  private readonly entries: Cached<NetworkEntry[]>;
  private readonly ledger: KrakenLedger;

  constructor(private readonly client: ExchangeClient) {
    this.ledger = new KrakenLedger(client);
    this.entries = new Cached(client.clock, METADATA_TTL_MS, () => this.readNetworks());
  }

  async networks(asset?: string): Promise<WithdrawalNetwork[]> {
    const networks = (await this.entries.get()).map(({ network }) => network);
    return asset === undefined ? networks : networks.filter((network) => network.asset === asset);
  }

  async datedNetworks(): Promise<DatedNetworks> {
    const { value, readAt } = await this.entries.getDated();
    return { networks: value.map(({ network }) => network), readAt };
  }

  async estimate(quoted: QuotedWithdrawal): Promise<WithdrawalEstimate> {
    const asset = await this.assetOf(quoted.asset);
    const { network, method } = await this.entryOf(quoted.asset, quoted.network.id);
    const saved = await this.savedAddresses(asset, network);
    const destination = findDestination(saved, quoted);
    // The cost depends on the method and the amount, not on the address, so any saved address can be used.
    const key = destination.entry?.key ?? saved[0]?.key ?? null;
    const figures =
      key === null ? priceListFigures(quoted, method) : await fetchFigures(this.client, quoted, { asset, method, key });
    if (figures === null) throw this.notAllowed({ isReady: false, entry: null, missing: 'address' });
    const { gross, fee, most } = figures;
    return {
      amountNoFee: gross.minus(fee),
      fee,
      amountWithFee: gross,
      feeDetails: [{ category: 'exchange_withdrawal_fee', currency: quoted.asset, amount: fee }],
      // Kraken's minimum is the amount that arrives, and `minWithdrawal` includes the fee.
      minWithdrawal: method.minimum?.plus(fee) ?? null,
      maxWithdrawal: most,
      requirements: requirementsOf(destination),
      expiresAt: null,
    };
  }

  async prepare(instruction: WithdrawalInstruction): Promise<PreparedWithdrawal> {
    const asset = await this.assetOf(instruction.asset);
    const { network } = await this.entryOf(instruction.asset, instruction.network);
    const destination = findDestination(await this.savedAddresses(asset, network), instruction);
    if (!destination.isReady) throw this.notAllowed(destination);
    await requireNoNonceWindow(this.client);
    return {
      request: {
        asset: asset.id,
        key: destination.entry.key,
        // Kraken compares this address with the address that is saved under the key, and refuses if they differ.
        address: destination.entry.address,
        amount: instruction.amountWithFee.toString(),
        max_fee: instruction.fee.toString(),
      },
      clientRef: null,
      // Kraken's requests carry a nonce and no time, so a delivered request may be executed at any later time.
      submissionDeadline: null,
    };
  }

  async submit(prepared: PreparedWithdrawal, { beforeSend, proof }: SubmitOptions): Promise<SubmitOutcome> {
    const otp = proof?.codes.twofa;
    if (otp === undefined) return this.client.submit(WITHDRAW, prepared.request, WITHDRAWAL, { beforeSend });
    const params = { ...prepared.request, otp: otp.reveal() };
    return this.client.withErrors(errorsWithCode).submit(WITHDRAW, params, WITHDRAWAL, { beforeSend });
  }

  async find(sought: SoughtWithdrawal): Promise<ExchangeWithdrawal[]> {
    const assets = await this.client.assets();
    const asset = await this.assetOf(sought.asset);
    const { records, isComplete } = await this.recordsSince(asset, sought.notBefore);
    if (!isComplete) throw this.incomplete('the list has more withdrawals than one search may read');
    const ofAsset = records.filter((record) => assets.codeOf(record.asset) === asset.code);
    const fits = fittingRecords(ofAsset, matcherOf(sought));
    return fits.map(({ record, isCertain }) => toWithdrawal(record, isCertain, sought.request));
  }

  async list(since: Date, pagesMax?: number): Promise<WithdrawalList> {
    const assets = await this.client.assets();
    const { records, isComplete } = await this.recordsSince(null, since, pagesMax);
    const listed = records.map((record) => toListed(toTransfer(record, 'withdrawal', assets.codeOf(record.asset))));
    return { records: listed, isComplete };
  }

  movements(asset: string, since: Date): Promise<AccountMovement[]> {
    return this.ledger.movements(asset, since);
  }

  private async readNetworks(): Promise<NetworkEntry[]> {
    const assets = await this.client.assets();
    const methods = await this.client.call(WITHDRAW_METHODS, {}, (body) =>
      this.client.lists.read('WithdrawMethods', readEntries(body), readMethod),
    );
    return methods.flatMap((listed) => {
      const method = withOwnFee(listed, assets);
      const network = toNetwork(method, assets);
      return network === null ? [] : [{ network, method }];
    });
  }

  private async recordsSince(
    asset: Asset | null,
    since: Date,
    pagesMax = PAGES_MAX,
  ): Promise<{ records: KrakenRecord[]; isComplete: boolean }> {
    // Kraken rounds times down to seconds, so a record from the same second as `since` is included.
    const start = Math.floor(since.getTime() / 1000);
    const found: KrakenRecord[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < pagesMax; pages++) {
      const params: Record<string, string> = { ...(asset !== null && { asset: asset.id }), start: String(start) };
      const page = await fetchListing(this.client, WITHDRAW_STATUS, params, cursor);
      found.push(...page.entries.map((entry) => this.recognised(entry)));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return { records: found.filter(({ time }) => time >= start), isComplete: cursor === null };
  }

  private recognised(entry: unknown): KrakenRecord {
    const record = readRecord(entry);
    if (record === null) throw this.incomplete('the list has an unreadable withdrawal');
    return record;
  }

  /** An incomplete listing must not prove that there is no withdrawal. */
  private incomplete(what: string): ExchangeError {
    return new UnusableResponse(this.client.exchange, what);
  }

  private async savedAddresses(asset: Asset, network: WithdrawalNetwork): Promise<KrakenAddress[]> {
    const assets: AssetCatalogue = await this.client.assets();
    const method = network.exchangeNetworkId;
    const saved = await this.client.call(WITHDRAW_ADDRESSES, { asset: asset.id, method }, (body) =>
      this.client.lists.read('WithdrawAddresses', readEntries(body), readAddress),
    );
    return saved.filter((entry) => entry.method === method && assets.codeOf(entry.asset) === asset.code);
  }

  private async assetOf(code: string): Promise<Asset> {
    const asset = (await this.client.assets()).find(code);
    if (asset !== null) return asset;
    throw new ExchangeError('refused', this.client.exchange, `the exchange has no asset ${code}`, {
      code: 'WITHDRAWAL_ASSET_NOT_SUPPORTED',
    });
  }

  private async entryOf(asset: string, networkId: string): Promise<NetworkEntry> {
    const entry = (await this.entries.get()).find(({ network }) => network.asset === asset && network.id === networkId);
    if (entry !== undefined) return entry;
    throw new ExchangeError(
      'refused',
      this.client.exchange,
      `the exchange allows no withdrawals of ${asset} on the network ${networkId}`,
      { code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED' },
    );
  }

  private notAllowed({ missing }: Exclude<Destination, { isReady: true }>): ExchangeError {
    return new ExchangeError('refused', this.client.exchange, 'the account does not allow withdrawals to the address', {
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      reason: missing === 'confirmation' ? 'address_not_confirmed' : 'address_not_allowlisted',
    });
  }
}
