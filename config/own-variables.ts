/** A variable read outside of plugins: its reader, its effect as a Markdown sentence, and any default. */
type OwnVariable = readonly [readBy: string, effect: string, otherwise?: string]
type OwnVariables = Readonly<Record<string, OwnVariable>>

const whileBuilding = 'Detects a build of the site by its framework, in which a closed mount is only a warning.'

/** Variables of the command line; those with `config` also apply to a website that mounts the service. */
export const ownVariables: OwnVariables = {
  HOST: ['serve', 'The address to listen on.', '127.0.0.1'],
  PORT: ['serve', 'The port to listen on; 0 takes any free one.', '4200'],
  DEMO_SITE_PORT: ['serve --demo', 'The port of the demo site; 0 takes any free one.', '4210'],
  NODE_ENV: ['config', '`production` closes what is open while a site is being developed.'],
  ORCHESTRATOR_DATA_DIR: ['config',
    'The data folder, with the database and all files.', '`.orchestrator` in the working directory'],
  ORCHESTRATOR_LOG_LEVEL: ['config',
    'The log level: trace, debug, info, warn, error, fatal or silent.', '`info`, on a terminal `warn`'],
  ORCHESTRATOR_CORS_ORIGINS: ['config',
    'Origins of the editors and sites that may call from a browser and that content is published to.', 'ports 3000 and 4100 of this machine; nothing in production'],
  ORCHESTRATOR_ALLOWED_HOSTS: ['serve', 'Further host names by which requests may address a standalone server.'],
  ORCHESTRATOR_PUBLIC_ORIGIN: ['config', 'The address of the service as browsers see it.', '`http://localhost:<PORT>`'],
  NEXT_PHASE: ['createOrchestrator', whileBuilding],
  npm_lifecycle_event: ['createOrchestrator', whileBuilding],
  ORCHESTRATOR_URL: ['register, mcp',
    'The orchestrator that a site is registered with, and that the tools of `mcp` call.', '`http://localhost:4200`'],
  MCP_PORT: ['mcp --http', 'The port of the MCP server; 0 takes any free one.', '4300'],
  MCP_HOST: ['mcp --http', 'The address that the MCP server listens on.', '127.0.0.1'],
  MCP_ALLOWED_ORIGINS: ['mcp --http', 'Origins of pages that may call the MCP server.'],
  MCP_ALLOWED_HOSTS: ['mcp --http', 'Further host names by which requests may address the MCP server.'],
  TRUST_PROXY: ['config', 'Addresses and networks of proxies whose forwarding headers count.'],
}

/** Variables of the editor routes, in the environment of a website. */
export const siteVariables: OwnVariables = {
  PUBLISH_TOKEN: ['site', 'A site requires it of a publish; in production it must be set.'],
  DRAFT_MODE_SECRET: ['site', 'A site shows drafts to visitors who enter with it.'],
  VITE_SITE_DRAFT_SECRET: ['site', 'The name that editors have for `DRAFT_MODE_SECRET`, which wins over it.'],
  NEXT_DRAFT_MODE_SECRET: ['site', 'An older name of `DRAFT_MODE_SECRET`, read where neither other one is set.'],
  ORCHESTRATOR_URL: ['site', 'The address at which a site reaches the orchestrator.', '`http://localhost:4200`'],
  ORCHESTRATOR_ACCESS_TOKEN: ['site', 'A site sends it to read drafts.'],
  ORCHESTRATOR_PUBLIC_ORIGIN: ['site', 'Where pages of a site listen for changes of a draft.'],
  EDITOR_CORS_ORIGINS: ['site',
    'Origins of the editors whose pages may call the editor routes of a site. Outside production the orchestrator may as well.', 'port 4100 of this machine; nothing in production'],
  NEXT_PUBLIC_EDITOR_ORIGIN: ['site', 'One more origin of an editor.'],
  NEXT_PUBLIC_SITE_URL: ['site',
    'The address of the site; where it begins with https, cookies of the draft mode need https.'],
}
