import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsString, IsUUID, MaxLength } from 'class-validator';
import { ADDRESSES_MAX, ADDRESS_LENGTH_MAX } from './connect-addresses.js';

export class ProjectIdParam {
  @ApiProperty({ description: 'Id of the project.', format: 'uuid' })
  @IsUUID()
  id: string;
}

/** The settings of a project for its users' browsers. */
export class ConnectProjectSettings {
  @ApiProperty({ description: 'Whether pages of `origins` may begin to connect without an API key.' })
  @IsBoolean()
  browserConnects: boolean;

  @ApiProperty({
    description:
      'Origins of pages of the project, exactly as browsers send them: https, or http on the loopback. They may open the hosted page as a popup and are told its outcome; with `browserConnects` they may begin without an API key and read the answers.',
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
      'Addresses to which people may be sent back, each exactly as requests name it: https, or http on the loopback; without user and fragment. For an app, a https address that opens it: a scheme of its own may be claimed by any other app.',
    type: [String],
    maxItems: ADDRESSES_MAX,
    example: ['https://shop.example/connected'],
  })
  @MaxLength(ADDRESS_LENGTH_MAX, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(ADDRESSES_MAX)
  @IsArray()
  returnUrls: string[];
}
