/** A variable that is read outside of plugins. */
export interface OwnVariable {
  readonly readBy: string
  /** What is used while it is unset, in Markdown; absent where that is nothing. */
  readonly otherwise?: string
  /** What it does, as one sentence in Markdown. */
  readonly effect: string
}

const whileBuilding = 'Detects a build of the site by its framework, in which a closed mount is only a warning.'

/** What the command line reads, and where it says `config` also a website that mounts the orchestrator. */
export const ownVariables: Readonly<Record<string, OwnVariable>> = {
  HOST: { readBy: 'serve', otherwise: '127.0.0.1', effect: 'The address to listen on.' },
  PORT: { readBy: 'serve', otherwise: '4200', effect: 'The port to listen on; 0 takes any free one.' },
  DEMO_SITE_PORT: { readBy: 'serve --demo', otherwise: '4210', effect: 'The port of the demo site; 0 takes any free one.' },
  NODE_ENV: { readBy: 'config', effect: '`production` closes what is open while a site is being developed.' },
  ORCHESTRATOR_DATA_DIR: {
    readBy: 'config', otherwise: '`.orchestrator` in the working directory', effect: 'The data folder, with the database and all files.',
  },
  ORCHESTRATOR_LOG_LEVEL: {
    readBy: 'config', otherwise: '`info`, on a terminal `warn`', effect: 'The log level: trace, debug, info, warn, error, fatal or silent.',
  },
  ORCHESTRATOR_CORS_ORIGINS: {
    readBy: 'config',
    otherwise: 'ports 3000 and 4100 of this machine; nothing in production',
    effect: 'Origins of the editors and sites that may call from a browser and that content is published to.',
  },
  ORCHESTRATOR_ALLOWED_HOSTS: { readBy: 'serve', effect: 'Further host names by which requests may address a standalone server.' },
  ORCHESTRATOR_PUBLIC_ORIGIN: {
    readBy: 'config', otherwise: '`http://localhost:<PORT>`', effect: 'The address of the service as browsers see it.',
  },
  NEXT_PHASE: { readBy: 'createOrchestrator', effect: whileBuilding },
  npm_lifecycle_event: { readBy: 'createOrchestrator', effect: whileBuilding },
  ORCHESTRATOR_URL: {
    readBy: 'register, mcp',
    otherwise: '`http://localhost:4200`',
    effect: 'The orchestrator that a site is registered with, and that the tools of `mcp` call.',
  },
  MCP_PORT: { readBy: 'mcp --http', otherwise: '4300', effect: 'The port of the MCP server; 0 takes any free one.' },
  MCP_HOST: { readBy: 'mcp --http', otherwise: '127.0.0.1', effect: 'The address that the MCP server listens on.' },
  MCP_ALLOWED_ORIGINS: { readBy: 'mcp --http', effect: 'Origins of pages that may call the MCP server.' },
  MCP_ALLOWED_HOSTS: { readBy: 'mcp --http', effect: 'Further host names by which requests may address the MCP server.' },
  TRUST_PROXY: { readBy: 'config', effect: 'Addresses and networks of proxies whose forwarding headers count.' },
}

/** What the editor routes of a website read, in the environment of the site. */
export const siteVariables: Readonly<Record<string, OwnVariable>> = {
  PUBLISH_TOKEN: { readBy: 'site', effect: 'A site requires it of a publish; in production it must be set.' },
  DRAFT_MODE_SECRET: { readBy: 'site', effect: 'A site shows drafts to visitors who enter with it.' },
  VITE_SITE_DRAFT_SECRET: { readBy: 'site', effect: 'The name that editors have for `DRAFT_MODE_SECRET`, which wins over it.' },
  NEXT_DRAFT_MODE_SECRET: { readBy: 'site', effect: 'An older name of `DRAFT_MODE_SECRET`, read where neither other one is set.' },
  ORCHESTRATOR_URL: {
    readBy: 'site', otherwise: '`http://localhost:4200`', effect: 'The address at which a site reaches the orchestrator.',
  },
  ORCHESTRATOR_ACCESS_TOKEN: { readBy: 'site', effect: 'A site sends it to read drafts.' },
  ORCHESTRATOR_PUBLIC_ORIGIN: { readBy: 'site', effect: 'Where pages of a site listen for changes of a draft.' },
  EDITOR_CORS_ORIGINS: {
    readBy: 'site',
    otherwise: 'port 4100 of this machine; nothing in production',
    effect: 'Origins of the editors whose pages may call the editor routes of a site. Outside production the orchestrator may as well.',
  },
  NEXT_PUBLIC_EDITOR_ORIGIN: { readBy: 'site', effect: 'One more origin of an editor.' },
  NEXT_PUBLIC_SITE_URL: {
    readBy: 'site', effect: 'The address of the site; where it begins with https, cookies of the draft mode need https.',
  },
}
