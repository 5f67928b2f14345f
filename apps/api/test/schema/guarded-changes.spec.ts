import { guardsOfChanges } from '#platform/testing';

/**
 * What each statement that changes or deletes rows expects of them besides their keys, by file. `nothing`: the rows are
 * locked before, or the last writer is right. Another process may change a row at any time, so a statement that lacks
 * one of these conditions may overwrite what that process has recorded.
 */
const guards: Record<string, readonly string[]> = {
  'libs/access/audit/audit.ts': ['update audit_chains: nothing'],
  'libs/access/idempotency/idempotent-responses.ts': [
    'delete from idempotent_responses: owner',
    'update idempotent_responses: owner',
  ],
  'libs/access/keys/last-use.ts': ['update api_keys: last_used_at'],
  'libs/access/keys/revoke-api-key.ts': ['update api_keys: revoked_at'],
  'libs/access/keys/rotate-api-key.ts': ['update api_keys: expires_at, revoked_at'],
  'libs/access/stopping/delete-project.ts': ['update api_keys: revoked_at', 'update projects: deleted_at'],
  'libs/access/stopping/suspend-project.ts': [
    'update projects: deleted_at, suspended_at',
    'update projects: deleted_at, suspended_at',
  ],
  'libs/connect/projects/set-connect-project.ts': ['update connect_projects: nothing'],
  'libs/connect/session/session-store.ts': [
    'update connect_sessions: attempts, lease_until, sealed, state',
    'update connect_sessions: next_poll_at',
    'update connect_sessions: next_poll_at',
    'update connect_sessions: next_poll_at',
    'update connect_sessions: next_poll_at, state, not in stopped_projects',
  ],
  'libs/deposit/address-locks.ts': ['delete from deposit_locks: holder', 'update deposit_locks: holder'],
  'libs/exchange/nonces/database-nonces.ts': [
    'delete from exchange_nonces: last, owner',
    'update exchange_nonces: holder, owner',
  ],
  'libs/exchange/sharing/live-processes.ts': [
    'delete from exchange_callers: nothing',
    'delete from exchange_callers: seen_at',
  ],
  'libs/exchange/sharing/pause-store.ts': [
    'delete from exchange_pauses: endpoint, ends_at',
    'delete from exchange_pauses: ends_at',
  ],
  'libs/platform/database/database.ts': ['delete from topic_messages: nothing'],
  'libs/platform/events/event-outbox.ts': ['update events: nothing'],
  'libs/platform/events/topics.ts': ['delete from topic_messages: body', 'delete from topic_messages: body'],
  'libs/trading/orders/order-store.ts': ['update orders: next_check_at', 'update orders: state'],
  'libs/trading/orders/order-transitions.ts': ['update orders: state'],
  'libs/transaction/enrichment/enrichment-store.ts': [
    'update transactions: confirmed_at, hash, superseded_by',
    'update transactions: enrich_asked_at',
    'update transactions: hash',
    'update transactions: next_enrich_at, not in stopped_projects',
    'update transactions: nothing',
  ],
  'libs/transaction/history/transactions.service.ts': [
    'update transactions: fee_in_fiat',
    'update transactions: hash',
    'update transactions: nothing',
    'update transactions: origin, type',
    'update transactions: status',
    'update transactions: status',
    'update transactions: superseded_by',
  ],
  'libs/transaction/sync/make-history-due.ts': ['update transaction_syncs: nothing'],
  'libs/transaction/sync/sync-store.ts': [
    'delete from transaction_syncs: nothing',
    'update transaction_syncs: deleted_at, next_sync_at, not in stopped_wallets',
    'update transaction_syncs: step',
    'update transaction_syncs: step',
  ],
  'libs/transaction/sync/transaction-rows.ts': ['update transactions: nothing'],
  'libs/wallet/balances/balance-store.ts': [
    'delete from wallet_balances: elsewhere, free, is_partial, total, used, withdrawable',
    'update wallet_balances: elsewhere, free, is_partial, total, used, withdrawable',
    'update wallets: nothing',
  ],
  'libs/wallet/balances/make-balances-due.ts': ['update wallets: deleted_at, key_digest, mode, not invalid_api, text'],
  'libs/wallet/balances/sync-due-wallets.ts': ['update wallets: next_sync_at'],
  'libs/wallet/balances/sync-wallet.ts': [
    'update wallets: next_sync_at',
    'update wallets: next_sync_at, sync_failures',
  ],
  'libs/wallet/credentials/sealed-wallet-tables.ts': ['update wallet_credentials: sealed'],
  'libs/wallet/credentials/wallet-credentials.service.ts': [
    'delete from wallet_grants: nothing',
    'update wallet_credentials: nothing',
    'update wallets: deleted_at, next_sync_at, not in stopped_projects',
    'update wallets: last_sync_at',
    'update wallets: nothing',
  ],
  'libs/wallet/deleting/erase-kept-credentials.ts': [
    'delete from replaced_credentials: erase_after, version',
    'delete from wallet_credentials: nothing',
  ],
  'libs/wallet/deleting/erase-wallet.ts': [
    'delete from wallet_balances: nothing',
    'delete from wallet_credentials: nothing',
    'update wallet_credentials: version',
    'update wallets: nothing',
  ],
  'libs/wallet/grants/refresh-grant.ts': [
    'delete from wallet_grants: nothing',
    'update wallet_grants: ended_at, failures, held_until, revision, updated_at',
    'update wallet_grants: holder',
    'update wallet_grants: holder',
    'update wallet_grants: holder, revision',
    'update wallet_grants: nothing',
  ],
  'libs/wallet/grants/store-grant.ts': ['delete from wallet_grants: nothing'],
  'libs/wallet/grants/sweep-grants.ts': ['update wallet_grants: next_refresh_at, not in stopped_wallets'],
  'libs/wallet/refusals/credential-refusals.ts': [
    'delete from credential_refusals: version',
    'update credential_refusals: checks, version',
    'update credential_refusals: next_check_at, not in stopped_wallets',
    'update credential_refusals: refused_since, version',
  ],
  'libs/wallet/refusals/other-keys.ts': [
    'update wallets: deleted_at, mode, next_sync_at, not w, suspended_at, sync_failures',
  ],
  'libs/wallet/refusals/record-valid-credentials.ts': ['update wallets: deleted_at, ended_at, sealed, sync_failures'],
  'libs/wallet/wallets/invalid-api-flag.ts': [
    'update wallets: deleted_at',
    'update wallets: deleted_at, not invalid_api',
  ],
  'libs/wallet/wallets/wallets.service.ts': [
    'delete from credential_holds: holder',
    'delete from replaced_credentials: version',
    'delete from wallet_credentials: ended_at',
    'update wallet_credentials: nothing',
    'update wallets: deleted_at, not history_tracked',
    'update wallets: nothing',
  ],
  'libs/webhook/deliveries/delivery-store.ts': [
    'update webhook_attempts: nothing',
    'update webhook_deliveries: attempts, resends, state',
    'update webhook_deliveries: next_attempt_at, state',
    'update webhook_endpoints: disabled_at, leased_until, not in stopped_projects',
    'update webhook_endpoints: leased_by',
  ],
  'libs/webhook/deliveries/endpoint-health.ts': [
    'update webhook_endpoints: disabled_at',
    'update webhook_endpoints: failing_since, url',
    'update webhook_endpoints: url',
  ],
  'libs/webhook/deliveries/resend-webhooks.ts': [
    'update webhook_deliveries: resends',
    'update webhook_deliveries: resends, state',
  ],
  'libs/webhook/endpoints/delete-webhook-endpoint.ts': ['delete from webhook_endpoints: nothing'],
  'libs/webhook/endpoints/erase-deleted-projects.ts': ['delete from webhook_endpoints: deleted_at'],
  'libs/webhook/endpoints/update-webhook-endpoint.ts': ['update webhook_endpoints: nothing'],
  'libs/webhook/endpoints/webhook-secrets.ts': [
    'delete from webhook_secrets: expires_at',
    'update webhook_endpoints: nothing',
    'update webhook_secrets: nothing',
  ],
  'libs/webhook/received/received-notices.ts': [
    'update received_webhooks: next_attempt_at',
    'update received_webhooks: nothing',
  ],
  'libs/withdrawal/epoch/epoch-checks.ts': [
    'update epoch_checks: checked_at, deleted_at, next_check_at, not in stopped_wallets',
    'update epoch_checks: checked_at, epoch',
    'update epoch_checks: checked_at, epoch',
  ],
  'libs/withdrawal/epoch/restored-database.ts': ['update withdrawals: next_check_at, state'],
  'libs/withdrawal/operator/unmatched-records.ts': [
    'update unmatched_records: settled_at',
    'update unmatched_records: settled_at',
  ],
  'libs/withdrawal/quote/stored-networks.ts': ['update wallet_networks: credential_version, digest'],
  'libs/withdrawal/verification/challenge-store.ts': [
    'update withdrawal_challenges: expires_at, sealed_codes',
    'update withdrawal_challenges: nothing',
    'update withdrawal_challenges: nothing',
    'update withdrawal_challenges: working_until',
    'update withdrawal_challenges: working_until',
  ],
  'libs/withdrawal/withdrawals/execution-locks.ts': [
    'delete from execution_locks: holder',
    'delete from execution_locks: until',
  ],
  'libs/withdrawal/withdrawals/record-corrections.ts': ['update withdrawals: nothing'],
  'libs/withdrawal/withdrawals/withdrawal-store.ts': [
    'update withdrawal_attempts: outcome',
    'update withdrawals: next_check_at',
    'update withdrawals: nothing',
    'update withdrawals: nothing',
  ],
  'libs/withdrawal/withdrawals/withdrawal-transitions.ts': [
    'update withdrawal_attempts: outcome',
    'update withdrawal_attempts: outcome',
    'update withdrawals: state',
    'update withdrawals: state',
    'update withdrawals: state',
    'update withdrawals: state',
    'update withdrawals: state',
  ],
};

describe('a statement that changes or deletes rows', () => {
  it('expects of the rows what this test lists', () => {
    const listed = Object.entries(guards).flatMap(([file, changes]) => changes.map((change) => `${file}: ${change}`));
    expect(guardsOfChanges('libs').sort()).toEqual(listed.sort());
  });
});
