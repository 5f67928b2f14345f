import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { KycModule } from './kyc.module.js';

/** The identity of a wallet over HTTP. For the API process alone. */
@Module({ imports: [AccessModule, KycModule] })
export class KycApiModule {}
