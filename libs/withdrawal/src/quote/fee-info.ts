import { Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import {
  AssetIndex,
  ExchangeError,
  findNetwork,
  resolveAsset,
  type ExchangeSession,
  type WithdrawalCapability,
  type WithdrawalNetwork,
} from '#exchange';
import { Amount } from '#money';
import { NotFound } from '#platform/errors';
import { accountErrors, WalletBalances, Wallets, WalletSessions, type Wallet } from '#wallet';
import { checkEstimate } from './quote-checks.js';
import { InfoAssetRequired, InfoFeeExchangeNotSupported, NetworkNotSupported } from './withdrawal.errors.js';

export interface FeeQuestion {
  asset?: string;
  network?: string;
  amount?: Amount;
}

/**
 * Maximum number of networks for which one request estimates fees. Each estimate takes several calls from the rate
 * limit that the wallet's withdrawals share. With more networks nothing is estimated, and the caller has to name a
 * network.
 */
const ESTIMATED_MAX = 3;

/** The reasons why an amount cannot be withdrawn on a network. */
export const amountProblems = ['too_many_decimals', 'below_minimum', 'above_maximum'] as const;
export type AmountProblem = (typeof amountProblems)[number];

export interface NetworkFee {
  network: WithdrawalNetwork;
  /**
   * null when the fee cannot be shown without a quote. Reasons: the fee depends on an amount that is missing or out of
   * bounds; there are too many networks to estimate; the exchange shows the fee only in a quote.
   */
  fee: Amount | null;
  /** Whether the fee is the same for every amount. */
  isFixed: boolean;
  /** null = there is no known problem, or no amount was given. */
  amountProblem: AmountProblem | null;
}

export interface FeeInfo {
  asset: string;
  exchange: string;
  networks: NetworkFee[];
}

/** Reads the withdrawal fees and bounds of an asset without making a quote. */
@Injectable()
export class GetFeeInfo {
  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly balances: WalletBalances,
  ) {}

  /** @throws InfoAssetRequired, InfoFeeExchangeNotSupported, the errors of `Wallets.get` and `WalletSessions.use`. */
  async execute(project: ProjectContext, externalWalletId: string, question: FeeQuestion): Promise<FeeInfo> {
    if (question.asset === undefined || question.asset === '') throw new InfoAssetRequired();
    const named = question.asset;
    const wallet = await this.wallets.get(project, externalWalletId);
    return await this.sessions.use(wallet, { autoDelete: false }, async (session) => {
      const { withdrawals } = session;
      if (withdrawals === undefined) throw new InfoFeeExchangeNotSupported(wallet.exchange);
      const { code } = await resolveAsset(session, named);
      const networks = await withdrawals.networks(code);
      const isKnown = networks.length > 0 || (await isListed(session, code));
      const asset = isKnown ? code : await this.heldAsset(wallet, code);
      const asked = networksAsked(asset, question.network, networks);
      const fees: NetworkFee[] = [];
      const canEstimate = asked.filter(({ fee }) => fee === null).length <= ESTIMATED_MAX;
      for (const network of asked) fees.push(await feeOn(network, question.amount, canEstimate ? withdrawals : null));
      return { asset, exchange: wallet.exchange, networks: fees };
    });
  }

  /**
   * Finds an asset in the stored balances, because accounts also hold assets that the exchange does not list, such as
   * state currencies and delisted assets.
   * @throws NotFound
   */
  private async heldAsset(wallet: Wallet, named: string): Promise<string> {
    const held = await this.balances.list(wallet);
    const found = new AssetIndex(held.map(({ asset: code }) => ({ code, aliases: [] }))).choose(named);
    if (found === null) throw new NotFound(`Asset ${named}`);
    return found;
  }
}

/** Whether the exchange lists the asset. An asset that it lists may have no network for withdrawals. */
async function isListed(session: ExchangeSession, asset: string): Promise<boolean> {
  return (await session.assetNames()).some(({ code }) => code === asset);
}

function networksAsked(asset: string, name: string | undefined, networks: WithdrawalNetwork[]): WithdrawalNetwork[] {
  if (name === undefined) return networks;
  const named = findNetwork(networks, name);
  if (named !== null) return [named];
  throw new NetworkNotSupported(
    asset,
    name,
    networks.map((network) => network.id),
  );
}

/**
 * Returns the fee that the exchange lists for the network. When it lists none, returns its estimate for exactly this
 * amount.
 * @param withdrawals null = do not estimate.
 */
async function feeOn(
  network: WithdrawalNetwork,
  amount: Amount | undefined,
  withdrawals: WithdrawalCapability | null,
): Promise<NetworkFee> {
  const { fee } = network;
  const listed = { network, fee, isFixed: fee !== null };
  if (amount === undefined) return { ...listed, amountProblem: null };
  const amountProblem =
    amount.decimalPlaces() > network.decimals
      ? 'too_many_decimals'
      : problemOf(amount.plus(fee ?? Amount.zero), network);
  if (fee !== null || amountProblem !== null || withdrawals === null) return { ...listed, amountProblem };
  return { network, isFixed: false, ...(await estimate(network, amount, withdrawals)) };
}

/** @throws ExchangeError for problems of the account, and when the exchange could not be queried. */
async function estimate(
  network: WithdrawalNetwork,
  amount: Amount,
  withdrawals: WithdrawalCapability,
): Promise<Pick<NetworkFee, 'fee' | 'amountProblem'>> {
  const { asset } = network;
  try {
    // No address is known yet. An exchange that needs an address refuses the estimate.
    const quoted = { asset, network, address: '', tag: null, amount, includeFee: false };
    const estimated = await withdrawals.estimate(quoted);
    checkEstimate({ ...quoted, network: network.id }, estimated);
    const amountProblem = problemOf(estimated.amountWithFee, estimated);
    return { fee: amountProblem === null ? estimated.fee : null, amountProblem };
  } catch (error) {
    if (!(error instanceof ExchangeError) || error.kind !== 'refused') throw error;
    if (error.code === 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM') return { fee: null, amountProblem: 'below_minimum' };
    if (error.code === 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM') return { fee: null, amountProblem: 'above_maximum' };
    if (error.code !== undefined && accountErrors.includes(error.code)) throw error;
    return { fee: null, amountProblem: null };
  }
}

/** @param debited the amount that leaves the account; exchanges limit this amount. */
function problemOf(
  debited: Amount,
  { minWithdrawal: min, maxWithdrawal: max }: Pick<WithdrawalNetwork, 'minWithdrawal' | 'maxWithdrawal'>,
): AmountProblem | null {
  if (min !== null && debited.lessThan(min)) return 'below_minimum';
  return max !== null && debited.greaterThan(max) ? 'above_maximum' : null;
}
