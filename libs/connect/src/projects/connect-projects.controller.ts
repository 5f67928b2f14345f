import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, Projects } from '#access';
import { ApiErrors } from '#platform/http';
import { ConnectProjectSettings, ProjectIdParam } from './connect-projects.dto.js';
import { ConnectProjects } from './connect-projects.service.js';
import { SetConnectProject } from './set-connect-project.js';

const refused = ['GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED', 'GENERIC_NOT_FOUND'] as const;

@ApiTags('Admin')
@Controller('v0/admin/projects')
export class ConnectProjectsController {
  constructor(
    private readonly projects: Projects,
    private readonly connectProjects: ConnectProjects,
    private readonly setConnectProject: SetConnectProject,
  ) {}

  @Get(':id/connect')
  @AdminOnly()
  @ApiOperation({
    operationId: 'getConnectSettings',
    summary: 'Get connect settings',
    description:
      'Returns what a project allows when people connect accounts in a browser, and how its hosted page looks.',
  })
  @ApiOkResponse({ type: ConnectProjectSettings })
  @ApiErrors(...refused)
  async get(@Param() { id }: ProjectIdParam): Promise<ConnectProjectSettings> {
    return await this.connectProjects.get(await this.projects.get(id));
  }

  @Put(':id/connect')
  @AdminOnly()
  @ApiOperation({
    operationId: 'setConnectSettings',
    summary: 'Set connect settings',
    description:
      'Replaces all settings with which people connect accounts to a project in a browser. Sessions that have begun continue. Other API processes apply the change within seconds.',
  })
  @ApiOkResponse({ type: ConnectProjectSettings })
  @ApiErrors(...refused)
  async put(@Param() { id }: ProjectIdParam, @Body() body: ConnectProjectSettings): Promise<ConnectProjectSettings> {
    return await this.setConnectProject.execute(id, body, 'admin API');
  }
}
