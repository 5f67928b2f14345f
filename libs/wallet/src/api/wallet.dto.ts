import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { IsOptional, IsString, Length, Matches } from 'class-validator';
import { exampleExchange, UNREPORTED_KEY_INFO, type AssetBalance, type CredentialField, type KeyInfo } from '#exchange';
import { Secret } from '#platform/crypto';
import { ApiField, ApiOptionalField, ApiTimeOrNull } from '#platform/http';
import { ApiUnread, shownUnread, type UnreadAccountResponse } from './unread-account.dto.js';
import type { WalletWithBalances } from '../reading/get-wallet.js';
import type { SyncProgress, Wallet } from '../wallets/wallet.entity.js';

// Credentials are sent to exchanges in headers and query strings, where other characters would break the request.
const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * The credentials that the owner created at the exchange. Each exchange needs some of them; the error names all that
 * are missing.
 */
export class ConnectWalletRequest {
  @ApiField('API key, as the exchange shows it; at `sandbox` the bearer token. Printable ASCII.', {
    minLength: 1,
    maxLength: 512,
    type: String,
    example: 'my-api-key',
  })
  @IsOptional()
  @Matches(PRINTABLE, { message: 'apiKey must be printable ASCII' })
  @Length(1, 512)
  @IsString()
  apiKey?: string | null;

  @ApiOptionalField(
    'API secret or private key (PEM with its line breaks), where the exchange has one. Stored encrypted, never shown again.',
    { minLength: 1, maxLength: 8192, nullable: true, type: String, example: 'my-api-secret' },
  )
  @IsOptional()
  @Length(1, 8192)
  @IsString()
  apiSecret?: string | null;

  @ApiOptionalField('Passphrase of the API key, where the exchange has one. Printable ASCII.', {
    minLength: 1,
    maxLength: 512,
    nullable: true,
    type: String,
    example: 'correct horse',
  })
  @IsOptional()
  @Matches(PRINTABLE, { message: 'apiPassphrase must be printable ASCII' })
  @Length(1, 512)
  @IsString()
  apiPassphrase?: string | null;

  @ApiOptionalField(
    'User or account id that belongs to the API key, where the exchange asks for one. Printable ASCII.',
    { minLength: 1, maxLength: 256, nullable: true, type: String, example: '700012' },
  )
  @IsOptional()
  @Matches(PRINTABLE, { message: 'apiUid must be printable ASCII' })
  @Length(1, 256)
  @IsString()
  apiUid?: string | null;

  // The example is null, because Swagger UI sends it with each call, and most exchanges have no regions.
  @ApiOptionalField(
    'Regional site that issued the key, where the exchange has several, for example `eea`: see [exchanges](exchanges.md). Absent: the first site that is listed there.',
    { minLength: 1, maxLength: 32, nullable: true, type: String, example: null },
  )
  @IsOptional()
  @Matches(/^[a-z]*$/, { message: 'apiRegion must have lower-case letters only' })
  @Length(1, 32)
  @IsString()
  apiRegion?: string | null;
}

export function toCredentials(body: ConnectWalletRequest): Partial<Record<CredentialField, Secret>> {
  const { apiKey, apiSecret, apiPassphrase, apiUid, apiRegion } = body;
  return {
    ...(apiKey != null && { apiKey: new Secret(apiKey) }),
    ...(apiSecret != null && { apiSecret: new Secret(apiSecret) }),
    ...(apiPassphrase != null && { apiPassphrase: new Secret(apiPassphrase) }),
    ...(apiUid != null && { apiUid: new Secret(apiUid) }),
    ...(apiRegion != null && { apiRegion: new Secret(apiRegion) }),
  };
}

/** Holdings of one asset, in units of the asset. */
export class AssetBalanceResponse {
  @ApiField('Not reserved by orders or withdrawals.', { example: 1.25 })
  free: number;

  @ApiField('Reserved by orders or withdrawals.', { example: 0.25 })
  used: number;

  @ApiField('`free + used`.', { example: 1.5 })
  total: number;

  @ApiOptionalField(
    'True when the last sync could not read an amount of the asset. The amounts are then those of the last sync that ' +
      'could. Absent otherwise.',
    { example: true },
  )
  isPartial?: boolean;
}

/** Holdings of one asset as decimal strings. */
export class ExactAssetBalanceResponse {
  @ApiField('`free` as a decimal string.', { example: '1.25' })
  free: string;

  @ApiField('`used` as a decimal string.', { example: '0.25' })
  used: string;

  @ApiField('`total` as a decimal string.', { example: '1.5' })
  total: string;
}

export class ExactWalletResponse {
  @ApiField('`balances` as decimal strings, by asset symbol.', {
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(ExactAssetBalanceResponse) },
    example: { BTC: { free: '1.25', used: '0.25', total: '1.5' } },
  })
  balances: Record<string, ExactAssetBalanceResponse>;
}

export class SyncProgressResponse {
  @ApiField('`reading` until the history has been read back to the beginning of the account, then `complete`.', {
    enum: ['reading', 'complete'],
  })
  state: SyncProgress['state'];

  @ApiField('Deposits and withdrawals read so far.', { type: 'integer', example: 4200 })
  records: number;

  @ApiTimeOrNull('Time of the oldest record read so far. ISO 8601, UTC; null = none yet.')
  reachedAt: string | null;

  @ApiTimeOrNull(
    'All deposits and withdrawals after this time have been read. ISO 8601, UTC; null = none yet. Older ones may be missing while `state` is `reading`.',
  )
  completeSince: string | null;

  @ApiTimeOrNull(
    'The latest moment of which the exchange may have more records than it lists, so that some may be missing for ever. ISO 8601, UTC; null = there is none.',
  )
  unlistedAt: string | null;

  @ApiField(
    'How much of the period since the launch of the exchange has been read, from 0 to 1. It becomes 1 when the beginning of the account has been reached.',
    { minimum: 0, maximum: 1, example: 0.42 },
  )
  fraction: number;
}

@ApiExtraModels(AssetBalanceResponse, ExactAssetBalanceResponse)
export class WalletResponse {
  @ApiField('The caller’s own id of the wallet; the same as `walletId`.', { example: 'customer-4711' })
  id: string;

  @ApiField('The caller’s own id of the wallet, unique in the project.', { example: 'customer-4711' })
  walletId: string;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('The project that connected the wallet.', { format: 'uuid' })
  projectId: string;

  @ApiField('True when the exchange itself has answered that the stored credentials are invalid.')
  invalidApi: boolean;

  @ApiField('When the wallet was connected. ISO 8601, UTC.', { format: 'date-time' })
  createdAt: string;

  @ApiField('Last change of the credentials or of `invalidApi`; a sync does not change it. ISO 8601, UTC.', {
    format: 'date-time',
  })
  updatedAt: string;

  @ApiTimeOrNull(
    'When the stored balances were requested from the exchange. ISO 8601, UTC. Connecting the wallet requests them for the first time; null only until the exchange has returned balances.',
  )
  lastSyncAt: string | null;

  @ApiField('Holdings as of `lastSyncAt`, by asset symbol; assets of which nothing is held are left out.', {
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(AssetBalanceResponse) },
    example: { BTC: { free: 1.25, used: 0.25, total: 1.5 } },
  })
  balances: Record<string, AssetBalanceResponse>;

  @ApiUnread()
  unread?: UnreadAccountResponse[];

  @ApiField('Addresses from which this service calls exchanges, for the allow-list of the API key.', {
    type: [String],
    example: ['203.0.113.10'],
  })
  ipPool: string[];

  @ApiField(
    'Progress of the first reading of the history, from the newest record to the beginning of the account; null = it has not begun.',
    { type: SyncProgressResponse, nullable: true },
  )
  syncProgress: SyncProgressResponse | null;

  @ApiField('The holdings as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactWalletResponse,
  })
  exact: ExactWalletResponse;
}

/** @param ipPool egress addresses of this installation. */
export function toWalletResponse({ wallet, balances, unread }: WalletWithBalances, ipPool: string[]): WalletResponse {
  const held = balances.filter(isHeld);
  return {
    ...describeWallet(wallet),
    balances: Object.fromEntries(held.map(toBalanceEntry)),
    unread: shownUnread(unread),
    ipPool,
    syncProgress: wallet.syncProgress && toProgress(wallet.syncProgress),
    exact: { balances: Object.fromEntries(held.map(toExactEntry)) },
  };
}

/** Whether the owner has some of the asset, or may have some. The owner may also only owe it. */
export const isHeld = ({ total, isPartial }: Pick<AssetBalance, 'total' | 'isPartial'>): boolean =>
  !total.isZero() || isPartial === true;

/** Returns the members in a fixed order, because PostgreSQL does not keep the order of the members of a jsonb value. */
function toProgress({ state, records, fraction, ...times }: SyncProgress): SyncProgressResponse {
  const { reachedAt, completeSince, unlistedAt } = times;
  return { state, records, reachedAt, completeSince, unlistedAt, fraction };
}

/** Returns the fields that are the same in a response about one wallet and in an entry of a list of wallets. */
export function describeWallet(
  wallet: Wallet,
): Omit<WalletResponse, 'balances' | 'unread' | 'ipPool' | 'syncProgress' | 'exact'> {
  return {
    id: wallet.externalId,
    walletId: wallet.externalId,
    exchange: wallet.exchange,
    projectId: wallet.projectId,
    invalidApi: wallet.invalidApi,
    createdAt: wallet.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
    lastSyncAt: wallet.lastSyncAt?.toISOString() ?? null,
  };
}

function toBalanceEntry({ asset, free, used, total, isPartial }: AssetBalance): [string, AssetBalanceResponse] {
  const amounts = { free: free.toJsonNumber(), used: used.toJsonNumber(), total: total.toJsonNumber() };
  return [asset, { ...amounts, isPartial }];
}

function toExactEntry({ asset, free, used, total }: AssetBalance): [string, ExactAssetBalanceResponse] {
  return [asset, { free: free.toString(), used: used.toString(), total: total.toString() }];
}

export class DeleteWalletResponse {
  @ApiField('Always true: every other outcome is an error.', { example: true })
  success: boolean;

  @ApiField('Text for people.', { example: 'Wallet deleted' })
  message: string;
}

function ApiEpochSeconds(what: string): PropertyDecorator {
  const description = `${what}, as the exchange reports it. Epoch seconds; null = not reported.`;
  return ApiField(description, { type: 'integer', nullable: true, example: 1_790_000_000 });
}

export class PingWalletResponse {
  @ApiField('The caller’s own id of the wallet.', { example: 'customer-4711' })
  id: string;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('INVALID_API_CREDENTIALS only when the exchange has reported the credentials as invalid.', {
    enum: ['SUCCESS', 'INVALID_API_CREDENTIALS'],
  })
  status: 'SUCCESS' | 'INVALID_API_CREDENTIALS';

  @ApiField('Whether the exchange accepted the credentials.')
  success: boolean;

  @ApiEpochSeconds('When the API key expires')
  validUntil: number | null;

  @ApiField('Permissions of the API key, by the exchange’s own names. Empty when it does not report them.', {
    type: [String],
    example: ['read', 'withdraw'],
  })
  permissions: string[];

  @ApiField(
    'IP addresses from which the exchange accepts the API key. Empty when the exchange does not restrict or report them.',
    { type: [String], example: ['203.0.113.10'] },
  )
  ipAllowlist: string[];

  @ApiEpochSeconds('When the API key was last used')
  lastUsed: number | null;

  @ApiEpochSeconds('When the API key was made')
  createdTime: number | null;

  @ApiEpochSeconds('When the API key was last changed')
  modifiedTime: number | null;

  @ApiField(
    'Settings of the API key because of which withdrawals and orders are refused until the owner changes them at the ' +
      'exchange. `nonce_window`: the nonce window of the key is not 0, so the exchange could carry out a request twice. ' +
      'Empty when there are none, or when the exchange does not report such settings.',
    { type: [String], example: ['nonce_window'] },
  )
  unsafeSettings: string[];
}

/** @param keyInfo null = the exchange refused the credentials. */
export function toPingResponse(wallet: Wallet, keyInfo: KeyInfo | null): PingWalletResponse {
  const { permissions, ipAllowlist, validUntil, lastUsed, createdTime, modifiedTime, unsafeSettings } =
    keyInfo ?? UNREPORTED_KEY_INFO;
  return {
    id: wallet.externalId,
    exchange: wallet.exchange,
    status: keyInfo === null ? 'INVALID_API_CREDENTIALS' : 'SUCCESS',
    success: keyInfo !== null,
    validUntil,
    permissions,
    ipAllowlist,
    lastUsed,
    createdTime,
    modifiedTime,
    unsafeSettings: unsafeSettings ?? [],
  };
}
