import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import type { ExchangeSession, WithdrawalCapability, WithdrawalEstimate, WithdrawalNetwork } from '#exchange';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import {
  checkAddress,
  checkArrives,
  checkBalance,
  checkBounds,
  checkPrecision,
  checkTag,
  chooseNetwork,
  requirementsOf,
  type QuoteWish,
} from './quote-checks.js';
import { Quote } from './quote.entity.js';
import { AssetNotSupported } from './withdrawal.errors.js';
import { WithdrawalNetworks } from './withdrawal-networks.js';

/** Reads of a quote do not delete wallets: only the calls that say so do. */
const KEEP_WALLET = { autoDelete: false };

/**
 * Says what a withdrawal would cost, and fixes it for a while. Checks in this order, each with its own code: asset,
 * network, address, tag, precision, minimum, maximum, balance, balance for the fee. Moves nothing.
 */
@Injectable()
export class CreateQuote {
  constructor(
    private readonly db: Database,
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly networks: WithdrawalNetworks,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute(project: ProjectContext, walletId: string, wish: QuoteWish): Promise<Quote> {
    const wallet = await this.wallets.get(project, walletId);
    const networks = await this.networks.listOf(wallet, wish.asset, KEEP_WALLET);
    if (networks.length === 0) throw new AssetNotSupported(wish.asset);
    const network = chooseNetwork(wish, networks);
    checkAddress(wish, network);
    checkTag(wish, network, await this.findEarlierTag(wallet, wish, network));
    checkPrecision(wish, network);
    // By the price list first: an exchange answers a much too small or large amount with less telling errors.
    checkBounds(wish.asset, wish.includeFee ? wish.amount : wish.amount.plus(network.fee ?? Amount.zero), network);
    const estimate = await this.sessions.use(wallet, KEEP_WALLET, (session) => estimateOf(session, wish, network));
    return this.store(project, wallet, wish, network, estimate);
  }

  /** The tag of the newest quote to the same address that had one: leaving it out would lose the money. */
  private async findEarlierTag(wallet: Wallet, wish: QuoteWish, network: WithdrawalNetwork): Promise<string | null> {
    if (wish.tag !== undefined || network.tagType === null) return null;
    const [row] = await this.db.query<{ tag: string }>(
      `select tag from quotes where wallet_id = $1 and asset = $2 and network = $3 and address = $4 and tag is not null
       order by created_at desc limit 1`,
      [wallet.id, wish.asset, network.id, wish.address],
    );
    return row?.tag ?? null;
  }

  private async store(
    project: ProjectContext,
    wallet: Wallet,
    wish: QuoteWish,
    network: WithdrawalNetwork,
    estimate: WithdrawalEstimate,
  ): Promise<Quote> {
    const createdAt = this.clock.now();
    const ends = new Date(createdAt.getTime() + this.config.values.QUOTE_TTL_SECONDS * 1_000);
    const quotes = this.db.repository(Quote);
    const quote = quotes.create({
      id: this.clock.newId(),
      projectId: project.id,
      walletId: wallet.id,
      exchange: wallet.exchange,
      asset: wish.asset,
      network: network.id,
      address: wish.address,
      tag: wish.tag ?? null,
      includeFee: wish.includeFee,
      amountNoFee: estimate.amountNoFee,
      fee: estimate.fee,
      amountWithFee: estimate.amountWithFee,
      feeDetails: estimate.feeDetails.map((detail) => ({ ...detail, amount: detail.amount.toString() })),
      requirements: requirementsOf(wish, network, estimate),
      minWithdrawal: estimate.minWithdrawal,
      maxWithdrawal: estimate.maxWithdrawal,
      priceUsd: null,
      createdAt,
      expiresAt: estimate.expiresAt !== null && estimate.expiresAt < ends ? estimate.expiresAt : ends,
    });
    await quotes.insert(quote);
    return quote;
  }
}

/** Asks what it would cost and whether it is there; nothing is reserved. */
async function estimateOf(
  session: ExchangeSession,
  wish: QuoteWish,
  network: WithdrawalNetwork,
): Promise<WithdrawalEstimate> {
  const { asset, address, amount, includeFee } = wish;
  const capability = required(session, asset);
  const estimate = await capability.estimate({ asset, network, address, tag: wish.tag ?? null, amount, includeFee });
  checkArrives(asset, estimate);
  checkBounds(asset, estimate.amountWithFee, estimate);
  checkBalance(wish, estimate, await session.balances());
  return estimate;
}

function required({ withdrawals }: ExchangeSession, asset: string): WithdrawalCapability {
  if (withdrawals === undefined) throw new AssetNotSupported(asset);
  return withdrawals;
}
