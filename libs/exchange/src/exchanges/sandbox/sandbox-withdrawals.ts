import { toListed, toWithdrawal } from '../../capabilities/transfer-record.js';
import { METADATA_TTL_MS } from '../../declaration/exchange-declaration.js';
import { Cached } from '../../transport/cached.js';
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
} from '../../port/exchange.port.js';
import type { AssetName } from '../../port/names.js';
import { readResponse, UnusableResponse } from '../../transport/failed-read.js';
import { asWithdrawal } from '../../submission/withdrawal-outcome.js';
import {
  readBookedId,
  readNetwork,
  readNetworkEntries,
  readWithdrawals,
  type SandboxWithdrawal,
} from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';
import { estimateWithdrawal } from './sandbox-estimate.js';
import { fetchListing, listMovements, PAGES_MAX } from './sandbox-history.js';
import { toNetwork, type NetworkWithFee } from './sandbox-networks.js';
import { equalsRequest, toTransfer } from './sandbox-records.js';
import { SandboxVerification, toProof, withMissingVerification } from './sandbox-verification.js';

/** Withdrawals of one account of the partner API. */
export class SandboxWithdrawals implements WithdrawalCapability {
  readonly class = 'idempotent';
  readonly methods = ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'] as const;
  readonly verification: SandboxVerification;
  private readonly all: Cached<NetworkWithFee[]>;

  constructor(private readonly client: SandboxClient) {
    this.verification = new SandboxVerification(client);
    this.all = new Cached(client.clock, METADATA_TTL_MS, async () => {
      const entries = await client.get('/networks', {}, (body) =>
        client.lists.read('networks', readNetworkEntries(body), readNetwork),
      );
      return entries.map(toNetwork).filter((network) => network !== null);
    });
  }

  async networks(asset?: string): Promise<NetworkWithFee[]> {
    const networks = await this.all.get();
    return asset === undefined ? networks : networks.filter((network) => network.asset === asset);
  }

  async assetNames(): Promise<AssetName[]> {
    const codes = (await this.all.get()).map(({ asset }) => asset);
    return [...new Set(codes)].map((code) => ({ code, aliases: [] }));
  }

  async datedNetworks(): Promise<DatedNetworks> {
    const { value: networks, readAt } = await this.all.getDated();
    return { networks, readAt };
  }

  async estimate(quoted: QuotedWithdrawal): Promise<WithdrawalEstimate> {
    const { fee } = await this.networkOf(quoted.asset, quoted.network.id);
    return estimateWithdrawal(this.client, quoted, fee);
  }

  async prepare(instruction: WithdrawalInstruction): Promise<PreparedWithdrawal> {
    const { asset, network, address, tag, amountNoFee, fee, clientRef } = instruction;
    const { exchangeNetworkId } = await this.networkOf(asset, network);
    const validUntil = this.client.clock.now().getTime() + this.client.validForMs;
    return {
      request: {
        reference: clientRef,
        asset,
        network: exchangeNetworkId,
        address,
        ...(tag !== null && { tag }),
        amount: amountNoFee.toString(),
        maxFee: fee.toString(),
        validUntil: String(validUntil),
      },
      clientRef,
      submissionDeadline: new Date(validUntil),
    };
  }

  async submit({ request }: PreparedWithdrawal, { beforeSend, proof }: SubmitOptions): Promise<SubmitOutcome> {
    const body = { ...request, validUntil: Number(request['validUntil']), ...toProof(proof) };
    const withdrawal = asWithdrawal({
      // 201 = this call booked the withdrawal; 200 = an earlier call with the same reference booked it.
      statuses: [201, 200],
      readId: (response: unknown) => readBookedId(response, request['reference']),
    });
    return withMissingVerification(await this.client.submit('/withdrawals', body, withdrawal, { beforeSend }));
  }

  async find(sought: SoughtWithdrawal): Promise<ExchangeWithdrawal[]> {
    const { exchangeId, request } = sought;
    if (exchangeId !== null) {
      const records = await this.allRecords({ id: exchangeId });
      return records.filter(({ id }) => id === exchangeId).map((record) => toWithdrawal(toTransfer(record), true));
    }
    const reference = request['reference'];
    if (reference === undefined) throw new Error('a withdrawal was sent without a reference');
    const records = await this.allRecords({ reference });
    return records
      .filter((record) => record.reference === reference)
      .map((record) => toWithdrawal(toTransfer(record), equalsRequest(record, sought)));
  }

  async list(since: Date, pagesMax?: number): Promise<WithdrawalList> {
    const { records, isComplete } = await this.records({ since: String(since.getTime()) }, pagesMax);
    return { records: records.map((record) => toListed(toTransfer(record))), isComplete };
  }

  movements(asset: string, since: Date): Promise<AccountMovement[]> {
    return listMovements(this.client, asset, since);
  }

  private async allRecords(query: Record<string, string>): Promise<SandboxWithdrawal[]> {
    const { records, isComplete } = await this.records(query);
    if (isComplete) return records;
    // An incomplete listing must not prove that there is no withdrawal.
    throw new UnusableResponse(this.client.exchange, 'the list has more withdrawals than one search may read');
  }

  private async records(
    query: Record<string, string>,
    pagesMax = PAGES_MAX,
  ): Promise<{ records: SandboxWithdrawal[]; isComplete: boolean }> {
    const found: SandboxWithdrawal[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < pagesMax; pages++) {
      const page = await fetchListing(this.client, 'withdrawal', query, cursor);
      found.push(...readResponse(this.client.exchange, 'withdrawals', page.entries, readWithdrawals));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return { records: found, isComplete: cursor === null };
  }

  private async networkOf(asset: string, id: string): Promise<NetworkWithFee> {
    const ofAsset = await this.networks(asset);
    const network = ofAsset.find((one) => one.id === id);
    if (network !== undefined) return network;
    const code = ofAsset.length === 0 ? 'WITHDRAWAL_ASSET_NOT_SUPPORTED' : 'WITHDRAWAL_NETWORK_NOT_SUPPORTED';
    throw new ExchangeError(
      'refused',
      this.client.exchange,
      `the exchange allows no withdrawals of ${asset} on the network ${id}`,
      { code },
    );
  }
}
