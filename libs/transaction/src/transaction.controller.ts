import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentProject, RequireScope, accessErrors, type ProjectContext } from '#access';
import { ApiErrors } from '#platform/http';
import { TransactionResponse, toTransactionResponse } from './transaction.dto.js';
import { Transactions } from './transactions.service.js';

@ApiTags('Transactions')
@Controller('v0/wallet')
export class TransactionController {
  constructor(private readonly transactions: Transactions) {}

  @Get('transaction/:transactionId')
  @RequireScope('read')
  @ApiOperation({
    summary: 'Get transaction',
    description: 'One transaction of the project, also when its wallet has been deleted since.',
  })
  @ApiParam({ name: 'transactionId', description: 'Transaction id.', example: '0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55' })
  @ApiOkResponse({ type: TransactionResponse })
  @ApiErrors(...accessErrors, 'GENERIC_NOT_FOUND')
  async get(
    @CurrentProject() project: ProjectContext,
    @Param('transactionId') transactionId: string,
  ): Promise<TransactionResponse> {
    return toTransactionResponse(await this.transactions.get(project, transactionId));
  }
}
