import { Injectable } from '@nestjs/common';
import { Exchanges, type CredentialField } from '#exchange';
import { Secret } from '#platform/crypto';
import { ValidationFailed } from '#platform/errors';
import { ConnectWallet } from '#wallet';
import { clientOf, ConnectAccount, type Obtained } from './connect-account.js';
import type { WaitingKey } from '../session/sealed-attempt.js';
import { SessionMoved } from '../session/connect.errors.js';
import { permissionMismatch } from './key-fit.js';
import { requireChosen, SessionLifecycle } from '../session/session-lifecycle.js';
import { SessionStore, type ChosenSession } from '../session/session-store.js';

/** The browser that sent a form of the page. */
export interface Visitor {
  /** The secret of the browser's cookie; null = it has none for this session. */
  browser: string | null;
  /** The network address of the browser. */
  address: string;
}

export type PastedKey = Partial<Record<CredentialField, Secret>>;

/** Connects an account with a key that its owner created and pasted. */
@Injectable()
export class SubmitKey {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly exchanges: Exchanges,
    private readonly connectWallet: ConnectWallet,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /**
   * Connects the account. When the permissions of the key do not match the wanted access, the sealed key waits for
   * `ConfirmKey` or `DiscardKey` instead.
   * @throws NotFound, InvalidState, SessionMoved
   */
  async execute(token: string, { browser, address }: Visitor, pasted: PastedKey): Promise<void> {
    const session = await this.lifecycle.enter(token, browser);
    requireChosen(session);
    await this.connectAccount.execute(session, 'key', (claimed) => this.judge(claimed, address, pasted));
  }

  private async judge(claimed: ChosenSession, address: string, pasted: PastedKey): Promise<Obtained | null> {
    const { project, exchange, access, externalWalletId } = claimed;
    const client = clientOf(claimed, address);
    const tested = { externalWalletId, exchange, credentials: pasted, client };
    const keyInfo = await this.connectWallet.inspect(project, tested);
    const { apiKey } = pasted;
    if (apiKey === undefined) throw new ValidationFailed([{ field: 'apiKey', message: 'apiKey is required' }]);
    const spec = this.exchanges.find(exchange);
    const warning = spec === null ? null : permissionMismatch(spec, keyInfo, access);
    if (warning === null) return { credentials: { ...pasted, apiKey }, client };
    const others = Object.fromEntries(Object.entries(pasted).map(([field, secret]) => [field, secret.reveal()]));
    const waiting: WaitingKey = { apiKey: apiKey.reveal(), others, warning };
    await this.lifecycle.step(claimed, { state: 'confirming', sealed: await this.store.seal(claimed, waiting) });
    return null;
  }
}

/** Connects the account after the person has confirmed a key whose permissions do not match the wanted access. */
@Injectable()
export class ConfirmKey {
  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly connectAccount: ConnectAccount,
  ) {}

  /** @throws NotFound, InvalidState, SessionMoved */
  async execute(token: string, { browser, address }: Visitor): Promise<void> {
    const session = await enterConfirming(this.lifecycle, token, browser);
    const { apiKey, others } = await this.store.unseal<WaitingKey>(session);
    const secrets = Object.entries(others).map(([field, text]) => [field, new Secret(text)] as const);
    const credentials = { ...Object.fromEntries(secrets), apiKey: new Secret(apiKey) };
    const client = clientOf(session, address);
    await this.connectAccount.execute(session, 'key', () => Promise.resolve({ credentials, client }));
  }
}

/** Deletes a key that the person has discarded. After that, another key can be pasted. */
@Injectable()
export class DiscardKey {
  constructor(private readonly lifecycle: SessionLifecycle) {}

  /** @throws NotFound, InvalidState, SessionMoved */
  async execute(token: string, browser: string | null): Promise<void> {
    await this.lifecycle.step(await enterConfirming(this.lifecycle, token, browser), { state: 'opened' });
  }
}

async function enterConfirming(
  lifecycle: SessionLifecycle,
  token: string,
  browser: string | null,
): Promise<ChosenSession> {
  const session = await lifecycle.enter(token, browser);
  requireChosen(session);
  if (session.state !== 'confirming') throw new SessionMoved();
  return session;
}
