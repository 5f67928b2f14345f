import { unreadReasons, type UnreadAccount, type UnreadReason } from '#exchange';
import { ApiField, ApiOptionalField } from '#platform/http';

/** An account at the exchange whose amounts are missing, or older than `lastSyncAt`. */
export class UnreadAccountResponse {
  @ApiField('Name of the account, as the exchange writes it.', { example: 'margin' })
  account: string;

  @ApiField(
    'Why the account could not be read. `not_served`: the API of the exchange does not show it to this key, or this ' +
      'service does not read it; `permission_missing`: the key lacks the permission, or is used from an address that ' +
      'is not allowed; `refused`: the exchange refused to show it for another reason; `unavailable`: there was no ' +
      'usable response, and the next syncs try again.',
    { enum: unreadReasons, example: 'not_served' },
  )
  reason: UnreadReason;
}

/** Declares the field `unread` of a response. */
export const ApiUnread = (): PropertyDecorator =>
  ApiOptionalField(
    'Accounts of the same owner at the exchange that could not be read, or not wholly; absent when all were read. Their ' +
      'amounts are those of the last sync that could read them, or are missing. No withdrawal is paid from them.',
    { type: () => [UnreadAccountResponse] },
  );

/** Returns the accounts as they are shown; undefined = all were read. */
export function shownUnread(unread: readonly UnreadAccount[]): UnreadAccountResponse[] | undefined {
  return unread.length === 0 ? undefined : unread.map(({ account, reason }) => ({ account, reason }));
}
