import type { Output } from '#client';
import type { TestApp, TestProjectWithClient, WalletClients } from './test-app.js';

export interface Verification {
  mode: 'none' | 'inline' | 'step_by_step' | 'all_at_once';
  methods: string[];
  relation: 'AND' | 'OR';
}

export interface PartnerAccount {
  accountId: string;
  token: string;
  totpSecret: string | null;
  /** Addresses by asset and by network of the partner API. */
  addresses: Record<string, Record<string, string>>;
}

export interface PartnerWallet extends WalletClients {
  account: PartnerAccount;
}

interface Message {
  kind: 'email' | 'sms';
  code: string;
}

/** Wallets at the partner API of the sandbox exchange, with the messages that the account owner receives. */
export class PartnerSandbox {
  private count = 0;

  constructor(
    private readonly app: TestApp,
    private readonly project: TestProjectWithClient,
  ) {}

  async wallet(verification: Verification): Promise<PartnerWallet> {
    const account = await this.control<PartnerAccount>('POST', 'partner/accounts', {
      balances: { BTC: '5' },
      verification,
    });
    const clients = this.app.clientsOf(this.project, `partner-${++this.count}`);
    await clients.causeway.connectWallet({ exchange: 'sandbox', apiKey: account.token });
    return { ...clients, account };
  }

  async quote({ account, causeway }: PartnerWallet, amount = '0.01'): Promise<Output<'createQuote'>> {
    const address = account.addresses['BTC']?.['bitcoin'] ?? '';
    return await causeway.createQuote({ asset: 'BTC', network: 'bitcoin', amount, address });
  }

  async messages({ account }: PartnerWallet): Promise<Message[]> {
    return (await this.control<{ messages: Message[] }>('GET', `accounts/${account.accountId}/messages`)).messages;
  }

  /** Returns the newest code that was sent. */
  async code(wallet: PartnerWallet, kind: Message['kind']): Promise<string> {
    const message = (await this.messages(wallet)).find((sent) => sent.kind === kind);
    if (message === undefined) throw new Error(`no ${kind} was sent`);
    return message.code;
  }

  async confirmFace({ account }: PartnerWallet): Promise<void> {
    await this.control('POST', `accounts/${account.accountId}/face`, {});
  }

  private async control<T>(method: string, path: string, body?: object): Promise<T> {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${this.app.sandbox.url}/control/${path}`, { method, ...init });
    if (!answer.ok) throw new Error(`sandbox: ${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
