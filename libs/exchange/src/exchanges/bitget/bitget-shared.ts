import { NetworkList } from '../../capabilities/network-list.js';
import { periodParams } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { chainsOf, readNetwork } from './bitget-responses.js';

/** This file has the code that both of Bitget's APIs share: v2 for classic accounts and v3 for unified accounts. */

/**
 * The public list of coins of the API v2. Bitget's page uta/account/deposit/Get-Deposit-Address takes the names of
 * chains from such a list ("Get Currency Information API"), and v3 has no list of its own.
 */
const COINS: Endpoint = { method: 'GET', path: '/api/v2/spot/public/coins', isPublic: true };
export const networksOf = (client: ExchangeClient): NetworkList => NetworkList.of(client, COINS, chainsOf, readNetwork);

/**
 * Bitget's page spot/trade/Get-History-Orders: "It only supports to get the data within 90days". Page
 * uta/trade/Get-Order-History: "Query historical orders within the last 90 days".
 */
export const FORGOTTEN_AFTER_MS = 90 * 86_400_000;

/** Bitget, "Signature": "the request will be considered expired" when its timestamp differs by more than 30 seconds. */
export const SIGNED_FOR_MS = 30_000;

/** Finds the records of withdrawals by parameters that both APIs have: `orderId` and `clientOid`. */
export type WithdrawalSearch = (params: Record<string, string>, notBefore: Date) => Promise<readonly unknown[]>;

/** The documentation does not say whether a period contains its ends, so we add a millisecond at both ends. */
export const inWiderPeriod = periodParams('startTime', 'endTime', 1);

/**
 * Begins the cursors of v3 within a period. An account can change its kind between two pages, and the documentation
 * does not say that an id of one API is a valid cursor of the other. Such a cursor is ignored, and the period is read
 * anew.
 */
const OF_V3 = 'v3:';
export const toV3Cursor = (id: string): string => OF_V3 + id;
export const v3CursorIn = (cursor: string | null): string | null =>
  cursor?.startsWith(OF_V3) === true ? cursor.slice(OF_V3.length) : null;
export const v2CursorIn = (cursor: string | null): string | null =>
  cursor?.startsWith(OF_V3) === true ? null : cursor;

/** Turns a refusal of older data into an empty page: "Can only check the data of the last three months". */
export function noneIfForgotten(error: unknown): { entries: never[]; nextCursor: null } {
  if (error instanceof ExchangeError && error.reason === 'forgotten') return { entries: [], nextCursor: null };
  throw error;
}
