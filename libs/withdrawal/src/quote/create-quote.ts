import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import {
  ProviderError,
  type ExchangeSession,
  type FeeDetail,
  type WithdrawalEstimate,
  type WithdrawalNetwork,
} from '#exchange';
import { dollarValue, Prices } from '#market';
import { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, type DatabaseTime } from '#platform/database';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import {
  checkAddress,
  checkBalance,
  checkBounds,
  checkEstimate,
  checkPrecision,
  checkTag,
  chooseNetwork,
  requirementsOf,
  type QuoteWish,
} from './quote-checks.js';
import { Quote, type StoredFeeDetail } from './quote.entity.js';
import { Quotes } from './quotes.js';
import { WithdrawalTime } from '../execution/withdrawal-time.js';
import { asPause, AssetNotSupported } from '../withdrawal.errors.js';

/** A quote does not delete wallets: only the calls that say so do. */
const KEEP_WALLET = { autoDelete: false };

/** What passed all checks. */
interface Offer {
  network: WithdrawalNetwork;
  estimate: WithdrawalEstimate;
  credentialVersion: string;
}

/**
 * Says what a withdrawal would cost, and fixes it for a while. Checks in this order, each with its own code: asset,
 * network, address, tag, precision, minimum, maximum, balance, balance for the fee. Moves and reserves nothing.
 */
@Injectable()
export class CreateQuote {
  constructor(
    private readonly db: Database,
    private readonly quotes: Quotes,
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly prices: Prices,
    private readonly clock: Clock,
    private readonly time: WithdrawalTime,
    private readonly config: Config,
  ) {}

  /** @throws HostClockRefused, the errors of `Wallets.get`, of `WalletSessions.use`, and those of the checks. */
  async execute(project: ProjectContext, externalWalletId: string, wish: QuoteWish): Promise<Quote> {
    const wallet = await this.wallets.get(project, externalWalletId);
    const time = await this.time.read();
    const offer = await this.sessions
      .use(wallet, KEEP_WALLET, async (session, credentialVersion) => ({
        ...(await this.ask(session, wallet, wish)),
        credentialVersion,
      }))
      .catch((error: unknown) => {
        throw asPause(error);
      });
    return this.store(wallet, wish, offer, time);
  }

  private async ask(
    session: ExchangeSession,
    wallet: Wallet,
    wish: QuoteWish,
  ): Promise<Omit<Offer, 'credentialVersion'>> {
    const { asset, address, amount, includeFee } = wish;
    const { withdrawals } = session;
    const networks = (await withdrawals?.networks(asset)) ?? [];
    if (withdrawals === undefined || networks.length === 0) throw new AssetNotSupported(asset);
    const network = chooseNetwork(wish, networks);
    checkAddress(wish, network);
    const { id, tagType } = network;
    const isTagLeftOut = wish.tag === undefined && tagType !== null;
    checkTag(
      wish,
      network,
      isTagLeftOut ? await this.quotes.findUsedTag(wallet, { asset, network: id, address }) : null,
    );
    checkPrecision(wish, network);
    // By the price list first: an exchange answers a much too small or large amount with less telling errors.
    checkBounds(asset, includeFee ? amount : amount.plus(network.fee ?? Amount.zero), network);
    const estimate = await withdrawals.estimate({ asset, network, address, tag: wish.tag ?? null, amount, includeFee });
    checkEstimate(wish, estimate);
    checkBounds(asset, estimate.amountWithFee, estimate);
    checkBalance(wish, estimate, await session.balances());
    return { network, estimate };
  }

  private async store(wallet: Wallet, wish: QuoteWish, offer: Offer, time: DatabaseTime): Promise<Quote> {
    const { network, estimate, credentialVersion } = offer;
    const createdAt = time.now();
    const quotes = this.db.repository(Quote);
    const quote = quotes.create({
      id: this.clock.newId(),
      projectId: wallet.projectId,
      walletId: wallet.id,
      credentialVersion,
      exchange: wallet.exchange,
      asset: wish.asset,
      network: network.id,
      address: wish.address,
      tag: wish.tag ?? null,
      includeFee: wish.includeFee,
      amountNoFee: estimate.amountNoFee,
      fee: estimate.fee,
      amountWithFee: estimate.amountWithFee,
      feeDetails: estimate.feeDetails.map((detail) => this.priced(detail, wallet)),
      requirements: requirementsOf(wish, network, estimate),
      minWithdrawal: estimate.minWithdrawal,
      maxWithdrawal: estimate.maxWithdrawal,
      priceUsd: this.prices.now(wallet.exchange, wish.asset),
      createdAt,
      expiresAt: this.endOf(estimate, createdAt),
    });
    await quotes.insert(quote);
    return quote;
  }

  private priced({ category, currency, amount }: FeeDetail, { exchange }: Wallet): StoredFeeDetail {
    const amountInFiat = dollarValue(amount, this.prices.now(exchange, currency))?.toString();
    return { category, currency, amount: amount.toString(), amountInFiat };
  }

  /** Never past what the exchange itself grants. */
  private endOf({ expiresAt }: WithdrawalEstimate, createdAt: Date): Date {
    const ours = new Date(createdAt.getTime() + this.config.values.QUOTE_TTL_SECONDS * 1_000);
    if (expiresAt === null || expiresAt >= ours) return ours;
    if (expiresAt > createdAt) return expiresAt;
    throw new ProviderError('What the exchange quoted has already expired', { reason: 'estimate_expired' });
  }
}
