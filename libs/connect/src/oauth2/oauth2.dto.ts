import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { accessKinds, connectMethods, exampleExchange, type AccessKind, type ConnectMethod } from '#exchange';
import { ApiField, ApiOptionalField } from '#platform/http';
import { IsIdem } from '../session/idem.js';
import { ADDRESS_LENGTH_MAX } from '../projects/connect-addresses.js';

export class ConnectExchangeParam {
  @ApiField('Id of the exchange, as `GET /v0/oauth2/exchanges` lists it.', { example: exampleExchange.id })
  @IsString()
  exchange: string;
}

export class ConnectUrlQuery {
  @IsIdem({
    description:
      'Your id of this connect session, which is also the topic of its messages. Make it unguessable: any client that knows it and the organization may listen. A repeat of the same request returns the same link while the session is open. An `idem` that is in use, or is the id of a withdrawal quote of the organization, is refused with 409.',
    example: 'b2b7c2f0-6d2f-4c52-9d33-6f8b1d7c1a55',
  })
  idem: string;

  @ApiOptionalField(
    'The access that you need, separated by commas: `read`, `deposit`, `trade`, `withdrawal`; `read` is always included. Default: the setting `connectAccess` of the project, without access that its API keys cannot use at this exchange. The person is asked for exactly this access.',
    { type: String, example: 'read,withdrawal' },
  )
  @IsOptional()
  @IsIn(accessKinds, { each: true, message: `access must contain only ${accessKinds.join(', ')}, separated by commas` })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  access?: AccessKind[];

  @ApiOptionalField(
    'The connect method to offer first, if the exchange has several. The person can still choose another one.',
    { enum: connectMethods },
  )
  @IsOptional()
  @IsIn(connectMethods)
  way?: ConnectMethod;

  @ApiOptionalField('Country of the person, ISO 3166-1 alpha-2. Needed where the exchange is not offered everywhere.', {
    maxLength: 16,
    example: 'DE',
  })
  @IsOptional()
  @MaxLength(16)
  @IsString()
  country?: string;

  @ApiOptionalField(
    'Address to which the page sends the person at the end, with `idem`, `success`, `walletId`, `exchange` and, after a failure, `error` (the error code) in the query. It must be exactly one of the project’s return addresses.',
    { maxLength: ADDRESS_LENGTH_MAX, example: 'https://shop.example/connected' },
  )
  @IsOptional()
  @MaxLength(ADDRESS_LENGTH_MAX)
  @IsString()
  returnUrl?: string;

  @ApiOptionalField(
    'Origin of your page that opens the link as a popup. The page receives the outcome by `postMessage`. It must be one of the project’s origins. Without an API key, the `Origin` of the request is used.',
    { maxLength: ADDRESS_LENGTH_MAX, example: 'https://shop.example' },
  )
  @IsOptional()
  @MaxLength(ADDRESS_LENGTH_MAX)
  @IsString()
  origin?: string;
}

export class ConnectUrlResponse {
  @ApiField('Page on which the person connects the account. Open it in a browser; it is secret.')
  url: string;

  @ApiField('Always true in a 200 response.', { enum: [true] })
  success: true;

  @ApiField('Whether the page begins with a QR code for the app of the exchange.')
  isQRCode: boolean;

  @ApiField('The `idem` of the request.')
  idem: string;

  @ApiField('When the link expires, in epoch milliseconds.', { type: 'integer' })
  expiresAt: number;
}

export const exchangeStatuses = ['live', 'offline', 'maintenance', 'coming_soon'] as const;

export class ConnectExchange {
  @ApiField('Exchange id, as in paths and in `wallet.exchange`.', { example: exampleExchange.id })
  id: string;

  @ApiField('Name for people.', { example: exampleExchange.name })
  name: string;

  @ApiField('An SVG picture for lists. It is not the exchange’s own logo.', { format: 'uri' })
  logoUrl: string;

  @ApiField('Whether accounts can be connected now. `maintenance` and `coming_soon` are reserved.', {
    enum: exchangeStatuses,
  })
  status: (typeof exchangeStatuses)[number];
}

export class ConnectExchangesResponse {
  @ApiField('Always true in a 200 response.', { enum: [true] })
  success: true;

  @ApiField('The exchanges, in the order in which they should be shown.', { type: [ConnectExchange] })
  exchanges: ConnectExchange[];
}
