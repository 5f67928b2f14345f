import { randomUUID } from 'node:crypto';
import type pg from 'pg';

const NAMES = [
  'organizationId',
  'projectId',
  'apiKeyId',
  'walletId',
  'quoteId',
  'withdrawalId',
  'attemptId',
  'transactionId',
  'orderId',
  'eventId',
  'sessionId',
  'recordId',
  'endpointId',
  'deliveryId',
] as const;

/** The ids of the rows of one tenant. */
export type TenantRows = Record<(typeof NAMES)[number], string>;

/** 32 random bytes, as a value of SQL. */
const HASH = `sha256(gen_random_uuid()::text::bytea)`;
const SEALED = sealedAs('v1');

function sealedAs(version: string): string {
  return `'{"id": "${version}", "sequence": 0, "fields": {"apiKey": {"keyId": "k"}}}'`;
}

/**
 * Inserts one row of a new tenant into every table with rows of tenants. The outcomes of its withdrawal and its order
 * are unknown, and both hold credentials.
 */
export async function insertTenant(owner: pg.Client): Promise<TenantRows> {
  const rows = Object.fromEntries(NAMES.map((name) => [name, randomUUID()])) as TenantRows;
  for (const statement of statementsOf(rows)) await owner.query(statement);
  return rows;
}

function statementsOf(rows: TenantRows): string[] {
  return [...accessOf(rows), ...walletOf(rows), ...moneyOf(rows), ...messagesOf(rows)];
}

function accessOf({ organizationId, projectId, apiKeyId }: TenantRows): string[] {
  return [
    `insert into organizations (id, name) values ('${organizationId}', 'o')`,
    `insert into projects (id, organization_id, name, mode) values ('${projectId}', '${organizationId}', 'p', 'live')`,
    `insert into api_keys (id, project_id, name, hint, hash, scopes, ip_allowlist, expires_at, revoked_at)
     values ('${apiKeyId}', '${projectId}', 'k', 'h', ${HASH}, '{read}', '{192.0.2.1}', now() + interval '1 day',
             now() + interval '1 day')`,
    `insert into idempotent_responses (project_id, key, fingerprint, owner, status, body, locked_until, created_at, expires_at)
     values ('${projectId}', 'key', ${HASH}, gen_random_uuid(), 200, '"{}"', now(), now(), now() + interval '1 day')`,
    `insert into audit_entries values ('${organizationId}', 1, '${projectId}', now(), 'a', 'b', 'c', '{}', ${HASH}, ${HASH})`,
    `insert into audit_chains values ('${organizationId}', 1, ${HASH})`,
    `insert into connect_projects (project_id, browser_connects, origins, return_urls, updated_at)
     values ('${projectId}', true, '{}', '{}', now())`,
  ];
}

function walletOf({ projectId, walletId, withdrawalId, orderId }: TenantRows): string[] {
  return [
    `insert into wallets (id, project_id, external_id, exchange) values ('${walletId}', '${projectId}', 'w', 'kraken')`,
    `insert into wallet_balances values ('${walletId}', 'BTC', 1, 0, 1, null)`,
    `insert into wallet_networks values ('${walletId}', '[]', 'd', 'v1', now())`,
    `insert into wallet_other_accounts values ('${walletId}', '[]', '[]', 'd', 'v1', now())`,
    `insert into wallet_credentials (wallet_id, sealed) values ('${walletId}', ${sealedAs('v0')})`,
    `insert into credential_holds values ('${walletId}', '${orderId}', 'v0', now())`,
    `insert into replaced_credentials values ('${walletId}', 'v0', ${sealedAs('v0')}, now(), now() + interval '1 day')`,
    `update wallet_credentials set sealed = ${SEALED} where wallet_id = '${walletId}'`,
    `insert into wallet_grants (wallet_id, revision, sealed, client_id, scopes, created_at, updated_at)
     values ('${walletId}', gen_random_uuid(), ${SEALED}, 'c', '{}', now(), now())`,
    `insert into credential_holds values ('${walletId}', '${withdrawalId}', 'v1', now())`,
    `insert into wallet_identities values ('${walletId}', ${SEALED}, now())`,
    `insert into credential_refusals values ('${walletId}', 'v1', null, null, 0, 0, false, now())`,
    `insert into transaction_syncs (wallet_id, kind, events_since, next_sync_at, updated_at)
     values ('${walletId}', 'deposit', now(), now(), now())`,
    `insert into deposit_addresses (wallet_id, asset, network, exchange_method_id, address, can_generate,
       credential_version, fetched_at) values ('${walletId}', 'BTC', 'bitcoin', 'm', 'bc1', false, 'v1', now())`,
    `insert into deposit_locks values ('${walletId}', 'BTC', 'bitcoin', gen_random_uuid(), now())`,
    `insert into epoch_checks (wallet_id, epoch, next_check_at) values ('${walletId}', current_database_epoch(), now())`,
  ];
}

function moneyOf(rows: TenantRows): string[] {
  const { projectId, walletId, quoteId, withdrawalId, attemptId, transactionId, orderId, recordId } = rows;
  return [
    `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, type, status, asset, amount, occurred_at)
     values ('${transactionId}', '${projectId}', '${walletId}', 'w', 'kraken', 'withdrawal', 'pending', 'BTC', 1, now())`,
    `insert into quotes (id, project_id, wallet_id, credential_version, exchange, asset, network, address, include_fee,
       amount_no_fee, fee, amount_with_fee, fee_details, requirements, created_at, expires_at)
     values ('${quoteId}', '${projectId}', '${walletId}', 'v1', 'kraken', 'BTC', 'bitcoin', 'bc1', false, 1, 0, 1, '{}', '{}',
       now(), now() + interval '1 minute')`,
    `insert into closed_quotes values ('${quoteId}', now())`,
    `insert into withdrawal_challenges (quote_id, project_id, wallet_id, biz_no, mode, relation, steps, attempts, created_at,
       updated_at) values ('${quoteId}', '${projectId}', '${walletId}', 'b', 'step_by_step', 'AND', '[]', '[]', now(), now())`,
    `insert into withdrawals (id, quote_id, project_id, mode, wallet_id, transaction_id, credential_version, exchange, asset,
       network, address, amount_no_fee, fee, amount_with_fee, client_ref, state, created_at, updated_at, state_changed_at,
       next_check_at)
     values ('${withdrawalId}', '${quoteId}', '${projectId}', 'live', '${walletId}', '${transactionId}', 'v1', 'kraken', 'BTC',
       'bitcoin', 'bc1', 1, 0, 1, 'ref', 'unknown', now(), now(), now(), now())`,
    `insert into withdrawal_attempts (id, withdrawal_id, wallet_id, credential_version, connector, connector_version, class,
       debit_key, receipt_key, total_before, free_before, known_ids, request, started_at, lease_until, outcome)
     values ('${attemptId}', '${withdrawalId}', '${walletId}', 'v1', 'kraken', '1', 'by_match', '${attemptId}', '${attemptId}',
       1, 1, '{}', '{}', now(), now(), 'unknown')`,
    `insert into orders (id, project_id, wallet_id, external_wallet_id, exchange, connector_version, credential_version,
       route_id, base_asset, quote_asset, side, type, volume, asked, client_order_id, request, state, lease_until, status,
       raw_status, description, order_text, created_at, updated_at, next_check_at)
     values ('${orderId}', '${projectId}', '${walletId}', 'w', 'kraken', '1', 'v0', 'BTC-EUR', 'BTC', 'EUR', 'buy', 'market', 1,
       '{}', 'c', '{}', 'unknown', now(), 'unknown', 'unknown', '{}', '', now(), now(), now())`,
    `insert into unmatched_records (id, project_id, wallet_id, external_wallet_id, exchange, exchange_id, asset, amount_no_fee,
       status, occurred_at, found_at)
     values ('${recordId}', '${projectId}', '${walletId}', 'w', 'kraken', 'X', 'BTC', 1, 'ok', now(), now())`,
  ];
}

function messagesOf(rows: TenantRows): string[] {
  const { organizationId, projectId, apiKeyId, eventId, sessionId, endpointId, deliveryId } = rows;
  return [
    `insert into events (id, project_id, type, subject, data, created_at, dispatched_at, wallet_sequence)
     values ('${eventId}', '${projectId}', 'wallet.created', 'w', '{}', now(), now(), 1)`,
    `insert into wallet_event_counters values ('${projectId}', 'w', 1)`,
    `insert into topic_messages (id, organization_id, project_id, topic, body, created_at)
     values (gen_random_uuid(), '${organizationId}', '${projectId}', 't', '{}', now())`,
    `insert into webhook_endpoints (id, project_id, url, description, event_types, created_at, updated_at)
     values ('${endpointId}', '${projectId}', 'https://a.example', '', '{}', now(), now())`,
    `insert into webhook_secrets values (gen_random_uuid(), '${endpointId}', ${SEALED}, now())`,
    `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, state, created_at, updated_at)
     values ('${deliveryId}', '${endpointId}', '${eventId}', 'wallet.created', 'delivered', now(), now())`,
    `insert into webhook_attempts (delivery_id, number, url, started_at) values ('${deliveryId}', 1, 'https://a.example', now())`,
    `insert into connect_sessions (id, organization_id, project_id, idem, external_wallet_id, picks_exchange, may_replace,
       api_key_id, access, token_hash, state, expires_at, created_at, updated_at)
     values ('${sessionId}', '${organizationId}', '${projectId}', '${sessionId}', 'w', true, true, '${apiKeyId}', '{}', ${HASH},
       'created', now(), now(), now())`,
  ];
}
