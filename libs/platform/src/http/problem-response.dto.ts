import { errorCodes } from '#platform/errors';
import { ApiField, ApiOptionalField } from './api-field.decorator.js';

/**
 * The facts of an error in the form of RFC 9457, for callers that accept `application/problem+json`. The default form
 * has a schema for each code, which the build of the OpenAPI document generates from the registry.
 */
export class ProblemResponse {
  @ApiField('URI reference of the code’s documentation.', { example: '/docs/errors#WALLET_NOT_FOUND' })
  type: string;

  @ApiField('Error code; also in `code`.', { example: 'WALLET_NOT_FOUND' })
  title: string;

  @ApiField('HTTP status.', { type: 'integer', example: 404 })
  status: number;

  @ApiField('What went wrong, for people; the same as `error`.', { example: 'Wallet not found' })
  detail: string;

  @ApiField('Error code.', { enum: Object.keys(errorCodes), example: 'WALLET_NOT_FOUND' })
  code: string;

  @ApiField('The same as `detail`.', { example: 'Wallet not found' })
  error: string;

  @ApiField('The `x-request-id` of this request, which its log lines contain.')
  requestId: string;

  @ApiOptionalField('Details of the error, as in the default form.', { type: 'object', additionalProperties: true })
  result?: Record<string, unknown>;

  @ApiOptionalField('The scopes that the key lacks, for APIKEY_INSUFFICIENT_PERMISSIONS.', { type: [String] })
  missing?: string[];

  @ApiOptionalField('The ids of the supported exchanges, when the request names an exchange that is not supported.', {
    type: [String],
  })
  supportedExchanges?: string[];
}
