import { Controller, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentProject, RequireScope, TakesIdempotencyKey, accessErrors, type ProjectContext } from '#access';
import { ApiErrors } from '#platform/http';
import { TransactionResponse, toTransactionResponse } from '../history/transaction.dto.js';
import { EnrichTransaction } from './enrich-transaction.js';

@ApiTags('Transactions')
@Controller('v0/wallet')
export class EnrichmentController {
  constructor(private readonly enrichTransaction: EnrichTransaction) {}

  @Post('transaction/:transactionId/enrich')
  @TakesIdempotencyKey({ refusalsMayChange: true })
  @HttpCode(HttpStatus.OK)
  @RequireScope('read')
  @ApiOperation({
    operationId: 'enrichTransaction',
    summary: 'Enrich transaction',
    description:
      'Reads from the chain what the exchange has not reported: `hash`, `addressFrom`, and the block (`confirmedAt`, `blockHeight`). Values that the exchange has reported are kept. The worker does the same in the background. The chain is not called within seconds of the last look-up, or once it has confirmed the transaction: the response is then the stored transaction.',
  })
  @ApiParam({ name: 'transactionId', description: 'Transaction id.', example: '0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55' })
  @ApiOkResponse({ type: TransactionResponse, description: 'The transaction with all facts that are known now.' })
  @ApiErrors(
    ...accessErrors,
    'GENERIC_NOT_FOUND',
    'ENRICHMENT_NETWORK_NOT_SUPPORTED',
    'ENRICHMENT_TIMEOUT',
    'ENRICHMENT_API_ERROR',
  )
  async enrich(
    @CurrentProject() project: ProjectContext,
    @Param('transactionId') transactionId: string,
  ): Promise<TransactionResponse> {
    return toTransactionResponse(await this.enrichTransaction.now(project, transactionId));
  }
}
