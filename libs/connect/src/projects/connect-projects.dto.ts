import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { accessKinds, type AccessKind } from '#exchange';
import { ADDRESSES_MAX, ADDRESS_LENGTH_MAX } from './connect-addresses.js';

export class ProjectIdParam {
  @ApiProperty({ description: 'Id of the project.', format: 'uuid' })
  @IsUUID()
  id: string;
}

/** The settings of a project for its users' browsers. */
export class ConnectProjectSettings {
  @ApiProperty({ description: 'Whether pages of `origins` may begin a connect without an API key.' })
  @IsBoolean()
  browserConnects: boolean;

  @ApiProperty({
    description:
      'Origins of pages of the project, exactly as browsers send them: https, or http on the loopback. They may open the hosted page as a popup and receive its outcome; with `browserConnects` they may also begin a connect without an API key and read the responses.',
    type: [String],
    maxItems: ADDRESSES_MAX,
    example: ['https://shop.example'],
  })
  @MaxLength(ADDRESS_LENGTH_MAX, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(ADDRESSES_MAX)
  @IsArray()
  origins: string[];

  @ApiProperty({
    description:
      'Addresses to which people may be sent back, each exactly as requests name it: https, or http on the loopback; without user and fragment. For an app, use an https address that opens it, because any other app may claim a custom scheme.',
    type: [String],
    maxItems: ADDRESSES_MAX,
    example: ['https://shop.example/connected'],
  })
  @MaxLength(ADDRESS_LENGTH_MAX, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(ADDRESSES_MAX)
  @IsArray()
  returnUrls: string[];

  @ApiPropertyOptional({
    description:
      'The access that a connect asks for when its request names none; `read` is always included, and access that the exchange’s connector or no key of the project can use is left out. null = all that the connector and the keys of the project can use.',
    type: 'array',
    items: { type: 'string', enum: [...accessKinds] },
    nullable: true,
    example: ['read', 'withdrawal'],
  })
  @IsOptional()
  @IsIn(accessKinds, { each: true })
  @ArrayMaxSize(accessKinds.length)
  @IsArray()
  connectAccess: AccessKind[] | null = null;
}
