import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import {
  asked,
  ProviderError,
  resolveAsset,
  sentAddress,
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
import { Events } from '#platform/events';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import {
  checkAddress,
  checkBalance,
  checkBounds,
  checkEstimate,
  checkInvoice,
  checkNoUri,
  checkPrecision,
  checkTag,
  chooseNetwork,
  requirementsOf,
  type QuoteRequest,
} from './quote-checks.js';
import { Quote, type StoredFeeDetail } from './quote.entity.js';
import { toQuoteResponse } from './quote.dto.js';
import { Quotes } from './quotes.js';
import { WithdrawalTime } from './withdrawal-time.js';
import { asPause, AssetNotSupported } from './withdrawal.errors.js';

/** The request for a quote never deletes the wallet. Only calls with `autoDeleteIfInvalid` may delete it. */
const KEEP_WALLET = { autoDelete: false };

/** The network and the estimate of a quote whose checks have passed. */
interface Offer {
  /** The request with our code of the asset, and the address in the form in which it is sent. */
  request: QuoteRequest;
  network: WithdrawalNetwork;
  estimate: WithdrawalEstimate;
  credentialVersion: string;
}

/**
 * Quotes a withdrawal: its fee and its amounts, valid for a limited time. The checks run in this order, each with an
 * error code of its own: asset, network, address, tag, precision, minimum, maximum, balance, balance for the fee. After
 * the estimate, the amount of a Lightning invoice is checked. A quote moves and reserves nothing.
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
    private readonly events: Events,
  ) {}

  /** @throws HostClockRefused, the errors of `Wallets.get`, `WalletSessions.use` and the checks. */
  async execute(project: ProjectContext, externalWalletId: string, request: QuoteRequest): Promise<Quote> {
    const wallet = await this.wallets.get(project, externalWalletId);
    const time = await this.time.read();
    const offer = await this.sessions
      .use(wallet, KEEP_WALLET, async (session, credentialVersion) => ({
        ...(await this.ask(session, wallet, request)),
        credentialVersion,
      }))
      .catch((error: unknown) => {
        throw asPause(error);
      });
    return this.store(wallet, offer, time);
  }

  private async ask(
    session: ExchangeSession,
    wallet: Wallet,
    wanted: QuoteRequest,
  ): Promise<Omit<Offer, 'credentialVersion'>> {
    const { withdrawals } = session;
    if (withdrawals === undefined) {
      throw new AssetNotSupported(
        `This service makes no withdrawals from ${wallet.exchange}: withdraw on the exchange’s own site`,
      );
    }
    const { code: asset } = await resolveAsset(session, wanted.asset);
    const networks = await withdrawals.networks(asset);
    if (networks.length === 0) throw new AssetNotSupported(`The asset ${asset} cannot be withdrawn from this exchange`);
    const request = { ...wanted, asset, address: sentAddress(wanted.address) };
    const { address, amount, includeFee } = request;
    checkNoUri(request);
    const network = chooseNetwork(request, networks);
    checkAddress(request, network);
    const { id, tagType } = network;
    const isTagLeftOut = request.tag === undefined && tagType !== null;
    checkTag(
      request,
      network,
      isTagLeftOut ? await this.quotes.findUsedTag(wallet, { asset, network: id, address }) : null,
    );
    checkPrecision(request, network);
    // The bounds that the exchange lists for the network are checked before the estimate, because some exchanges do not
    // name the cause when they refuse an amount that is far out of bounds.
    checkBounds(asset, includeFee ? amount : amount.plus(network.fee ?? Amount.zero), network);
    const held = asked(session, () => session.balances());
    const estimate = await withdrawals.estimate({
      asset,
      network,
      address,
      tag: request.tag ?? null,
      amount,
      includeFee,
    });
    checkEstimate(request, estimate);
    checkInvoice(request, network, estimate);
    checkBounds(asset, estimate.amountWithFee, estimate);
    checkBalance(request, estimate, await held());
    return { request, network, estimate };
  }

  private async store(wallet: Wallet, offer: Offer, time: DatabaseTime): Promise<Quote> {
    const { request, network, estimate, credentialVersion } = offer;
    const createdAt = time.now();
    const quote = this.db.repository(Quote).create({
      id: this.clock.newId(),
      projectId: wallet.projectId,
      walletId: wallet.id,
      credentialVersion,
      exchange: wallet.exchange,
      asset: request.asset,
      network: network.id,
      address: request.address,
      tag: request.tag ?? null,
      includeFee: request.includeFee,
      amountNoFee: estimate.amountNoFee,
      fee: estimate.fee,
      amountWithFee: estimate.amountWithFee,
      feeDetails: estimate.feeDetails.map((detail) => this.priced(detail, wallet)),
      requirements: requirementsOf(request, network, estimate),
      minWithdrawal: estimate.minWithdrawal,
      maxWithdrawal: estimate.maxWithdrawal,
      priceUsd: this.prices.now(wallet.exchange, request.asset),
      createdAt,
      expiresAt: this.endOf(estimate, createdAt),
    });
    const { externalId: walletId, exchange, projectId } = wallet;
    const data = { walletId, exchange, ...toQuoteResponse(quote) };
    const event = { projectId, type: 'quote.created' as const, subject: quote.id, data };
    await this.db.transaction(async (tx) => {
      await this.db.insertEntity(tx, quote);
      await this.events.record(tx, [event]);
    });
    return quote;
  }

  private priced({ category, currency, amount }: FeeDetail, { exchange }: Wallet): StoredFeeDetail {
    const amountInFiat = dollarValue(amount, this.prices.now(exchange, currency))?.toString();
    return { category, currency, amount: amount.toString(), amountInFiat };
  }

  /** Returns when the quote expires, which is never later than the expiry of the exchange's own estimate. */
  private endOf({ expiresAt }: WithdrawalEstimate, createdAt: Date): Date {
    const ours = new Date(createdAt.getTime() + this.config.values.QUOTE_TTL_SECONDS * 1_000);
    if (expiresAt === null || expiresAt >= ours) return ours;
    if (expiresAt > createdAt) return expiresAt;
    throw new ProviderError('The estimate of the exchange has already expired; request the quote again', {
      reason: 'estimate_expired',
    });
  }
}
