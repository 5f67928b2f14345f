import { Amount } from '#money';
import type { ExchangeClient, Endpoint, Spacing } from '../client/exchange-client.js';
import { fitOfDestination, fittingRecords, type RecordFit } from './record-fit.js';
import { LIGHTNING } from '../networks/lightning-invoice.js';
import { ExchangeError } from '../port/exchange-error.js';
import type {
  DatedNetworks,
  ExchangeWithdrawal,
  PreparedWithdrawal,
  QuotedWithdrawal,
  SoughtWithdrawal,
  SubmissionClass,
  SubmitOptions,
  SubmitOutcome,
  VerificationMethod,
  WithdrawalCapability,
  WithdrawalEstimate,
  WithdrawalInstruction,
  WithdrawalList,
  WithdrawalNetwork,
  WithdrawalRequirement,
} from '../port/exchange.port.js';
import type { Acceptance } from '../submission/submit-evidence.js';
import { asWithdrawal } from '../submission/withdrawal-outcome.js';
import { findSaved, payableAddress, stepsBefore, type SavedAddress, type SavedDestination } from './address-book.js';
import { estimateByList } from './listed-estimate.js';
import type { ListedNetwork, NetworkList } from './network-list.js';
import type { TransferHistory, TransferList } from './transfer-pages.js';
import { toListed, toWithdrawal, type TransferRecord } from './transfer-record.js';

const TAG_REQUIRED: WithdrawalRequirement = {
  type: 'tag',
  detail: 'The exchange requires the tag or memo of the address on this network.',
};

/** The names of the parameters that state the destination and the amount. */
export interface SentFields {
  /** The parameter with the address, or with the address and its tag as `destinationOf` writes them. */
  readonly address: string;
  /** The parameter with the tag; absent = the address contains it. */
  readonly tag?: string;
  readonly amount: string;
  /** The parameter with the exchange's id of the asset, where this id outlives renamings of the asset. */
  readonly asset?: string;
}

/** Reads the destination and the amount from a stored request. */
function sentBy(request: Readonly<Record<string, string>>, { address, tag, amount }: SentFields) {
  const sentTag = tag === undefined ? null : (request[tag] ?? null);
  return { ...partsOf(request[address] ?? '', sentTag), amount: Amount.of(request[amount] ?? '') };
}

/** The text of an address and its tag. Some exchanges take this text as the address. */
export function destinationOf(address: string, tag: string | null): string {
  return tag === null ? address : `${address}:${tag}`;
}

/** Matches the address in `address:tag`. TON's raw form and Bitcoin Cash's prefix contain a colon, too. */
const ADDRESS_PART = /^((?:bitcoincash|0|-1):)?[^:]*/;

/** Separates the address from its tag if `text` contains both. @param tag the tag in a field of its own; null = none */
function partsOf(text: string, tag: string | null): { address: string; tag: string | null } {
  if (tag !== null) return { address: text.endsWith(`:${tag}`) ? text.slice(0, -tag.length - 1) : text, tag };
  const address = ADDRESS_PART.exec(text)?.[0] ?? text;
  return { address, tag: address === text ? null : text.slice(address.length + 1) };
}

/** How long an account must wait, after a withdrawal, for another one with the same values of some parameters. */
export interface WithdrawalSpacing {
  readonly periodMs: number;
  /** The names of these parameters. */
  readonly by: readonly string[];
  /** The exchange's id of the account; null = it reports none. Called for each withdrawal. @throws ExchangeError */
  readonly account: () => Promise<string | null>;
}

/**
 * How an exchange that lists networks and fees accepts withdrawals. `ExchangeSpec.withdrawals` states their submission
 * class, and whether their amounts include the fee.
 */
export interface WithdrawalsDeclaration {
  readonly methods?: readonly VerificationMethod[];
  /** The parameter for a person's two-factor code (`twofa`); absent = no submission carries a code. */
  readonly codeParameter?: string;
  readonly endpoint: Endpoint;
  readonly acceptance: Acceptance<string>;
  /** The parameters of a request. `amount` includes the fee if the exchange expects that. @throws ExchangeError */
  readonly request: (
    instruction: WithdrawalInstruction & { readonly amount: Amount },
    listed: ListedNetwork,
  ) => Record<string, string> | Promise<Record<string, string>>;
  /** The parameters from which the destination and the amount of a stored request are read. */
  readonly sent: SentFields;
  /** The requirements of a withdrawal, besides a saved address and a tag; absent = none. */
  readonly requirements?: (
    quoted: QuotedWithdrawal,
    listed: ListedNetwork,
  ) => WithdrawalRequirement[] | Promise<WithdrawalRequirement[]>;
  /** A requirement that callers cannot meet through Causeway; null = none. While it exists, no withdrawal is sent. */
  readonly obstacle?: () => Promise<WithdrawalRequirement | null>;
  /** Absent = the exchange documents no time between withdrawals. */
  readonly spacing?: WithdrawalSpacing;
  /**
   * The saved addresses of an asset on a network. Declared only where the exchange lists them and pays to no other
   * addresses.
   */
  readonly addressBook?: (listed: ListedNetwork) => Promise<readonly SavedAddress[]>;
  /** @param notBefore the withdrawal was made at this moment or later */
  readonly byId: (exchangeId: string, notBefore: Date, sought: SoughtWithdrawal) => Promise<TransferRecord[]>;
  /**
   * All records that may carry our reference. The result may also contain other records. Absent where the exchange's
   * records cannot be searched for our reference.
   */
  readonly byReference?: (clientRef: string, sought: SoughtWithdrawal) => Promise<TransferList>;
  /** Reads the account that pays withdrawals; absent if the exchange does not list the balance after each change. */
  readonly payingAccount?: NonNullable<WithdrawalCapability['payingAccount']>;
}

/** Withdrawals at an exchange that lists networks, fees and bounds. */
export class ListedWithdrawals implements WithdrawalCapability {
  readonly class: SubmissionClass;
  readonly mayChangeReference?: true;
  readonly methods: readonly VerificationMethod[];
  readonly payingAccount?: NonNullable<WithdrawalCapability['payingAccount']>;

  constructor(
    private readonly client: ExchangeClient,
    private readonly listed: NetworkList,
    private readonly history: TransferHistory,
    private readonly declared: WithdrawalsDeclaration,
  ) {
    this.class = client.withdrawals.class;
    this.mayChangeReference = client.withdrawals.mayChangeReference;
    this.methods = declared.methods ?? [];
    const { payingAccount } = declared;
    if (payingAccount !== undefined) this.payingAccount = payingAccount;
  }

  async networks(asset?: string): Promise<WithdrawalNetwork[]> {
    const { networks } = await this.listed.withdrawals();
    return asset === undefined ? networks : networks.filter((network) => network.asset === asset);
  }

  datedNetworks(): Promise<DatedNetworks> {
    return this.listed.withdrawals();
  }

  async estimate(quoted: QuotedWithdrawal): Promise<WithdrawalEstimate> {
    const entry = await this.listed.payable(quoted.asset, quoted.network.id);
    const { amountIs } = this.listed;
    const destination = await this.destinationOf(quoted, entry.listed);
    const obstacle = (await this.declared.obstacle?.()) ?? null;
    const required = [
      ...(obstacle === null ? [] : [obstacle]),
      ...((await this.declared.requirements?.(quoted, entry.listed)) ?? []),
      ...stepsBefore(destination),
    ];
    const lacksTag = entry.listed.needsTag && quoted.tag === null;
    if (lacksTag && !required.some(({ type }) => type === 'tag')) required.push(TAG_REQUIRED);
    return estimateByList(this.client.exchange, quoted, entry, { amountIs, requirements: required });
  }

  async prepare(instruction: WithdrawalInstruction): Promise<PreparedWithdrawal> {
    const { listed } = await this.listed.payable(instruction.asset, instruction.network);
    if (instruction.tag !== null && !listed.takesTag) {
      throw new ExchangeError('refused', this.client.exchange, 'the exchange accepts no tag on this network', {
        code: 'WITHDRAWAL_INVALID_ADDRESS',
        reason: 'tag_not_supported',
      });
    }
    // A Lightning invoice states the amount that arrives, so a lower fee would not fit either.
    const isExact = instruction.network === LIGHTNING;
    if (isExact ? !listed.fee.equals(instruction.fee) : listed.fee.greaterThan(instruction.fee)) {
      throw new ExchangeError('refused', this.client.exchange, 'the fee has changed since the quote', {
        code: 'WITHDRAWAL_PROVIDER_ERROR',
        reason: 'fee_changed',
      });
    }
    const amount = this.listed.amountIs === 'net' ? instruction.amountNoFee : instruction.amountWithFee;
    const address = payableAddress(this.client.exchange, await this.destinationOf(instruction, listed));
    const obstacle = (await this.declared.obstacle?.()) ?? null;
    if (obstacle !== null) {
      throw new ExchangeError('refused', this.client.exchange, obstacle.detail, { reason: obstacle.type });
    }
    return {
      request: await this.declared.request({ ...instruction, address, amount }, listed),
      clientRef: this.declared.byReference === undefined ? null : instruction.clientRef,
      submissionDeadline: null,
      account: await this.declared.spacing?.account(),
    };
  }

  submit({ request, account }: PreparedWithdrawal, { beforeSend, proof }: SubmitOptions): Promise<SubmitOutcome> {
    const { endpoint, acceptance, codeParameter } = this.declared;
    const code = proof?.codes.twofa;
    const sent = codeParameter === undefined || code === undefined ? {} : { [codeParameter]: code.reveal() };
    const options = { beforeSend, spacing: this.spacingOf(request, account ?? null) };
    return this.client.submit(endpoint, { ...request, ...sent }, asWithdrawal(acceptance), options);
  }

  async find(sought: SoughtWithdrawal): Promise<ExchangeWithdrawal[]> {
    const { exchangeId, clientRef, notBefore } = sought;
    const { byId, byReference } = this.declared;
    if (exchangeId !== null) {
      const records = await byId(exchangeId, notBefore, sought);
      return records.filter((each) => each.exchangeId === exchangeId).map((each) => toWithdrawal(each, true));
    }
    if (byReference !== undefined && clientRef !== null) {
      const { records, isComplete } = await byReference(clientRef, sought);
      const ours = records.filter((each) => each.clientRef === clientRef);
      // Only this withdrawal has our reference, so the record is certain even if it states another form of the address,
      // or the same address with another name of the network.
      const isCertain = (fit: RecordFit): boolean => fit === 'certain' || fit === 'other_form';
      if (ours.length > 0) return ours.map((each) => toWithdrawal(each, isCertain(this.fitOf(each, sought))));
      if (!isComplete) throw this.history.incomplete();
      // The exchange may have lost our reference, so a record without a reference is a possible match if its values
      // fit. If the exchange may have changed our reference, a record with another one is a possible match, too.
      const isOnlyAlike = this.mayChangeReference;
      const alike = records.filter((each) => each.clientRef === null || isOnlyAlike === true);
      const fitting = alike.filter((each) => this.fitOf(each, sought) !== null);
      return fitting.map((each) => ({ ...toWithdrawal(each, false), isOnlyAlike }));
    }
    const records = await this.history.all('withdrawal', notBefore);
    const fits = fittingRecords(records, (record) => this.fitOf(record, sought));
    return fits.map(({ record, isCertain }) => toWithdrawal(record, isCertain));
  }

  async list(since: Date, pagesMax?: number): Promise<WithdrawalList> {
    const { records, isComplete } = await this.history.list('withdrawal', since, pagesMax);
    return { records: records.map(toListed), isComplete };
  }

  private spacingOf(request: Readonly<Record<string, string>>, account: string | null): Spacing | undefined {
    const { spacing } = this.declared;
    if (spacing === undefined) return undefined;
    const { periodMs, by } = spacing;
    return { account, periodMs, counted: by.map((parameter) => request[parameter] ?? '') };
  }

  /** The destination as the owner's address book spells it. Without an address book it is as the caller gave it. */
  private async destinationOf(
    { address, tag }: Pick<WithdrawalInstruction, 'address' | 'tag'>,
    listed: ListedNetwork,
  ): Promise<SavedDestination> {
    const { addressBook } = this.declared;
    if (addressBook === undefined) return { isReady: true, address };
    return findSaved(await addressBook(listed), { address, tag });
  }

  /** Whether a record is of the sent asset, also when the exchange has renamed it since. */
  private isOfAsset(record: TransferRecord, { asset, request }: Pick<SoughtWithdrawal, 'asset' | 'request'>): boolean {
    const { asset: field } = this.declared.sent;
    return record.asset === asset || (field !== undefined && record.assetId === request[field]);
  }

  /**
   * How well a record fits the sent request. A rule that is too strict would report an executed withdrawal as not
   * executed, and one that is too loose would take another withdrawal's record. A doubtful record is `possible` or
   * `other_form`.
   */
  private fitOf(record: TransferRecord, { asset, network, request }: SoughtWithdrawal): RecordFit {
    const sent = sentBy(request, this.declared.sent);
    const { amountNoFee, fee } = record;
    const gross = fee === null ? null : amountNoFee.plus(fee);
    const stated = this.listed.amountIs === 'net' ? amountNoFee : gross;
    // The request may state the amount with the fee and the record without it, or the other way round.
    const forms = [amountNoFee, gross, fee === null ? null : amountNoFee.minus(fee)];
    if (!this.isOfAsset(record, { asset, request }) || !forms.some((form) => form?.equals(sent.amount) === true))
      return null;
    if (record.address === null) return 'possible';
    const { address, tag } = partsOf(record.address, record.tag);
    // A record without the sent tag is a possible match. A record with another tag is not.
    if (tag !== sent.tag && tag !== null) return null;
    const fit = fitOfDestination({ address, network: record.network }, { address: sent.address, network });
    const isDoubtful = tag !== sent.tag || stated?.equals(sent.amount) !== true;
    return fit !== null && isDoubtful ? 'possible' : fit;
  }
}
