import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  TakesIdempotencyKey,
  accessErrors,
  CurrentProject,
  RequireScope,
  WalletHeader,
  type ProjectContext,
} from '#access';
import { ApiErrors, ExactNames } from '#platform/http';
import { accountErrors } from '#wallet';
import { CreateQuote } from './create-quote.js';
import { CreateQuoteRequest, QuoteResponse, TAG_SYNONYMS, toQuoteResponse, toQuoteRequest } from './quote.dto.js';

@ApiTags('Withdrawals')
@Controller('v0/wallet/withdraw')
export class QuoteController {
  constructor(private readonly createQuote: CreateQuote) {}

  @Post('quote')
  @TakesIdempotencyKey()
  @HttpCode(200)
  @RequireScope('read', 'quote')
  @ExactNames(CreateQuoteRequest, { synonyms: TAG_SYNONYMS })
  @ApiOperation({
    operationId: 'createQuote',
    summary: 'Quote a withdrawal',
    description:
      'Checks a withdrawal and returns its fee and amounts; moves no money. The checks run in this order: asset, network, address, tag, precision, minimum, maximum, balance, balance for the fee. ' +
      'Quotes are immutable: the execution uses exactly the quoted amounts.',
  })
  @ApiOkResponse({ type: QuoteResponse, description: 'The quote; execute it by its id before `expiresAt`.' })
  @ApiErrors(
    ...accessErrors,
    ...accountErrors,
    'WALLET_NOT_FOUND',
    'WALLET_INVALID_CREDENTIALS',
    'WITHDRAWAL_ASSET_NOT_SUPPORTED',
    'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
    'WITHDRAWAL_INVALID_ADDRESS',
    'WITHDRAWAL_AMOUNT_BELOW_MINIMUM',
    'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM',
    'WITHDRAWAL_INSUFFICIENT_BALANCE',
    'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE',
    'WITHDRAWAL_TOO_MANY_ADDRESSES',
    'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT',
    'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
  )
  async create(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Body() body: CreateQuoteRequest,
  ): Promise<QuoteResponse> {
    return toQuoteResponse(await this.createQuote.execute(project, externalWalletId, toQuoteRequest(body)));
  }
}
