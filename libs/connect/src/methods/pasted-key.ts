import { Injectable } from '@nestjs/common';
import { Exchanges, type CredentialField } from '#exchange';
import { Secret } from '#platform/crypto';
import { ValidationFailed } from '#platform/errors';
import { ConnectWallet } from '#wallet';
import { ConnectAccount, type Obtained } from './connect-account.js';
import type { KeyWarning } from '../session/connect-view.js';
import { StepOutOfTurn } from '../session/connect.errors.js';
import { unfitOf } from './key-fit.js';
import { requireOpen, SessionLife } from '../session/session-lifecycle.js';
import { SessionStore, type ConnectSession } from '../session/session-store.js';

export type PastedKey = Partial<Record<CredentialField, Secret>>;

/** What is kept of a key that waits for a word, sealed. */
export interface WaitingKey {
  apiKey: string;
  /** What else belongs to it. */
  others: Partial<Record<CredentialField, string>>;
  warning: KeyWarning;
}

/** An account is connected by a key that its owner made and pasted. */
@Injectable()
export class SubmitKey {
  constructor(
    private readonly life: SessionLife,
    private readonly store: SessionStore,
    private readonly exchanges: Exchanges,
    private readonly connectWallet: ConnectWallet,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /**
   * A key that can do more or less than is wanted waits for `ConfirmKey` or `DiscardKey`, sealed.
   * @throws NotFound, InvalidState, StepOutOfTurn
   */
  async execute(token: string, browser: string | null, pasted: PastedKey): Promise<void> {
    const session = await this.life.enter(token, browser);
    requireOpen(session);
    await this.connectAccount.execute(session, 'key', (claimed) => this.judge(claimed, pasted));
  }

  private async judge(claimed: ConnectSession, pasted: PastedKey): Promise<Obtained | null> {
    const { project, exchange, access } = claimed;
    const { permissions } = await this.connectWallet.inspect(project, { exchange, credentials: pasted });
    const { apiKey } = pasted;
    if (apiKey === undefined) throw new ValidationFailed([{ field: 'apiKey', message: 'apiKey is required' }]);
    const spec = this.exchanges.find(exchange);
    const warning = spec === null ? null : unfitOf(spec, permissions, access);
    if (warning === null) return { credentials: { ...pasted, apiKey } };
    const others = Object.fromEntries(Object.entries(pasted).map(([field, secret]) => [field, secret.reveal()]));
    const waiting: WaitingKey = { apiKey: apiKey.reveal(), others, warning };
    await this.life.step(claimed, { state: 'confirming', sealed: this.store.seal(claimed, waiting) });
    return null;
  }
}

/** The person wants the key to be used as it is. */
@Injectable()
export class ConfirmKey {
  constructor(
    private readonly life: SessionLife,
    private readonly store: SessionStore,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /** @throws NotFound, InvalidState, StepOutOfTurn */
  async execute(token: string, browser: string | null): Promise<void> {
    const session = await enterConfirming(this.life, token, browser);
    const { apiKey, others } = this.store.unseal<WaitingKey>(session);
    const secrets = Object.entries(others).map(([field, text]) => [field, new Secret(text)] as const);
    const credentials = { ...Object.fromEntries(secrets), apiKey: new Secret(apiKey) };
    await this.connectAccount.execute(session, 'key', () => Promise.resolve({ credentials }));
  }
}

/** The person thinks again: the key is forgotten, and another one can be pasted. */
@Injectable()
export class DiscardKey {
  constructor(private readonly life: SessionLife) {}

  /** @throws NotFound, InvalidState, StepOutOfTurn */
  async execute(token: string, browser: string | null): Promise<void> {
    await this.life.step(await enterConfirming(this.life, token, browser), { state: 'opened' });
  }
}

async function enterConfirming(life: SessionLife, token: string, browser: string | null): Promise<ConnectSession> {
  const session = await life.enter(token, browser);
  if (session.state !== 'confirming') throw new StepOutOfTurn();
  return session;
}
