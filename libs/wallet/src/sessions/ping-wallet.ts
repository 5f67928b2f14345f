import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import type { KeyInfo } from '#exchange';
import { toDomainError } from '../failures/exchange-failure.js';
import { JudgeRefusal } from '../refusals/judge-refusal.js';
import { RecordRefusal } from '../refusals/record-refusal.js';
import { RecordValidCredentials } from '../refusals/record-valid-credentials.js';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { Wallets } from '../wallets/wallets.service.js';

export interface PingedWallet {
  wallet: Wallet;
  /** null: the exchange has refused the credentials in two calls. */
  keyInfo: KeyInfo | null;
}

/** Tests the stored credentials of a wallet by live calls, and sets or clears `invalidApi` accordingly. */
@Injectable()
export class PingWallet {
  constructor(
    private readonly wallets: Wallets,
    private readonly credentials: WalletCredentials,
    private readonly judgeRefusal: JudgeRefusal,
    private readonly recordRefusal: RecordRefusal,
    private readonly recordValid: RecordValidCredentials,
  ) {}

  /**
   * Tests the credentials.
   * @throws WalletNotFound
   * @throws ProviderError when the calls prove nothing; then the flag stays as it was.
   */
  async execute(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<PingedWallet> {
    const wallet = await this.wallets.get(project, externalWalletId);
    const stored = await this.credentials.target(wallet.id, { deletedToo: false });
    const answer = await this.ask(stored);
    if (answer.isRefused) {
      await this.recordRefusal.execute(answer.target, answer.proof, { autoDelete: false });
      return { wallet, keyInfo: null };
    }
    await this.recordValid.execute(answer.target);
    return { wallet, keyInfo: answer.keyInfo };
  }

  private async ask(stored: WalletTarget): ReturnType<JudgeRefusal['ask']> {
    try {
      return await this.judgeRefusal.ask(stored);
    } catch (error) {
      throw toDomainError(error);
    }
  }
}
