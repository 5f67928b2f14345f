import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';
import { ApiOptionalField } from '#platform/http';

/** The query parameter of every endpoint that may find the credentials of a wallet invalid. */
export class AutoDeleteQuery {
  @ApiOptionalField(
    'Whether to delete the wallet when the exchange refuses its credentials in two signed calls. In a test project, and when the exchange reports that the key or grant was revoked, the wallet is deleted at once; in all other cases it is deleted when the refusals have lasted WALLET_DELETE_AFTER (default 1 hour), at `result.deletionAt`. A wallet is never deleted while a withdrawal or an order is unresolved. With `false`, the wallet is only marked as `invalidApi`.',
    { default: true, example: false },
  )
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean({ message: 'autoDeleteIfInvalid must be true or false' })
  autoDeleteIfInvalid: boolean = true;
}
