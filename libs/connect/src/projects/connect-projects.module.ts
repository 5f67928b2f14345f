import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ConnectProjects } from './connect-projects.service.js';
import { SetConnectProject } from './set-connect-project.js';

/** The settings of projects for their users' browsers. The module calls no exchange. */
@Module({
  imports: [AccessModule],
  providers: [ConnectProjects, SetConnectProject],
  exports: [ConnectProjects, SetConnectProject],
})
export class ConnectProjectsModule {}
