import { Injectable } from '@nestjs/common';
import { Exchanges, type ExchangeError, type KeyInfo } from '#exchange';
import { isInvalidCredentials } from '../failures/exchange-failure.js';
import { WalletGrants, type GrantOpinion } from '../grants/wallet-grants.service.js';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { RecordRefusal, type RecordedRefusal } from './record-refusal.js';
import { RecordValidCredentials } from './record-valid-credentials.js';
import { proofOf, type RefusalProof } from './refusal-rules.js';

/** The exchange accepted the first or the second call. */
interface Accepted {
  isRefused: false;
  keyInfo: KeyInfo;
}

/** The exchange refused both calls. */
interface Refused {
  isRefused: true;
  proof: RefusalProof;
}

/** Decides whether refused credentials are invalid, by a second call. One refusal alone proves nothing. */
@Injectable()
export class JudgeRefusal {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly grants: WalletGrants,
    private readonly recordRefusal: RecordRefusal,
    private readonly recordValid: RecordValidCredentials,
  ) {}

  /**
   * Makes a second call and records the outcome: flags or deletes the wallet, or clears its flag.
   * @param first the error of the refused call.
   * @throws ExchangeError when the second call proves nothing; then nothing is recorded.
   */
  async execute(
    target: WalletTarget,
    first: ExchangeError,
    options: { autoDelete: boolean },
  ): Promise<Accepted | ({ isRefused: true } & RecordedRefusal)> {
    const second = await this.confirm(target, first);
    if (second.isRefused) {
      return { isRefused: true, ...(await this.recordRefusal.execute(target, second.proof, options)) };
    }
    if (target.seen.invalidApi) await this.recordValid.execute(target);
    return second;
  }

  /**
   * Tests the credentials by one call, and by a second one when the exchange refuses them.
   * @returns also the target that the calls used. It has renewed tokens if the stored ones were about to expire.
   * @throws ExchangeError when the calls prove nothing.
   */
  async ask(stored: WalletTarget): Promise<{ target: WalletTarget } & (Accepted | Refused)> {
    const target = await this.grants.fresh(stored, { deletedToo: false });
    try {
      const session = await this.exchanges.openFresh(target);
      return { target, isRefused: false, keyInfo: await session.keyInfo() };
    } catch (first) {
      if (!isInvalidCredentials(first)) throw first;
      return { target, ...(await this.confirm(target, first)) };
    }
  }

  /**
   * Makes a second, signed call in a new session. When the wallet has a grant, its token is renewed first: a renewed
   * token shows that the account is valid, and an ended grant counts as the second refusal.
   * @throws ExchangeError when the call proves nothing, and also when the refused token has been renewed (reason
   *   `credentials_renewed`).
   */
  private async confirm(target: WalletTarget, first: ExchangeError): Promise<Accepted | Refused> {
    const opinion = await this.grants.judgeRefused(target);
    if (opinion === 'ended') return { isRefused: true, proof: 'revoked' };
    try {
      const session = await this.exchanges.openFresh(target);
      return { isRefused: false, keyInfo: await session.keyInfo() };
    } catch (second) {
      if (!isInvalidCredentials(second)) throw second;
      return { isRefused: true, proof: strengthOf(opinion, proofOf(first, second)) };
    }
  }
}

function strengthOf(opinion: Exclude<GrantOpinion, 'ended'>, proof: RefusalProof): RefusalProof {
  switch (opinion) {
    case 'ended_earlier':
      return proof === 'doubtful' ? 'doubtful' : 'revoked';
    case 'doubtful':
      return 'doubtful';
    case 'none':
      return proof;
  }
}
