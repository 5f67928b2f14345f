import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  MaxLength,
} from 'class-validator';
import { accessKinds, exampleExchange, type AccessKind } from '#exchange';
import { ApiField, ApiOptionalField } from '#platform/http';
import { ADDRESSES_MAX, ADDRESS_LENGTH_MAX } from './connect-addresses.js';
import { DISPLAY_NAME_MAX } from './set-connect-project.js';

const EXCHANGES_MAX = 50;

export class ProjectIdParam {
  @ApiField('Id of the project.', { format: 'uuid' })
  @IsUUID()
  id: string;
}

/** The settings of a project for its users' browsers. */
export class ConnectProjectSettings {
  @ApiField('Whether web pages of the `origins` may start a connect session without an API key.')
  @IsBoolean()
  browserConnects: boolean;

  @ApiField(
    'Origins of pages of the project, exactly as browsers send them: https, or http on the loopback. Pages of these origins may open the hosted page as a popup and receive its outcome. With `browserConnects` they may also start a connect session without an API key and read the responses.',
    { type: [String], maxItems: ADDRESSES_MAX, example: ['https://shop.example'] },
  )
  @MaxLength(ADDRESS_LENGTH_MAX, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(ADDRESSES_MAX)
  @IsArray()
  origins: string[];

  @ApiField(
    'Addresses to which the hosted page may send people back. A request must name one of them exactly. Each is an https address, or http on the loopback, without user and fragment. For a mobile app, use an https address that opens the app, because any other app may claim a custom scheme.',
    { type: [String], maxItems: ADDRESSES_MAX, example: ['https://shop.example/connected'] },
  )
  @MaxLength(ADDRESS_LENGTH_MAX, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(ADDRESSES_MAX)
  @IsArray()
  returnUrls: string[];

  @ApiOptionalField(
    'The access that a connect session requests when the caller names none. `read` is always included. Access that the exchange’s connector does not support, or that no key of the project can use, is left out. null = all access that the connector supports and a key of the project can use.',
    {
      type: 'array',
      items: { type: 'string', enum: [...accessKinds] },
      nullable: true,
      example: ['read', 'withdrawal'],
    },
  )
  @IsOptional()
  @IsIn(accessKinds, { each: true })
  @ArrayMaxSize(accessKinds.length)
  @IsArray()
  connectAccess: AccessKind[] | null = null;

  @ApiOptionalField(
    'The exchanges at which people may connect accounts. A link without an exchange shows them as a list. null = all exchanges that this service supports.',
    { type: [String], minItems: 1, maxItems: EXCHANGES_MAX, nullable: true, example: [exampleExchange.id] },
  )
  @IsOptional()
  @IsString({ each: true })
  @ArrayMaxSize(EXCHANGES_MAX)
  @ArrayMinSize(1)
  @IsArray()
  exchanges: string[] | null = null;

  @ApiOptionalField('The name that the hosted page shows. null = the name of the project.', {
    type: String,
    minLength: 1,
    maxLength: DISPLAY_NAME_MAX,
    nullable: true,
    example: 'Shop',
  })
  @IsOptional()
  @Length(1, DISPLAY_NAME_MAX)
  @IsString()
  displayName: string | null = null;

  @ApiOptionalField(
    'The colour of buttons and links on the hosted page, as `#rrggbb` in lower case. The page makes it darker or lighter where texts would be hard to read. null = the default colour.',
    { type: String, pattern: '^#[0-9a-f]{6}$', nullable: true, example: '#0a7c66' },
  )
  @IsOptional()
  @IsString()
  color: string | null = null;

  @ApiOptionalField(
    'A square logo for the hosted page, which browsers load from this https address. null = the first letter of the name.',
    {
      type: String,
      format: 'uri',
      maxLength: ADDRESS_LENGTH_MAX,
      nullable: true,
      example: 'https://shop.example/logo.png',
    },
  )
  @IsOptional()
  @MaxLength(ADDRESS_LENGTH_MAX)
  @IsString()
  logoUrl: string | null = null;
}
