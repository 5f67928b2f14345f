import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  CurrentProject,
  OptionalWalletHeader,
  RequireScope,
  WALLET_HEADER,
  accessErrors,
  type ProjectContext,
} from '#access';
import { ValidationFailed } from '#platform/errors';
import { ApiErrors } from '#platform/http';
import { HasLoad } from '#platform/load';
import { ListTransactions } from './list-transactions.js';
import { ListTransactionsQuery, ListTransactionsResponse, toListResponse } from './transaction-list.dto.js';
import { TransactionResponse, toTransactionResponse } from './transaction.dto.js';
import { Transactions } from './transactions.service.js';

@ApiTags('Transactions')
@Controller('v0/wallet')
export class TransactionController {
  constructor(
    private readonly transactions: Transactions,
    private readonly listTransactions: ListTransactions,
  ) {}

  @Get('transactions')
  @HasLoad('list')
  @RequireScope('read')
  @ApiOperation({
    operationId: 'listTransactions',
    summary: 'List transactions',
    description:
      'Deposits and withdrawals, newest first: of one wallet (`walletId`, or the wallet header; both must be the same), or of all wallets of the project, including deleted ones. No exchange is called: the history is read in the background, see `syncProgress` of Get wallet. A wallet id that the project has never connected is not found.',
  })
  @ApiOkResponse({ description: 'One page of the listing.', type: ListTransactionsResponse })
  @ApiErrors(...accessErrors, 'WALLET_NOT_FOUND')
  async list(
    @CurrentProject() project: ProjectContext,
    @OptionalWalletHeader() header: string | null,
    @Query() query: ListTransactionsQuery,
  ): Promise<ListTransactionsResponse> {
    const externalWalletId = query.walletId ?? header ?? undefined;
    if (header !== null && header !== externalWalletId) {
      const message = `walletId and ${WALLET_HEADER} must name the same wallet`;
      throw new ValidationFailed([{ field: 'walletId', message }]);
    }
    return toListResponse(await this.listTransactions.execute(project, { ...query, externalWalletId }), query);
  }

  @Get('transaction/:transactionId')
  @RequireScope('read')
  @ApiOperation({
    operationId: 'getTransaction',
    summary: 'Get transaction',
    description: 'One transaction of the project, even if its wallet was deleted.',
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
