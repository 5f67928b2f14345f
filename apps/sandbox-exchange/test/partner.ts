import { totpCode, totpStep } from '../src/totp.js';
import type { TestSandbox } from './sandbox.js';

export interface PartnerAccount {
  accountId: string;
  token: string;
  totpSecret: string | null;
  addresses: Record<string, Record<string, string>>;
}

export interface PartnerResponse<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  headers: Headers;
}

export interface Step {
  method: string;
  status: string;
  required: boolean;
}

export interface ShownChallenge {
  id: string;
  reference: string;
  mode: string;
  relation: string;
  steps: Step[];
  expiresAt: number;
  lockedAt: number | null;
}

/** The response to a withdrawal: `withdrawal`, with `duplicate` when the request was a repeat, or `error`. */
export interface WithdrawalResponse {
  withdrawal?: { id: string; reference: string; status: string; txHash: string | null; amount: string; fee: string };
  duplicate?: boolean;
  error?: { code: string; message: string; method?: string; challenge?: ShownChallenge; [extra: string]: unknown };
}

/** Returns six digits that are no valid authenticator code in the time steps (30 seconds each) around `now`. */
export function wrongTotp(secret: string, now: Date): string {
  const candidates = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(6));
  return candidates.find((code) => totpStep(secret, code, now) === null) ?? '';
}

export class PartnerClient {
  constructor(
    private readonly sandbox: TestSandbox,
    readonly account: PartnerAccount,
  ) {}

  /** Opens an account with the control API. */
  static async open(sandbox: TestSandbox, input: Record<string, unknown> = {}): Promise<PartnerClient> {
    const { status, body } = await sandbox.control('POST', 'partner/accounts', {
      balances: { BTC: '5', ETH: '10', USDC: '100000', XRP: '1000' },
      ...input,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return new PartnerClient(sandbox, body as PartnerAccount);
  }

  async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token: string | null = this.account.token,
  ): Promise<PartnerResponse<Body>> {
    const response = await fetch(`${this.sandbox.url}/partner/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body, headers: response.headers };
  }

  /** Returns a client of the same account with another token. */
  as(token: string): PartnerClient {
    return new PartnerClient(this.sandbox, { ...this.account, token });
  }

  /** Confirms a face check, as the owner does in the exchange's app. */
  confirmFace(body: Record<string, unknown> = {}): Promise<{ status: number; body: unknown }> {
    return this.sandbox.control('POST', `accounts/${this.account.accountId}/face`, body);
  }

  get bitcoin(): string {
    return this.account.addresses['BTC']?.['bitcoin'] ?? '';
  }

  /** Returns the fields of a withdrawal of 0.01 BTC that state what is paid, and where. */
  order(change: Record<string, unknown> = {}): Record<string, unknown> {
    return { asset: 'BTC', network: 'bitcoin', address: this.bitcoin, amount: '0.01', ...change };
  }

  withdraw(change: Record<string, unknown> = {}): Promise<PartnerResponse<WithdrawalResponse>> {
    const validUntil = this.sandbox.clock.now.getTime() + 60_000;
    return this.call('POST', '/withdrawals', { reference: 'one', maxFee: '1', validUntil, ...this.order(change) });
  }

  async errorOf(change: Record<string, unknown> = {}): Promise<string | undefined> {
    return (await this.withdraw(change)).body.error?.code;
  }

  async challenge(change: Record<string, unknown> = {}): Promise<ShownChallenge> {
    const response = await this.call<{ challenge: ShownChallenge }>('POST', '/challenges', {
      reference: 'one',
      ...this.order(change),
    });
    if (response.status !== 200) throw new Error(JSON.stringify(response.body));
    return response.body.challenge;
  }

  verify(
    id: string,
    method: string,
    code: string,
  ): Promise<PartnerResponse<{ challenge: ShownChallenge; error?: { code: string } }>> {
    return this.call('POST', `/challenges/${id}/verify`, { method, code });
  }

  totp(atMs = this.sandbox.clock.now.getTime()): string {
    return totpCode(this.account.totpSecret ?? '', new Date(atMs));
  }

  wrongTotp(): string {
    return wrongTotp(this.account.totpSecret ?? '', this.sandbox.clock.now);
  }

  async messages(): Promise<{ kind: string; to: string; code: string; challengeId: string; at: number }[]> {
    const { body } = await this.sandbox.control('GET', `accounts/${this.account.accountId}/messages`);
    return (body as { messages: { kind: string; to: string; code: string; challengeId: string; at: number }[] })
      .messages;
  }

  /** The newest code that was sent by email or SMS. */
  async code(kind: 'email' | 'sms'): Promise<string> {
    return (await this.messages()).find((message) => message.kind === kind)?.code ?? '';
  }

  async balance(asset = 'BTC'): Promise<string | undefined> {
    const { body } = await this.call<{ balances: { asset: string; total: string }[] }>('GET', '/balances');
    return body.balances.find((one) => one.asset === asset)?.total;
  }

  async list(
    query = '',
  ): Promise<{ withdrawals: { id: string; reference: string; status: string }[]; nextCursor: string | null }> {
    return (await this.call<Awaited<ReturnType<PartnerClient['list']>>>('GET', `/withdrawals${query}`)).body;
  }

  /** The withdrawals in the ledger, whatever the responses were. */
  async booked(): Promise<{ refid: string; status: string; amount: string; txid: string | null }[]> {
    const { body } = await this.sandbox.control('GET', `ledger?token=${encodeURIComponent(this.account.token)}`);
    return (body as { withdrawals: { refid: string; status: string; amount: string; txid: string | null }[] })
      .withdrawals;
  }
}
