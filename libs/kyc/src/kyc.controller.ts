import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentProject, RequireScope, WalletHeader, accessErrors, type ProjectContext } from '#access';
import { ApiErrors } from '#platform/http';
import { Identities } from './identities.js';
import { IdentityResponse, toIdentityResponse } from './kyc.dto.js';

@ApiTags('Wallets')
@Controller('v0/wallet/kyc')
export class KycController {
  constructor(private readonly identities: Identities) {}

  @Get()
  @RequireScope('read', 'kyc')
  @ApiOperation({
    operationId: 'getIdentity',
    summary: 'Get KYC identity',
    description:
      'Returns the identity of the account owner. The exchange supplied it when the owner authorized the account; this call does not call the exchange. Fields that the exchange did not supply are null. The identity is stored encrypted. It is erased when the wallet is deleted or its credentials are replaced. A wallet that was connected with an API key has no identity.',
  })
  @ApiOkResponse({ description: 'The identity as the exchange supplied it.', type: IdentityResponse })
  @ApiErrors(...accessErrors, 'WALLET_NOT_FOUND', 'WALLET_IDENTITY_NOT_FOUND')
  async get(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
  ): Promise<IdentityResponse> {
    return toIdentityResponse(await this.identities.get(project, externalWalletId));
  }
}
