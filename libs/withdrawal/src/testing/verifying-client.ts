import { Secret } from '#platform/crypto';
import type { ExecuteInput, ExecutionAnswer } from '../execution/execute-quote.js';
import type { Quote } from '../quote/quote.entity.js';
import type { VerificationReport } from '../verification/verification-report.js';
import type { WithdrawalHarness } from './withdrawal-harness.js';

/** The error of a refused execution. */
export interface Told {
  code: string;
  details?: { result?: Partial<VerificationReport> & Record<string, unknown> };
}

type Codes = Partial<Record<'twofa' | 'emailCode' | 'smsCode', string>>;

/** Executes quotes like a client that asks a person for codes. */
export class VerifyingClient {
  constructor(private readonly harness: () => WithdrawalHarness) {}

  execute(quote: Quote, codes: Codes = {}, input: Partial<ExecuteInput> = {}): Promise<ExecutionAnswer> {
    const secrets = Object.entries(codes).map(([field, code]) => [field, new Secret(code)]);
    return this.harness().execute(quote, { codes: Object.fromEntries(secrets) as ExecuteInput['codes'], ...input });
  }

  async told(quote: Quote, codes: Codes = {}, input: Partial<ExecuteInput> = {}): Promise<Told> {
    const answer = await this.execute(quote, codes, input).catch((error: unknown) => error as Told);
    if (!('code' in answer)) throw new Error(`the quote was executed: ${JSON.stringify(answer)}`);
    return answer;
  }
}

export function bizNoOf(answer: Told): string {
  const bizNo = answer.details?.result?.bizNo;
  if (bizNo === undefined) throw new Error('no bizNo');
  return bizNo;
}
