import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentProject, RequireScope, WalletHeader, accessErrors, type ProjectContext } from '#access';
import { ApiErrors } from '#platform/http';
import { GetIdentity } from './get-identity.js';
import { IdentityResponse, toIdentityResponse } from './kyc.dto.js';

@ApiTags('Wallets')
@Controller('v0/wallet/kyc')
export class KycController {
  constructor(private readonly getIdentity: GetIdentity) {}

  @Get()
  @RequireScope('read', 'kyc')
  @ApiOperation({
    summary: 'Get KYC identity',
    description:
      'Who owns the account, as the exchange told when its owner authorized it; the exchange is not called. What it did not tell is null. Kept encrypted, and erased with the wallet and when other credentials take the place of those that it came with. A wallet that was connected with an API key has no identity.',
  })
  @ApiOkResponse({ description: 'What the exchange supplied.', type: IdentityResponse })
  @ApiErrors(...accessErrors, 'WALLET_NOT_FOUND', 'WALLET_IDENTITY_NOT_FOUND')
  async get(@CurrentProject() project: ProjectContext, @WalletHeader() walletId: string): Promise<IdentityResponse> {
    return toIdentityResponse(await this.getIdentity.execute(project, walletId));
  }
}
