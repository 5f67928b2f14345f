import { Injectable } from '@nestjs/common';
import { Exchanges, type ExchangeError, type KeyInfo } from '#exchange';
import { saysInvalid } from '../failures/exchange-failure.js';
import { WalletGrants, type GrantOpinion } from '../grants/wallet-grants.service.js';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';
import { RecordRefusal, type RecordedRefusal } from './record-refusal.js';
import { RecordValidCredentials } from './record-valid-credentials.js';
import { proofOf, type RefusalProof } from './refusal-rules.js';

/** The credentials were accepted by the second call. */
interface Accepted {
  isRefused: false;
  keyInfo: KeyInfo;
}

/** The credentials were refused by both calls. */
interface Refused {
  isRefused: true;
  proof: RefusalProof;
}

/** Finds out what it means that an exchange has refused credentials. One refusal alone proves nothing. */
@Injectable()
export class JudgeRefusal {
  constructor(
    private readonly exchanges: Exchanges,
    private readonly grants: WalletGrants,
    private readonly recordRefusal: RecordRefusal,
    private readonly recordValid: RecordValidCredentials,
  ) {}

  /**
   * Asks a second time and records the outcome: marks or deletes the wallet, or takes its mark back.
   * @param first the error of the refused call.
   * @throws ExchangeError when the second call proves nothing; the wallet stays as it is.
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
   * Asks about credentials of which nothing is known yet: once, and a second time when the exchange refuses them.
   * @returns also the target that was asked with, which has other tokens where those before were about to expire.
   * @throws ExchangeError when the answers prove nothing.
   */
  async ask(stored: WalletTarget): Promise<{ target: WalletTarget } & (Accepted | Refused)> {
    const target = await this.grants.fresh(stored, { deletedToo: false });
    try {
      const session = await this.exchanges.openFresh(target);
      return { target, isRefused: false, keyInfo: await session.keyInfo() };
    } catch (first) {
      if (!saysInvalid(first)) throw first;
      return { target, ...(await this.confirm(target, first)) };
    }
  }

  /**
   * Asks a second time: a signed call on a session of its own. The second opinion about an authorized account is its grant's
   * first: when the exchange renews the access token, the account is as valid as before; when it says that the grant is
   * over, that is the second refusal.
   * @throws ExchangeError when the answer proves nothing, or when there are other tokens now (`credentials_renewed`).
   */
  private async confirm(target: WalletTarget, first: ExchangeError): Promise<Accepted | Refused> {
    const opinion = await this.grants.judgeRefused(target);
    if (opinion === 'ended') return { isRefused: true, proof: 'revoked' };
    try {
      const session = await this.exchanges.openFresh(target);
      return { isRefused: false, keyInfo: await session.keyInfo() };
    } catch (second) {
      if (!saysInvalid(second)) throw second;
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
