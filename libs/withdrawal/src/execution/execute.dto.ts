import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import type { VerificationCodes } from '#exchange';
import { Secret } from '#platform/crypto';
import { ApiField, ApiOptionalField } from '#platform/http';
import type { ExecutionAnswer } from './execute-quote.js';
import { TAG_MESSAGE, TAG_PATTERN } from '../quote/quote.dto.js';

/**
 * A code may be a passphrase with spaces and signs. An empty string and null count as not sent, because clients send
 * them for empty fields.
 */
const CODE = /^[\x20-\x7e]{0,128}$/;
const CODE_RULE = { message: '$property must be text of at most 128 printable ASCII characters' };

/** `ExactExecutionGuard` refuses everything else under `params`. */
export class ExecuteParams {
  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;
}

export class ExecuteRequest {
  @ApiOptionalField(
    'Authenticator (TOTP) code, or the code of a hardware key or the passphrase, where the exchange asks for it.',
    { type: 'string', nullable: true, example: '123456' },
  )
  @IsOptional()
  @Matches(CODE, CODE_RULE)
  @IsString()
  twofa?: string | null;

  @ApiOptionalField('Code that the exchange sent by email.', { type: 'string', nullable: true, example: '482913' })
  @IsOptional()
  @Matches(CODE, CODE_RULE)
  @IsString()
  emailCode?: string | null;

  @ApiOptionalField('Code that the exchange sent by SMS.', { type: 'string', nullable: true, example: '482913' })
  @IsOptional()
  @Matches(CODE, CODE_RULE)
  @IsString()
  smsCode?: string | null;

  @ApiOptionalField('The `bizNo` of the verification report.', { type: 'string', nullable: true, maxLength: 128 })
  @IsOptional()
  @MaxLength(128)
  @IsString()
  bizNo?: string | null;

  @ApiOptionalField(
    'Address tag or memo, when the quote was requested without `tag`. A tag that differs from the tag of the quote is refused. `tag` is required here when the wallet has used a tag with this address since the quote was requested; send null for an address without a tag.',
    { type: 'string', nullable: true, pattern: TAG_PATTERN.source },
  )
  @IsOptional()
  @Matches(TAG_PATTERN, { message: TAG_MESSAGE })
  @IsString()
  tag?: string | null;

  @ApiOptionalField('Options of the execution. Unknown members are refused.', {
    type: 'object',
    properties: {
      dryRun: {
        description:
          'true: runs every check and moves no money. The response is WITHDRAWAL_DRY_RUN_COMPLETE when nothing is known to be missing; `error` then names what the exchange checks only in an execution. Default: false.',
        type: 'boolean',
      },
    },
    additionalProperties: false,
  })
  @IsOptional()
  @ValidateNested()
  @Type(() => ExecuteParams)
  params?: ExecuteParams;
}

export class ExecutionResult {
  @ApiField('Our withdrawal id (UUIDv7).')
  id: string;

  @ApiField('Our transaction id. `GET /v0/wallet/transaction/{transactionId}` returns the transaction at once.')
  transactionId: string;

  @ApiField('Always `pending`. Follow the transaction, which ends as `ok`, `failed` or `canceled`.', {
    enum: ['pending'],
    example: 'pending',
  })
  status: 'pending';
}

export class ExecutionResponse {
  @ApiField(
    'true: the exchange has accepted the withdrawal, or may have. An unknown outcome gives the same response and is settled later.',
    { example: true },
  )
  success: boolean;

  @ApiField('The same at every repeat of this call.', { type: () => ExecutionResult })
  result: ExecutionResult;
}

export function toCodes({ twofa, emailCode, smsCode }: ExecuteRequest): VerificationCodes {
  const secret = (code: string | null | undefined): Secret | undefined => (code ? new Secret(code) : undefined);
  return { twofa: secret(twofa), emailCode: secret(emailCode), smsCode: secret(smsCode) };
}

export function toExecutionResponse({ id, transactionId }: ExecutionAnswer): ExecutionResponse {
  return { success: true, result: { id, transactionId, status: 'pending' } };
}
