import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { VerificationMethod, VerificationStep } from '#exchange';

const methods: VerificationMethod[] = ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'];

class VerificationStepResponse {
  @ApiProperty({
    description:
      'GOOGLE: authenticator code in `twofa`; EMAIL: code in `emailCode`; SMS: code in `smsCode`; FACE: in the app of the exchange, without a code.',
    enum: methods,
  })
  type: VerificationMethod;

  @ApiProperty({
    description: '`failure`: the last code was wrong; send another code.',
    enum: ['pending', 'success', 'failure'],
  })
  status: VerificationStep['status'];

  @ApiProperty({ description: 'false: another step can replace this step.' })
  required: boolean;

  @ApiPropertyOptional({
    description:
      'Hints for the person: `email` (masked) and `emailSent`, `phone` (masked) and `smsSent`. `collected`: the code is kept until the missing codes arrive; the exchange then checks all of them together.',
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  })
  metadata?: Record<string, string | boolean>;
}

class CodeAttemptResponse {
  @ApiProperty({ description: 'Type of the step.', enum: methods })
  method: VerificationMethod;

  @ApiProperty({ description: 'Result of the check by the exchange.', enum: ['success', 'failure'] })
  status: 'success' | 'failure';

  @ApiProperty({ description: 'Time of the check, in epoch milliseconds.', type: 'integer' })
  createdAt: number;

  @ApiProperty({ description: 'The same as `status`.' })
  success: boolean;
}

class VerifiedMethodsResponse {
  @ApiProperty({ description: 'The same as `bizNo` of the verification report that contains this object.' })
  bizNo: string;

  @ApiProperty({
    description:
      'By method: true = verified, false = the last code was wrong, absent = not tried. This is the authoritative state.',
    type: 'object',
    additionalProperties: { type: 'boolean' },
    example: { GOOGLE: true },
  })
  verified: Partial<Record<VerificationMethod, boolean>>;

  @ApiProperty({
    description: 'The newest codes that the exchange has checked, at most 50, oldest first.',
    type: [CodeAttemptResponse],
  })
  attempts: CodeAttemptResponse[];
}

export class VerificationReportResponse {
  @ApiProperty({ description: 'Id of the verification. Send it with each code in the body of the execution.' })
  bizNo: string;

  @ApiProperty({ description: 'The steps of the verification.', type: [VerificationStepResponse] })
  steps: VerificationStepResponse[];

  @ApiProperty({ description: 'AND: every required step is needed; OR: one step is enough.', enum: ['AND', 'OR'] })
  relation: 'AND' | 'OR';

  @ApiProperty({ description: 'The verified steps.', type: () => VerifiedMethodsResponse })
  mfa: VerifiedMethodsResponse;
}
