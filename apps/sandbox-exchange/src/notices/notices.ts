import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Exchange } from '../exchange.js';
import type { Change } from '../ledger/records.js';

/** The address to which the notices go, and the secret that signs them. */
export interface NoticeTarget {
  /** Address of `POST /v0/webhooks/sandbox` of Causeway's API. */
  url: string;
  /** `whsec_…` of Standard Webhooks. */
  secret: string;
}

/**
 * Pauses after failed attempts. When the attempt after the last pause fails, the notice is lost, as at a real exchange.
 */
const PAUSES_MS = [500, 2_000, 10_000];
const TIMEOUT_MS = 5_000;
/** Maximum number of notices that are being sent at once. Further notices are lost. */
const UNDER_WAY_MAX = 1_000;
/**
 * A notice names the account by the digests of its API keys and access tokens. This is the maximum number of access
 * tokens of one grant; clients use only the newest ones.
 */
const KEYS_OF_GRANT_MAX = 5;
/** Maximum number of digests in a notice. */
const KEYS_MAX = 100;

/** Sends a webhook for each change of a deposit or a withdrawal, signed as Standard Webhooks demand. */
export class Notices {
  private readonly stop = new AbortController();
  private underWay = 0;

  constructor(
    private readonly target: NoticeTarget,
    private readonly exchange: Exchange,
    private readonly now: () => Date,
  ) {}

  /** Must be called after each change of the exchange's state. Returns at once. */
  observe({ deposit, withdrawal }: Change): void {
    if (deposit !== undefined) this.send('deposit.updated', deposit);
    if (withdrawal !== undefined) this.send('withdrawal.updated', withdrawal);
  }

  close(): void {
    this.stop.abort();
  }

  private send(type: string, { accountId, refid }: { accountId: string; refid: string }): void {
    if (this.underWay >= UNDER_WAY_MAX || this.stop.signal.aborted) return;
    const data = { id: refid, keys: this.keysOf(accountId) };
    const body = JSON.stringify({ type, timestamp: this.now().toISOString(), data });
    this.underWay += 1;
    void this.deliver(randomUUID(), body).finally(() => (this.underWay -= 1));
  }

  /** Sends one notice. Every attempt has the same id. */
  private async deliver(id: string, body: string): Promise<void> {
    for (const pauseMs of [...PAUSES_MS, null]) {
      if ((await this.attempt(id, body)) || pauseMs === null) return;
      await pause(pauseMs, undefined, { signal: this.stop.signal }).catch(() => undefined);
      if (this.stop.signal.aborted) return;
    }
  }

  private async attempt(id: string, body: string): Promise<boolean> {
    const at = this.now();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(this.target.secret).sign(id, at, body),
    };
    try {
      const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(this.target.url, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  /** The SHA-256 digests of the account's keys and tokens, by which the receiver finds the account's wallets. */
  private keysOf(accountId: string): string[] {
    const { keys, tokens, oauth } = this.exchange;
    const ofAccount = (owner: { accountId: string }): boolean => owner.accountId === accountId;
    const grants = [...oauth.grants.values()].filter(ofAccount);
    const secrets = [
      ...[...keys.values()].filter(ofAccount).map(({ apiKey }) => apiKey),
      ...[...tokens.values()].filter(ofAccount).map(({ token }) => token),
      ...[...oauth.coinbaseKeys.values()].filter(ofAccount).map(({ apiKey }) => apiKey),
      ...grants.flatMap(({ id }) => [...(oauth.accessTokensOf.get(id) ?? [])].slice(-KEYS_OF_GRANT_MAX)),
    ];
    return secrets.slice(-KEYS_MAX).map((secret) => createHash('sha256').update(secret).digest('hex'));
  }
}
